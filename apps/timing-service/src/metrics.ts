import type { EventStreams } from '@agent-faculties/service-kit/http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeFeed } from './domain/change-feed.ts';
import { TASK_END, TASK_START } from './domain/event.ts';
import type { Engine, SpaceStores, StoredSpace } from './domain/space.ts';

/** Seconds; tasks of agents take from milliseconds to hours. */
const DURATION_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400];

export interface MetricsDeps {
  /** Those that are open. */
  readonly spaces: () => readonly { readonly parts: Pick<SpaceStores, 'tasks'>; readonly stored: Figures }[];
  readonly samples: Engine['samples'];
  readonly streams: EventStreams;
}

type Figures = Pick<StoredSpace, 'condition' | 'samplesHeld'>;

/**
 * Prometheus metrics of the domain: of all open spaces together. Spaces, agents, task types and event types are no labels, because
 * their number is unbounded.
 * @returns what counts the changes of a space
 */
export function timingMetrics(registry: Registry, deps: MetricsDeps): (feed: ChangeFeed) => void {
  const countChanges = changeCounters(registry);
  stateFigures(registry, deps);
  return countChanges;
}

function changeCounters(registry: Registry): (feed: ChangeFeed) => void {
  const registers = [registry];
  const events = new Counter({
    name: 'timing_events_total',
    help: 'Events recorded since the start; imported ones are not counted',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of [TASK_START, TASK_END, 'other']) events.inc({ kind }, 0);
  const durations = new Histogram({
    name: 'timing_task_duration_seconds',
    help: 'Durations of tasks that ended since the start',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const abandoned = new Counter({
    name: 'timing_tasks_abandoned_total',
    help: 'Tasks abandoned because they ran for too long',
    registers,
  });
  return (feed) => {
    feed.countWith((change) => {
      if (change.kind === 'abandoned') abandoned.inc();
      if (change.kind !== 'timing') return;
      events.inc({ kind: kindOf(change.event.eventType) });
      const { task } = change;
      if (task?.state === 'ended' && task.outcome && task.durationSeconds !== null) {
        durations.observe({ outcome: task.outcome }, task.durationSeconds);
      }
    });
  };
}

/** What is so at the moment of the question. */
function stateFigures(registry: Registry, { spaces, samples, streams }: MetricsDeps): void {
  const registers = [registry];
  new Counter({
    name: 'timing_sample_loads_total',
    help: 'Samples of durations loaded from the database, one for each agent and task type',
    registers,
    collect() {
      this.reset();
      this.inc(samples.loads);
    },
  });
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    addGauge(registry, { name, help, value });
  const sum = (figure: (stored: Figures) => number) => () =>
    spaces().reduce((total, { stored }) => total + figure(stored), 0);
  const worst = (isBad: (condition: StoredSpace['condition']) => boolean) => () =>
    spaces().some(({ stored }) => isBad(stored.condition));
  gauge('timing_active_tasks', 'Running tasks', async () => {
    const counts = await Promise.all(spaces().map(({ parts }) => parts.tasks.countActive()));
    return counts.reduce((total, count) => total + count, 0);
  });
  gauge(
    'timing_samples',
    'Statistics held in memory',
    sum((stored) => stored.samplesHeld()),
  );
  gauge('timing_sample_bytes', 'Size of the statistics in memory', () => samples.bytes);
  gauge('timing_event_streams', 'Open event streams', () => streams.size);
  gauge(
    'timing_database_bytes',
    'Size of the database files',
    sum(({ condition }) => condition.sizes().file),
  );
  gauge(
    'timing_write_ahead_log_bytes',
    'Size of the write-ahead logs beside them',
    sum(({ condition }) => condition.sizes().log),
  );
  const refuses = worst(({ refusal, damage }) => refusal() !== null || damage() !== null);
  gauge('timing_storage_writable', '1 when every database took what was last written, 0 when one refused', () =>
    Number(!refuses()),
  );
  const isDamaged = worst(({ damage }) => damage() !== null);
  gauge('timing_database_damaged', '1 once a database was found to be damaged, until it is repaired or restored', () =>
    Number(isDamaged()),
  );
}

interface Figure {
  readonly name: string;
  readonly help: string;
  readonly value: () => number | Promise<number>;
}

/** A database that cannot be read must not hide the other figures: its own is NaN. */
function addGauge(registry: Registry, { name, help, value }: Figure): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(
        await Promise.resolve()
          .then(value)
          .catch(() => Number.NaN),
      );
    },
  });
}

function kindOf(eventType: string): string {
  return eventType === TASK_START || eventType === TASK_END ? eventType : 'other';
}
