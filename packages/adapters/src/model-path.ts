import type { Place } from './collection.ts';

const ROOT = 'memories';
const MOST_PATH_CHARACTERS = 1_000;

/** @throws Error for a path that is not below /memories, or looks as if it led out of it */
export function placeOf(path: unknown): Place {
  if (typeof path !== 'string' || path === '')
    throw new Error('The path is missing: give one that starts with /memories.');
  const refused = (why: string) => new Error(`The path ${path.slice(0, MOST_PATH_CHARACTERS)} ${why}`);
  if (path.length > MOST_PATH_CHARACTERS) throw refused(`is longer than ${MOST_PATH_CHARACTERS} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that no path may hold
  if (/[\x00-\x1f\x7f-\x9f\\]/.test(path)) throw refused('holds a backslash or a control character: leave it out.');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.some((name) => /^(?:\.|%2e){2}$|%2f|%5c|%00/i.test(name))) {
    throw refused('would lead out of the /memories directory: write it without ".." and without %-codes.');
  }
  if (!path.startsWith('/') || names[0] !== ROOT) throw refused('does not start with /memories.');
  return names;
}

export function pathOf(place: Place): string {
  return `/${place.join('/')}`;
}
