import { timeZoneName, wallTime } from '@agent-faculties/service-kit';
import type { components } from '../api.gen.ts';
import type { History, Tried } from './history.ts';

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

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

/** What the clock and the calendar of the machine show: "Saturday 2026-11-28 20:00". */
export function localTime(now: string): string {
  const wall = wallTime(Date.parse(now));
  return `${WEEKDAY.format(wall)} ${new Date(wall).toISOString().slice(0, 16).replace('T', ' ')}`;
}

/**
 * "It is 2026-11-22T09:35:00.000000+00:00, a Sunday.": models reckon days of the week wrong, and plans speak of them. Where the machine shows
 * another time than UTC, that follows: a date in a text is one of the people there, who may still have the day before.
 */
export function clockInWords(now: string): string {
  const inUtc = `It is ${now}, a ${WEEKDAY.format(Date.parse(now))}.`;
  if (wallTime(Date.parse(now)) === Date.parse(now)) return inUtc;
  return `${inUtc} In ${timeZoneName()}, the time zone of this server, it is ${localTime(now)}.`;
}

/** "38 s mostly, p95 71 s (24 runs)" */
export function usual({ median_seconds, p95_seconds, at_least, count }: Schemas['Summary']): string {
  const p95 = `${at_least?.includes('p95_seconds') ? 'at least ' : ''}${duration(p95_seconds)}`;
  return `${duration(median_seconds)} mostly, p95 ${p95} (${runs(count)})`;
}

/** "Since 2026-11-19 18:00 UTC it takes 110 s mostly (80 % of runs: 53 s to 2 min 59 s): plan by that." Empty for null. */
export function ofLate(recent: Schemas['DurationEstimate'] | null): readonly string[] {
  if (recent === null || recent.seconds === null) return [];
  const since = `${recent.since?.slice(0, 16).replace('T', ' ')} UTC`;
  return [`It has changed: since ${since} it takes ${duration(recent.seconds)} mostly${range(recent)}. Plan by that.`];
}

/** " (80 % of runs: 53 s to 2 min 59 s)"; empty where nothing tells. */
export function range({ interval: [low, high], coverage }: Schemas['DurationEstimate']): string {
  if (low == null || high == null || coverage === null) return '';
  return ` (${Math.round(coverage * 100)} % of runs: ${duration(low)} to ${duration(high)})`;
}

/** "In other projects it takes 38 s mostly, p95 71 s (24 runs): expect with project "*" says more."; empty for null. */
export function elsewhere(summary: Schemas['Summary'] | null, where: 'other projects' | 'all projects'): string {
  return summary === null ? '' : `In ${where} it takes ${usual(summary)}: expect with project "*" says more.`;
}

function ended(outcome: Tried['outcome'], count: number): string {
  if (outcome === 'cancelled') return count === 1 ? 'was cancelled' : 'were cancelled';
  return outcome === 'error' ? 'failed' : 'timed out';
}

/** "Beside these, 3 failed, 9 timed out and 1 was cancelled."; empty where all ended ok. */
export function endedOtherwise({ outcomes }: Schemas['Summary']): readonly string[] {
  const others = (['error', 'timeout', 'cancelled'] as const).filter((outcome) => outcomes[outcome] > 0);
  if (others.length === 0) return [];
  const parts = others.map((outcome) => `${outcomes[outcome]} ${ended(outcome, outcomes[outcome])}`);
  const last = parts.pop();
  return [`Beside these, ${parts.length === 0 ? '' : `${parts.join(', ')} and `}${last}.`];
}

/** "12 runs failed, after 8.5 s mostly; 3 runs timed out, after 60 s at most." Empty where there is none. */
export function triedInWords(tried: readonly Tried[]): string {
  const parts = tried.map(({ outcome, summary: { count, median_seconds, max_seconds } }) => {
    const after = outcome === 'error' ? `${duration(median_seconds)} mostly` : `${duration(max_seconds)} at most`;
    return `${runs(count)} ${ended(outcome, count)}, after ${after}`;
  });
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
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
export function comparisonInWords(
  { approaches, recommendation, verdict, on_average, warning }: Schemas['Comparison'],
  of: History['of'],
): string {
  // One way alone is not the fastest of anything.
  const isRace = approaches.filter(({ ranked }) => ranked).length > 1;
  const lines = [...approaches]
    .sort((a, b) => (a.mean_seconds ?? Number.POSITIVE_INFINITY) - (b.mean_seconds ?? Number.POSITIVE_INFINITY))
    .map((approach) => approachInWords(approach, { isRace }));
  const average = on_average && onAverage(on_average);
  const isSure = (on_average?.interval[0] ?? 0) > 0;
  const said = {
    clear:
      warning === null
        ? `Take ${recommendation}.`
        : `Take ${recommendation}. It is mostly the fastest and now and then very slow: ${average}.`,
    too_close_to_call: isSure
      ? `Which is mostly the fastest is too close to call, but ${average}: take that where many runs add up.`
      : 'The difference may be chance, or is too small to matter: choose by something else.',
    insufficient_data:
      'There is too little history to tell: a step has fewer than five runs. Time more, and take these figures for guesses.',
  };
  const pooled = of === 'all agents' ? ' (By the runs of all agents.)' : '';
  return [`${said[verdict]}${pooled}`, ...lines].join('\n');
}

/** "on average sure takes 38 s less than gamble (95 %: 5 s to 71 s)" */
function onAverage({ approach, other, difference_seconds, interval: [low, high] }: Schemas['MeanDifference']): string {
  const said = `on average ${approach} takes ${duration(difference_seconds)} less than ${other}`;
  if (low == null || low <= 0) return `${said} so far, which may be chance`;
  return high == null ? said : `${said} (95 %: ${duration(low)} to ${duration(high)})`;
}

function approachInWords(
  { name, steps, mean_seconds, p95_seconds, at_least, probability_fastest }: Approach,
  { isRace }: { isRace: boolean },
): string {
  if (mean_seconds === null || p95_seconds === null) {
    return `- ${name}: a step has neither a run that ended ok nor an estimate${failures(steps)}`;
  }
  const scaled = steps
    .filter(({ source }) => source === 'scaled_estimate')
    .map(({ task_type, estimated_seconds: said, adjusted_seconds: made }) => {
      return `${task_type} from ${duration(said ?? 0)} to ${duration(made ?? 0)}`;
    });
  const corrected =
    scaled.length === 0 ? '' : `; corrected by what came of your estimates so far: ${scaled.join(', ')}`;
  const figure = (key: 'mean_seconds' | 'p95_seconds', seconds: number) =>
    `${at_least?.includes(key) ? 'at least ' : ''}${duration(seconds)}`;
  const percent = `${at_least ? 'at most ' : ''}${Math.round((probability_fastest ?? 0) * 100)} %`;
  const fastest = isRace ? `, the fastest with a probability of ${percent}` : '';
  return `- ${name}: ${figure('mean_seconds', mean_seconds)} on average, p95 ${figure('p95_seconds', p95_seconds)}${fastest}${corrected}${failures(steps)}`;
}

/** "; of 40 runs of npm test, 10 failed": a failure and another try are in no total. Empty where none failed. */
function failures(steps: Approach['steps']): string {
  const failed = new Map(steps.map((step) => [step.task_type, step]));
  return [...failed.values()]
    .filter(({ failed_count = 0 }) => failed_count > 0)
    .map(({ task_type, sample_count, failed_count = 0 }) => {
      return `; of ${runs(sample_count + failed_count)} of ${task_type}, ${failed_count} failed`;
    })
    .join('');
}
