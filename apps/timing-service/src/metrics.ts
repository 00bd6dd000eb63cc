import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeFeed } from './domain/change-feed.ts';
import type { TaskStore } from './domain/task.ts';

/** Seconds; tasks of agents take from milliseconds to hours. */
const DURATION_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400];

/** Prometheus metrics of the domain. No agent or task type is a label: their number has no bound. */
export function timingMetrics(registry: Registry, { feed, tasks }: { feed: ChangeFeed; tasks: TaskStore }): void {
  const registers = [registry];
  const events = new Counter({ name: 'timing_events_total', help: 'Events recorded since the start', registers });
  const durations = new Histogram({
    name: 'timing_task_duration_seconds',
    help: 'Durations of tasks that ended since the start',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  new Gauge({
    name: 'timing_active_tasks',
    help: 'Running tasks',
    registers,
    async collect() {
      this.set(await tasks.countActive());
    },
  });
  feed.subscribe((change) => {
    if (change.kind !== 'timing') return;
    events.inc();
    const { task } = change;
    if (task?.state === 'ended' && task.outcome && task.durationSeconds !== null) {
      durations.observe({ outcome: task.outcome }, task.durationSeconds);
    }
  });
}
