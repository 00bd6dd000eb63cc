/**
 * Numbers and instants as people read them. Pure: no DOM, no clock.
 */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const DASH = '–';

/** @param {number} value */
const twoDigits = (value) => String(value).padStart(2, '0');

/** @param {number | null | undefined} value @returns {value is number} */
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** @param {number} wholeSeconds from one minute on */
function longDuration(wholeSeconds) {
  if (wholeSeconds < HOUR) {
    return `${Math.floor(wholeSeconds / MINUTE)} min ${twoDigits(wholeSeconds % MINUTE)} s`;
  }
  const minutes = Math.round(wholeSeconds / MINUTE);
  if (minutes < DAY / MINUTE) {
    return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
  }
  const hours = Math.round(wholeSeconds / HOUR);
  return `${Math.floor(hours / 24)} d ${twoDigits(hours % 24)} h`;
}

/**
 * A measured duration: 350 ms, 12.3 s, 4 min 05 s, 2 h 10 min, 3 d 04 h.
 * @param {number | null | undefined} seconds
 */
export function formatDuration(seconds) {
  if (!isNumber(seconds)) return DASH;
  const value = Math.max(0, seconds);
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 59.95) return `${value.toFixed(1)} s`;
  return longDuration(Math.round(value));
}

/**
 * A duration that is still growing, in whole seconds so that it does not flicker.
 * @param {number} seconds
 */
export function formatElapsed(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return whole < MINUTE ? `${whole} s` : longDuration(whole);
}

/**
 * For axes: 10 ms, 5 s, 2 min, 6 h.
 * @param {number} seconds
 */
export function formatTick(seconds) {
  if (seconds < 1) return `${Number((seconds * 1000).toPrecision(2))} ms`;
  if (seconds < MINUTE) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < HOUR) return `${Number((seconds / MINUTE).toPrecision(2))} min`;
  if (seconds < DAY) return `${Number((seconds / HOUR).toPrecision(2))} h`;
  return `${Number((seconds / DAY).toPrecision(2))} d`;
}

/** @param {readonly [number | null, number | null] | null | undefined} interval seconds */
export function formatInterval(interval) {
  if (!interval || !isNumber(interval[0])) return DASH;
  if (!isNumber(interval[1])) return `from ${formatDuration(interval[0])}`;
  return `${formatDuration(interval[0])} – ${formatDuration(interval[1])}`;
}

/** Two digits are enough for the ends of an interval in a table. @param {readonly [number | null, number | null] | null | undefined} interval */
export function formatShortInterval(interval) {
  if (!interval || !isNumber(interval[0])) return '';
  if (!isNumber(interval[1])) return `≥ ${formatTick(interval[0])}`;
  return `${formatTick(interval[0])} – ${formatTick(interval[1])}`;
}

/** @param {number | null | undefined} share 0 to 1 */
export function formatShare(share) {
  if (!isNumber(share)) return DASH;
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  return `${percent < 10 && percent > 0 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** @param {number} count */
export const formatCount = (count) => count.toLocaleString('en');

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Where there is little room: 946, 1.8K, 20K. @param {number} count */
export const formatCompact = (count) => compact.format(count);

/** @param {number} count @param {string} singular @param {string} [plural] */
export const countOf = (count, singular, plural = `${singular}s`) =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const hourAndMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** @param {number} epochMs @param {number} nowMs */
export function formatTime(epochMs, nowMs) {
  return nowMs - epochMs < 12 * HOUR * 1000 ? timeOfDay.format(epochMs) : dayAndTime.format(epochMs);
}

/** @param {number} epochMs */
export const formatClock = (epochMs) => timeOfDay.format(epochMs);

/** @param {number} epochMs */
export const formatMinute = (epochMs) => hourAndMinute.format(epochMs);

/** @param {number} epochMs */
export const formatDayAndMonth = (epochMs) => dayAndMonth.format(epochMs);

/**
 * Metadata on one line, cut where a table cell would cut it anyway.
 * @param {unknown} metadata
 */
export function formatMetadata(metadata) {
  if (metadata === null || metadata === undefined) return '';
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
