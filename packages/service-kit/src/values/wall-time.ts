// A wall time is what the clock and the calendar of the machine's time zone show, written as the epoch milliseconds at which UTC shows
// the same. So its days have 24 hours each, and calendars are reckoned with it by the UTC functions of Date. The zone is that of the
// process, which the environment variable TZ names.

const MINUTE_MS = 60_000;

/** The wall time at an instant, in epoch milliseconds. Of an hour that comes twice in autumn, both instants have the same. */
export function wallTime(instant: number): number {
  return instant - new Date(instant).getTimezoneOffset() * MINUTE_MS;
}

/** The instant, in epoch milliseconds, at which the wall time is this: the first of two; of a time that spring skips, the one an hour later. */
export function instantOf(wall: number): number {
  const shown = new Date(wall);
  const local = new Date(0);
  local.setFullYear(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate());
  local.setHours(shown.getUTCHours(), shown.getUTCMinutes(), shown.getUTCSeconds(), shown.getUTCMilliseconds());
  return local.getTime();
}

/** The day of an instant on the calendar of the machine's time zone, such as 2026-11-30. @param instant epoch milliseconds */
export function dayOf(instant: number): string {
  return utcDay(wallTime(instant));
}

/** The day of an instant by UTC, and so that which a wall time shows. @param time epoch milliseconds */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * The IANA name of the machine's time zone, such as Europe/Berlin. Node has no name for some values of TZ: it counts by the offset of
 * `UTC+3`, which is west of Greenwich in POSIX and in `Etc/GMT+3`, and by UTC where TZ is empty or unknown to it.
 */
export function timeZoneName(): string {
  const name: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (name !== undefined && name !== 'Etc/Unknown') return name;
  const hours = new Date(0).getTimezoneOffset() / 60;
  if (hours === 0 || !Number.isInteger(hours) || Math.abs(hours) > 12) return 'UTC';
  return `Etc/GMT${hours > 0 ? '+' : ''}${hours}`;
}
