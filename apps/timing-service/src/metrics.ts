import type { EventStreams } from '@agent-faculties/service-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeFeed } from './domain/change-feed.ts';
import { TASK_END, TASK_START } from './domain/event.ts';
import type { TaskStore } from './domain/task.ts';

import type { Database } from './storage/database.ts';
import type { DurationSamples } from './storage/duration-samples.ts';

/** Seconds; tasks of agents take from milliseconds to hours. */
const DURATION_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400];

export interface MetricsDeps {
  readonly feed: ChangeFeed;
  readonly tasks: TaskStore;
  readonly samples: DurationSamples;
  readonly streams: EventStreams;
  readonly database: Pick<Database, 'sizes' | 'refusal' | 'damage'>;
}

/** Prometheus metrics of the domain. Agents, task types and event types are no labels, because their number is unbounded. */
export function timingMetrics(registry: Registry, { feed, tasks, samples, streams, database }: MetricsDeps): void {
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
  feed.subscribe((change) => {
    if (change.kind === 'abandoned') abandoned.inc();
    if (change.kind !== 'timing') return;
    events.inc({ kind: kindOf(change.event.eventType) });
    const { task } = change;
    if (task?.state === 'ended' && task.outcome && task.durationSeconds !== null) {
      durations.observe({ outcome: task.outcome }, task.durationSeconds);
    }
  });
  new Counter({
    name: 'timing_sample_loads_total',
    help: 'Samples of durations loaded from the database, one for each agent and task type',
    registers,
    collect() {
      this.reset();
      this.inc(samples.loads);
    },
  });
  const gauge = (name: string, help: string, value: () => number | Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // A database that cannot be read must not hide the other figures.
        this.set(
          await Promise.resolve()
            .then(value)
            .catch(() => Number.NaN),
        );
      },
    });
  };
  gauge('timing_active_tasks', 'Running tasks', () => tasks.countActive());
  gauge('timing_samples', 'Statistics held in memory', () => samples.held.samples);
  gauge('timing_sample_bytes', 'Size of the statistics in memory', () => samples.held.bytes);
  gauge('timing_event_streams', 'Open event streams', () => streams.size);
  gauge('timing_database_bytes', 'Size of the database file', () => database.sizes().file);
  gauge('timing_write_ahead_log_bytes', 'Size of the write-ahead log beside it', () => database.sizes().log);
  gauge('timing_storage_writable', '1 when the database took what was last written, 0 when it refused', () =>
    Number(database.refusal() === null && database.damage() === null),
  );
  gauge(
    'timing_database_damaged',
    '1 once the database was found to be damaged, until it is repaired or restored',
    () => Number(database.damage() !== null),
  );
}

function kindOf(eventType: string): string {
  return eventType === TASK_START || eventType === TASK_END ? eventType : 'other';
}
