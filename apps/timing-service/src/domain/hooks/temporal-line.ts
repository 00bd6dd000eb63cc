/** How long one type of task takes; seconds. */
export interface Habit {
  readonly taskType: string;
  readonly medianSeconds: number;
  /** Null: it lies beyond everything seen. */
  readonly p95Seconds: number | null;
  readonly runs: number;
  /** The type has changed, and these are the runs since then. */
  readonly areNewest: boolean;
}

export interface Temporal {
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Whether the zone is that of the server, because the request names none. */
  readonly isServerZone: boolean;
  /** Seconds since the message before this one; null for the first. */
  readonly sinceLastSeconds: number | null;
  readonly habits: readonly Habit[];
}

/** Shorter ones are no pause. */
const LEAST_PAUSE_SECONDS = 60;

/** What a model is told about time: plain facts, each with its date, because a host replays them later. */
export function temporalLine({ nowMs, timeZone, isServerZone, sinceLastSeconds, habits }: Temporal): string {
  const zone = isServerZone ? `${timeZone}, the server's time zone` : timeZone;
  const sentences = [`It is ${wallClock(nowMs, timeZone)} (${zone}).`];
  if (sinceLastSeconds !== null && sinceLastSeconds >= LEAST_PAUSE_SECONDS) {
    sentences.push(`The user's last message was ${shortDuration(sinceLastSeconds)} ago.`);
  }
  for (const habit of habits) sentences.push(habitSentence(habit));
  return sentences.join(' ');
}

function habitSentence({ taskType, medianSeconds, p95Seconds, runs, areNewest }: Habit): string {
  const p95 = p95Seconds === null ? 'longer than any so far' : shortDuration(p95Seconds);
  const of = areNewest ? `the newest ${runs} runs` : `${runs} runs`;
  return `\`${taskType.replaceAll('`', "'")}\` takes ${shortDuration(medianSeconds)} (median), p95 ${p95}, ${of}.`;
}

/** `Sunday 2026-11-22 10:35`. @throws RangeError for what is no time zone */
function wallClock(nowMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(nowMs);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('weekday')} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}

const UNITS = [
  { name: 'd', seconds: 86_400, from: 3 * 86_400 },
  { name: 'h', seconds: 3_600, from: 2 * 3_600 },
  { name: 'min', seconds: 60, from: 120 },
] as const;

/** In the largest unit of which there are at least two: `38 s`, `12 min`, `40 h`, `5 d`. */
function shortDuration(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const unit = UNITS.find(({ from }) => seconds >= from);
  return unit ? `${Math.round(seconds / unit.seconds)} ${unit.name}` : `${Math.round(seconds)} s`;
}
