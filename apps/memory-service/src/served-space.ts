import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { PairScorer } from '@agent-faculties/embeddings';
import {
  type BackgroundAudit,
  backgroundAudit,
  type Clock,
  type IdSource,
  type Logger,
} from '@agent-faculties/service-kit';
import type { EventStreams, HookCalls, Tracing } from '@agent-faculties/service-kit/http';
import type { Config } from './config.ts';
import { emptyState, type ProcessState } from './domain/cognition/process-state.ts';
import type { Locks } from './domain/concurrency/keyed-lock.ts';
import { Consolidator } from './domain/consolidation/consolidator.ts';
import { contradictionStep } from './domain/consolidation/contradiction-step.ts';
import { ContradictionFinder } from './domain/contradictions/find-contradictions.ts';
import type { EditDeps } from './domain/editing/edit-deps.ts';
import { rewritingAsMerge, rewritingAsRepeat } from './domain/editing/rewrite.ts';
import type { TextEmbedding } from './domain/embedding/text-embedding.ts';
import { ChangeFeed } from './domain/space/change-feed.ts';
import type { StoreChange } from './domain/space/store-change.ts';
import type { StoredSpace } from './domain/space/stored-space.ts';
import { agendaHandlers } from './http/agenda.ts';
import { maySupersedeOthers } from './http/agent-scope.ts';
import type { Callers } from './http/callers.ts';
import { consolidationHandlers } from './http/consolidation.ts';
import { contradictionHandlers } from './http/contradictions.ts';
import { conversationHandlers } from './http/conversation.ts';
import { healthHandlers } from './http/health.ts';
import { historyHandlers } from './http/history.ts';
import { hookHandlers, type SkippingSessions } from './http/hooks.ts';
import { managementHandlers } from './http/management.ts';
import { memoryHandlers } from './http/memories.ts';
import { overviewHandlers } from './http/overview.ts';
import { streamHandlers } from './http/stream.ts';
import { transferHandlers } from './http/transfer.ts';
import { Jobs } from './jobs/jobs.ts';
import { nightRun } from './jobs/night-run.ts';
import { Nightly, scheduleOf } from './jobs/nightly-schedule.ts';
import type { MemoryMetrics } from './metrics.ts';
import { type WebhookMetrics, Webhooks } from './webhooks/webhooks.ts';
import type { Webhook } from './webhooks/webhooks-file.ts';
import type { ReadMemoryRecord } from './wire/memory-record.ts';

/** What all spaces of a process share. */
export interface SharedParts {
  readonly config: Pick<
    Config,
    | 'agentId'
    | 'trustIdentityHeader'
    | 'hookScope'
    | 'maxMemories'
    | 'autoSaveSeconds'
    | 'consolidateCron'
    | 'consolidateTimezone'
    | 'webhooksAllowPrivate'
  >;
  readonly embedding: TextEmbedding;
  readonly pairScorer: PairScorer | null;
  readonly nliScorer: PairScorer | null;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
  readonly meters: MemoryMetrics;
  readonly streams: EventStreams;
  readonly callers: Callers;
  readonly hookCalls: HookCalls;
  readonly skipping: SkippingSessions;
  /** Of all spaces. */
  readonly webhooks: readonly Webhook[];
  readonly webhookMetrics: WebhookMetrics;
  readonly readRecord: ReadMemoryRecord;
  /** Lets one space at a time run its night, because each takes up to half of a core. */
  readonly nights: Locks;
  readonly version: string;
  /** When the process started, epoch milliseconds. */
  readonly startedAt: number;
}

/** A space that answers requests, or what stands in for one that does not exist. */
export interface ServedSpace {
  readonly name: string;
  readonly stored: StoredSpace;
  readonly feed: ChangeFeed;
  readonly webhooks: Webhooks;
  readonly finder: ContradictionFinder;
  readonly nightly: Nightly;
  readonly jobs: Jobs;
  readonly handlers: ReturnType<typeof spaceHandlers>;
}

/** Pause between two slices of a consolidation. A slice takes 2 ms too, so a consolidation takes half of one core at most. */
const CONSOLIDATION_PAUSE_MS = 2;

/**
 * Makes the parts of one space and its handlers. None of its jobs runs yet.
 * @param standIn the stand-in that answered for it until now: its listeners hear the events of the space from here on
 */
export function serveSpace(
  name: string,
  stored: StoredSpace,
  { standIn, ...shared }: SharedParts & { readonly standIn: ServedSpace | null },
): ServedSpace {
  const { clock, pairScorer, nliScorer, callers, embedding, config } = shared;
  const { store, persistence, history } = stored;
  const log = name === DEFAULT_SPACE ? shared.log : shared.log.child({ space: name });
  const audit = backgroundAudit(log, shared.tracing);
  const feed = feedOf(stored, { clock, standIn });
  const webhooks = webhooksOf(name, { ...shared, log, feed, stored });
  const finder = new ContradictionFinder({
    store,
    history,
    scorer: pairScorer,
    confirmer: nliScorer,
    clock,
    log,
    audit,
  });
  const consolidator = consolidatorOf(stored, { ...shared, log, finder, feed });
  const nightly = nightlyOf(stored, { ...shared, log, audit, consolidator });
  const isOwner = () => stored.isOwner();
  const waitingForVectors = () => stored.figures.waitingForVectors();
  const jobs = new Jobs(
    { persistence, store, waitingForVectors, embedding, finder, nightly, consolidator, isOwner, callers, log },
    config,
  );
  const parts = { name, stored, feed, webhooks, finder, nightly, jobs };
  return { ...parts, handlers: spaceHandlers(parts, { ...shared, log, consolidator }) };
}

/** Starts all that a space does without a request. */
export function startJobsOf({ jobs, webhooks }: ServedSpace): void {
  jobs.start();
  webhooks.start();
}

/** Starts no more of it; resolves when the work under way has ended. */
export async function stopJobsOf({ jobs, webhooks }: ServedSpace): Promise<void> {
  await Promise.all([jobs.stop(), webhooks.stop()]);
}

type Parts = Omit<ServedSpace, 'handlers'>;

function feedOf(stored: StoredSpace, { clock, standIn }: { clock: Clock; standIn: ServedSpace | null }): ChangeFeed {
  const listen = (listener: (change: StoreChange) => void) => stored.onChange(listener);
  const source = { listen, lastChange: stored.readerProgress?.lastChange };
  if (!standIn) return new ChangeFeed({ clock, newId: eventId, ...source });
  standIn.feed.moveTo(source);
  return standIn.feed;
}

/** 15 random digits: an id tells nothing of other events. */
function eventId(): string {
  return String(randomInt(2 ** 48 - 1)).padStart(15, '0');
}

function webhooksOf(
  name: string,
  shared: SharedParts & { readonly feed: ChangeFeed; readonly stored: StoredSpace },
): Webhooks {
  const { webhooks, webhookMetrics: metrics, clock, log, feed, stored, config, version } = shared;
  const ofSpace = webhooks.filter(({ space }) => space === name);
  return new Webhooks(ofSpace, {
    feed,
    clock,
    log,
    metrics,
    allowPrivate: config.webhooksAllowPrivate,
    readerProgress: stored.readerProgress,
    isOwner: () => stored.isOwner(),
    pause: async (milliseconds, signal) => await setTimeout(milliseconds, undefined, { signal, ref: false }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    newId: eventId,
    userAgent: `memory-service/${version}`,
  });
}

function pause(): Promise<void> {
  return setTimeout(CONSOLIDATION_PAUSE_MS);
}

function consolidatorOf(
  { store, archive, runLog }: StoredSpace,
  shared: SharedParts & Pick<Parts, 'finder' | 'feed'>,
): Consolidator {
  const { clock, ids, log, embedding, finder, feed, meters } = shared;
  return new Consolidator({
    clock,
    ids,
    store,
    archive,
    runLog,
    log,
    model: embedding.kind,
    pause,
    findContradictions: contradictionStep({ store, finder, clock }),
    onRun: (report) => {
      meters.onRun(report);
      feed.consolidated(report);
    },
  });
}

function nightlyOf(
  stored: StoredSpace,
  shared: SharedParts & { readonly audit: BackgroundAudit; readonly consolidator: Consolidator },
): Nightly {
  const { clock, log, config, nights, audit } = shared;
  const { runLog } = stored;
  const night = nightRun(endOfDayDepsOf(stored, shared), audit);
  return new Nightly(
    {
      clock,
      log,
      lastNight: () => runLog.lastNight,
      noteNight: (night) => runLog.noteNight(night),
      wasThereAt: () => stored.wasThereAt(),
      isOwner: () => stored.isOwner(),
      revision: () => stored.revision(),
      inTurn: (work) => nights.run('night', work),
      run: night,
    },
    scheduleOf(config),
  );
}

function endOfDayDepsOf(
  stored: StoredSpace,
  { clock, log, consolidator }: Pick<SharedParts, 'clock' | 'log'> & { readonly consolidator: Consolidator },
) {
  const { store, persistence, archive, history } = stored;
  return { clock, log, consolidator, store, persistence, archive, history, compact: () => stored.compact() };
}

/** The operations of one space. */
function spaceHandlers(parts: Parts, shared: SharedParts & { readonly consolidator: Consolidator }) {
  const { stored, feed, webhooks, finder, nightly, jobs } = parts;
  const { config, clock, log, embedding, streams, consolidator, version, startedAt } = shared;
  const { store, persistence } = stored;
  const { maxMemories } = config;
  const state = emptyState(store);
  const conversation = conversationDepsOf(parts, { ...shared, state });
  const editing = editDepsOf(parts, { ...shared, state });
  const onWithoutVectors = () => jobs.makeVectors();
  const nextRunAt = () => nightly.nextRunAt;
  return {
    ...conversationHandlers(conversation),
    ...hookHandlers({ ...conversation, calls: shared.hookCalls, skipping: shared.skipping, scope: config.hookScope }),
    ...memoryHandlers(editing, { defaultAgentId: config.agentId }),
    ...historyHandlers({ ...editing, consolidator, maxMemories, pause, onWithoutVectors }),
    ...streamHandlers({ feed, streams }),
    ...overviewHandlers({ clock, store, revision: () => stored.revision() }),
    ...agendaHandlers({ clock, store }, { defaultAgentId: config.agentId }),
    ...managementHandlers({ store, persistence }),
    ...transferHandlers({
      clock,
      readRecord: shared.readRecord,
      store,
      locks: state.locks,
      rewrite: rewritingAsMerge({ store, now: () => clock.now() }),
      maxMemories,
      model: embedding.model,
      onWithoutVectors,
    }),
    ...contradictionHandlers({ clock, log, store, finder, locks: state.locks }),
    ...consolidationHandlers({ ...endOfDayDepsOf(stored, shared), maxMemories, nextRunAt, onWithoutVectors }),
    ...healthHandlers({
      clock,
      version,
      startedAt,
      store,
      persistence,
      embedding,
      finder,
      consolidator,
      nextRunAt,
      webhooks,
    }),
  };
}

/** What an ingest and a recall need. */
function conversationDepsOf(
  { stored, finder }: Parts,
  { state, config, clock, ids, log, embedding, meters }: SharedParts & { readonly state: ProcessState },
) {
  const { store, history } = stored;
  return {
    ...state,
    ingestTimer: meters.ingestTimer,
    recallTimer: meters.recallTimer,
    onIngested: meters.onIngested,
    clock,
    ids,
    log,
    finder,
    store,
    embedding,
    maxMemories: config.maxMemories,
    history,
    enrich: rewritingAsRepeat({ store, now: () => clock.now() }),
    maySupersedeOthers: config.trustIdentityHeader ? maySupersedeOthers : () => true,
  };
}

/** What a change or a delete of a memory needs. */
function editDepsOf(
  { stored, jobs }: Parts,
  { state, clock, embedding }: SharedParts & { readonly state: ProcessState },
): EditDeps {
  const { store, persistence, archive, history } = stored;
  return {
    ...state,
    clock,
    store,
    archive,
    history,
    embedding,
    saveAfterDelete: () => jobs.saveAfterDelete(),
    saveNow: async () => {
      if (persistence.state().dataDir !== null) await persistence.save();
    },
  };
}
