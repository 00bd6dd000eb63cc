import type { components } from '../api.gen.ts';

type Schemas = components['schemas'];

/** Two digits that mean something: "0.34 s", "38 s", "2 min 5 s", "3 h 20 min", "2 d 4 h". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  if (whole < 7_200) return both(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 2_880) return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(seconds / 3_600);
  return both(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function both(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** "38 s mostly, p95 71 s (24 runs)" */
export function usual({ median_seconds, p95_seconds, count }: Schemas['Summary']): string {
  return `${duration(median_seconds)} mostly, p95 ${duration(p95_seconds)} (${runs(count)})`;
}

export function runs(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}

/** "npm test, running for 38 s (correlation_id abc)" */
export function running(active: Schemas['Event'] & { readonly elapsed_seconds: number }): string {
  const { task_type, elapsed_seconds, correlation_id } = active;
  return `${task_type ?? 'a task'}, running for ${duration(elapsed_seconds)} (correlation_id ${correlation_id})`;
}

type Approach = Schemas['Comparison']['approaches'][number];

/** The approaches from the fastest on, with how likely each of them is that. */
export function comparisonInWords({ approaches, recommendation, verdict }: Schemas['Comparison']): string {
  const lines = [...approaches]
    .sort((a, b) => (a.mean_seconds ?? Number.POSITIVE_INFINITY) - (b.mean_seconds ?? Number.POSITIVE_INFINITY))
    .map(approachInWords);
  const said = {
    clear: `Take ${recommendation}.`,
    too_close_to_call: 'The difference may be chance, or is too small to matter: choose by something else.',
    insufficient_data: 'There is too little history to tell: add estimates, or time a run of each.',
  };
  return [said[verdict], ...lines].join('\n');
}

function approachInWords({ name, steps, mean_seconds, p95_seconds, probability_fastest }: Approach): string {
  if (mean_seconds === null || p95_seconds === null) return `- ${name}: a step has neither history nor estimate`;
  const scaled = steps
    .filter(({ source }) => source === 'scaled_estimate')
    .map(({ task_type, estimated_seconds }) => `${task_type} ${duration(estimated_seconds ?? 0)}`);
  const corrected =
    scaled.length === 0 ? '' : `; corrected by what came of your estimates so far: ${scaled.join(', ')}`;
  return `- ${name}: ${duration(mean_seconds)} on average, p95 ${duration(p95_seconds)}, the fastest with a probability of ${Math.round((probability_fastest ?? 0) * 100)} %${corrected}`;
}
