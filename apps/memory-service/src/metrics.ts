import { readFile } from 'node:fs/promises';
import type { EventStreams } from '@agent-faculties/service-kit/http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Report } from './domain/consolidation/report.ts';
import type { RunLog } from './domain/consolidation/run-log.ts';
import { CONTRADICTION_STATES } from './domain/contradictions/contradiction.ts';
import { KINDS, SCOPES } from './domain/memory/memory.ts';
import type { Persistence } from './domain/memory/persistence.ts';
import type { IngestStage, RecallStage, StartStageTimer } from './domain/memory/stage-timer.ts';
import type { StoreFigures } from './domain/space/stored-space.ts';

/** Seconds; the model takes from 0.3 ms for a short text to a second for a long one on a busy machine. */
const STAGE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Seconds; minutes for a large store. */
const RUN_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];

export interface MeasuredSpace {
  readonly figures: StoreFigures;
  readonly persistence: Pick<Persistence, 'state'>;
  readonly runLog: Pick<RunLog, 'lastNight'>;
}

export interface MetricsDeps {
  /** The default space comes first. */
  readonly openSpaces: () => readonly [MeasuredSpace, ...MeasuredSpace[]];
  readonly streams: Pick<EventStreams, 'size'>;
  readonly isEmbeddingReady: () => boolean;
  readonly maxMemories: number;
}

/** Changes of other replicas that one look at the database found; thousands after a stop or a long pause. */
const LAG_BUCKETS = [1, 10, 100, 1_000, 10_000, 100_000];

/** What a replica meets because others write to the same database; all 0 without one. */
export function replicaMetrics(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string) => {
    const made = new Counter({ name, help, registers });
    return () => made.inc();
  };
  const lag = new Histogram({
    name: 'memory_store_lag_changes',
    help: 'Changes of other replicas that this one had to catch up with at a look at the database, where there were any',
    buckets: LAG_BUCKETS,
    registers,
  });
  return {
    conflict: counter(
      'memory_store_conflicts_total',
      'Times that another replica wrote first, so that changes were checked and sent again',
    ),
    retried: counter(
      'memory_store_retries_total',
      'Times that changes were sent again because the answer of the database was lost',
    ),
    readAnew: counter(
      'memory_store_reloads_total',
      'Times that a space was read anew from its checkpoint because the log did not go on where this replica was',
    ),
    lagged: (changes: number) => lag.observe(changes),
  };
}

export interface MemoryMetrics {
  readonly ingestTimer: StartStageTimer<IngestStage>;
  readonly recallTimer: StartStageTimer<RecallStage>;
  readonly onIngested: (message: { readonly isDuplicate: boolean }) => void;
  readonly onRun: (report: Report) => void;
}

/**
 * Prometheus metrics of the domain, of all open spaces together. They count PRIVATE memories too. They name no agent and no space,
 * because the numbers of these have no bound. A scrape scans nothing.
 */
export function memoryMetrics(registry: Registry, deps: MetricsDeps): MemoryMetrics {
  storeGauges(registry, deps);
  diskGauges(registry, deps);
  const stages = new Histogram({
    name: 'memory_stage_duration_seconds',
    help: 'Duration of a stage of an ingest or a recall, including the wait for its turn',
    labelNames: ['operation', 'stage'],
    buckets: STAGE_BUCKETS,
    registers: [registry],
  });
  return {
    ingestTimer: lapTimer(stages, 'ingest', ['reading', 'embedding', 'journal']),
    recallTimer: lapTimer(stages, 'recall', ['reading', 'embedding', 'vector_search', 'evidence', 'scoring']),
    onIngested: messageCounter(registry),
    onRun: consolidationMetrics(registry),
  };
}

function messageCounter(registry: Registry): MemoryMetrics['onIngested'] {
  const messages = new Counter({
    name: 'memory_messages_total',
    help: 'Messages that were ingested: stored, or a duplicate of a memory that was there already',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Starts at 0, so that the first of each shows as a rise.
  for (const outcome of ['stored', 'duplicate']) messages.inc({ outcome }, 0);
  return ({ isDuplicate }) => messages.inc({ outcome: isDuplicate ? 'duplicate' : 'stored' });
}

/** Keeps the child of every label: looking one up takes longer than observing a value. */
function lapTimer<Stage extends string>(
  stages: Histogram<'operation' | 'stage'>,
  operation: string,
  names: readonly Stage[],
): StartStageTimer<Stage> {
  for (const stage of names) stages.zero({ operation, stage });
  const byStage = new Map(names.map((stage) => [stage, stages.labels({ operation, stage })]));
  return () => {
    let since = performance.now();
    return (stage) => {
      const now = performance.now();
      byStage.get(stage)?.observe((now - since) / 1_000);
      since = now;
    };
  };
}

/** The sum over the open spaces. */
function total(spaces: readonly MeasuredSpace[], of: (space: MeasuredSpace) => number): number {
  return spaces.reduce((sum, space) => sum + of(space), 0);
}

function memoriesIn(figures: StoreFigures): number {
  return KINDS.reduce((sum, kind) => SCOPES.reduce((part, scope) => part + figures.memories(kind, scope), sum), 0);
}

function storeGauges(registry: Registry, { openSpaces, streams, isEmbeddingReady, maxMemories }: MetricsDeps): void {
  const gauge = gaugesOf(registry);
  const sum = (of: (figures: StoreFigures) => number) => total(openSpaces(), ({ figures }) => of(figures));
  new Gauge({
    name: 'memory_memories',
    help: 'Memories in the store',
    labelNames: ['kind', 'scope'],
    registers: [registry],
    collect() {
      for (const kind of KINDS) {
        for (const scope of SCOPES)
          this.set(
            { kind, scope },
            sum((figures) => figures.memories(kind, scope)),
          );
      }
    },
  });
  gauge('memory_fullest_space_memories', 'Memories in the open space that has the most', () =>
    Math.max(...openSpaces().map(({ figures }) => memoriesIn(figures))),
  );
  gauge('memory_memories_limit', 'Memories that a space may hold', () => maxMemories);
  gauge('memory_event_streams', 'Open event streams', () => streams.size);
  gauge('memory_vectors', 'Vectors that a recall can find', () => sum(({ vectors }) => vectors()));
  gauge('memory_vectors_in_database', 'Vectors that are in a table of the database and not in this process', () =>
    sum(({ vectorsInDatabase }) => vectorsInDatabase()),
  );
  gauge(
    'memory_vector_bytes',
    'Size of the vectors in the memory of this process, deleted ones included; FAISS holds a copy of all',
    () => sum(({ vectorBytes }) => vectorBytes()),
  );
  gauge('memory_vectors_waiting', 'Memories that wait for their vectors', () =>
    sum(({ waitingForVectors }) => waitingForVectors()),
  );
  gauge('memory_comparisons_waiting', 'Memories that wait to be compared with others', () =>
    sum(({ waitingForComparison }) => waitingForComparison()),
  );
  gauge('memory_embedding_ready', '1 when the embedding model is ready, 0 while it is starting again', () =>
    Number(isEmbeddingReady()),
  );
  new Gauge({
    name: 'memory_contradictions',
    help: 'Known contradictions, by their state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of CONTRADICTION_STATES)
        this.set(
          { state },
          sum((figures) => figures.contradictions(state)),
        );
    },
  });
  gauge('memory_vector_process_resident_memory_bytes', 'Resident memory of the process that searches vectors', () =>
    residentBytes(openSpaces()[0].figures.vectorProcessId()),
  );
}

function diskGauges(registry: Registry, { openSpaces }: MetricsDeps): void {
  const gauge = gaugesOf(registry);
  const states = () => openSpaces().map(({ persistence }) => persistence.state());
  const lastNightOf = ({ runLog }: MeasuredSpace) => runLog.lastNight;
  gauge('memory_journal_bytes', 'Size of the journal, which the next start reads', () =>
    total(openSpaces(), ({ persistence }) => persistence.state().journalBytes),
  );
  gauge('memory_unsaved_changes', 'Changes since the last save; the journal holds them', () => {
    return total(openSpaces(), ({ persistence }) => persistence.state().unsavedChanges);
  });
  gauge('memory_storage_writable', '1 when the disk took the last write, 0 when it refused', () =>
    Number(states().every(({ refusal }) => refusal === null)),
  );
  gauge('memory_last_save_timestamp_seconds', 'When the default space was last saved, since the epoch', () =>
    secondsOrNone(openSpaces()[0].persistence.state().lastSavedAt),
  );
  gauge(
    'memory_last_night_timestamp_seconds',
    'Start of the last nightly run of the default space that completed every step, since the epoch',
    () => {
      const night = lastNightOf(openSpaces()[0]);
      return secondsOrNone(night?.isWhole ? night.startedAt : null);
    },
  );
  gauge(
    'memory_night_unfinished',
    'Open spaces of which the last nightly run that began has not completed every step',
    () => {
      const nights = openSpaces().flatMap((space) => lastNightOf(space) ?? []);
      return nights.length === 0 ? null : nights.filter(({ isWhole }) => !isWhole).length;
    },
  );
}

function consolidationMetrics(registry: Registry): (report: Report) => void {
  const registers = [registry];
  const runs = new Histogram({
    name: 'memory_consolidation_duration_seconds',
    help: 'Duration of consolidations, without dry runs',
    labelNames: ['outcome'],
    buckets: RUN_BUCKETS,
    registers,
  });
  const changes = new Counter({
    name: 'memory_consolidation_changes_total',
    help: 'Changes by consolidations: absorbed memories, semantic memories made, pruned memories and the like',
    labelNames: ['change'],
    registers,
  });
  // Starts at 0, so that the first failure shows as a rise.
  for (const outcome of ['done', 'stopped', 'failed']) runs.zero({ outcome });
  return (report) => {
    if (report.dryRun) return;
    const outcome = report.problem !== null ? 'failed' : report.stopped ? 'stopped' : 'done';
    runs.observe({ outcome }, report.tookMs / 1_000);
    const { deduplicated, created, rebuilt, removed, pruned, skipped } = report;
    changes.inc(
      { change: 'deduplicated' },
      deduplicated.reduce((sum, { absorbed }) => sum + absorbed.length, 0),
    );
    changes.inc({ change: 'semantic_created' }, created.length);
    changes.inc({ change: 'semantic_rebuilt' }, rebuilt.length);
    changes.inc({ change: 'semantic_removed' }, removed.length);
    changes.inc({ change: 'pruned' }, pruned.length);
    changes.inc({ change: 'skipped' }, skipped.length);
  };
}

/** Makes gauges that read their value on a scrape; a gauge without a value is left out. */
function gaugesOf(registry: Registry) {
  return (name: string, help: string, value: () => number | null | Promise<number | null>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await value();
        if (now === null) this.remove();
        else this.set(now);
      },
    });
  };
}

function secondsOrNone(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1_000;
}

/** Resident memory in bytes; null where there is no such process, or no /proc. */
async function residentBytes(processId: number | undefined): Promise<number | null> {
  if (processId === undefined) return null;
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}
