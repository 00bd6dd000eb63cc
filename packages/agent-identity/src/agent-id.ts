/** All agents, for operations that may read for all of them; see {@link requireOneAgent}. */
export const ANY_AGENT = '*';

/** All projects, for operations that only ask; see {@link requireOneProject}. */
export const ANY_PROJECT = '*';

/** Longest id in characters (code points): room for any `{name}-{tool}`, small enough for an index and a log line. */
export const MAX_ID_CHARACTERS = 128;

/** Control characters (Unicode Cc) and halves of surrogate pairs (Cs), which a UTF-8 database cannot store unchanged. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/**
 * What shows nothing: zero-width characters, marks of direction, fillers (Unicode Default_Ignorable_Code_Point and Cf), and the separators
 * of lines and paragraphs (Zl and Zp), which break a line in some programs and are nothing in a browser.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What such characters are meant for: parts of an emoji and of a keycap, and joiners between the letters of scripts that join. */
const JOINED = [
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu,
  /[0-9#*]\ufe0f\u20e3/gu,
  /(?<=[\p{Script_Extensions=Arabic}\p{Mark}])[\u200c\u200d](?=\p{Letter})/gu,
];

/** An agent id, session id or project that cannot be used; `field` says where it came from and the message says what to do. */
export class InvalidIdentityError extends Error {
  /** Where the id stood: 'query agent_id', 'body session_id', 'header X-Agent-ID' ... */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'InvalidIdentityError';
    this.field = field;
  }
}

/**
 * Returns a valid agent id unchanged: 1 to 128 characters, no control characters, no blank at either end.
 * `{name}-{tool}` is the recommended form; others are accepted, and so is `*`.
 * @throws InvalidIdentityError
 */
export function parseAgentId(value: string, field: string): string {
  return checkedId(value, { field, example: 'claude-editor' });
}

/** A session id: the same rules as for an agent id, and `*` means nothing special. @throws InvalidIdentityError */
export function parseSessionId(value: string, field: string): string {
  return checkedId(value, { field, example: 'session-42' });
}

/** The name of a project: the same rules as for an agent id, and so is `*`. @throws InvalidIdentityError */
export function parseProject(value: string, field: string): string {
  return checkedId(value, { field, example: 'web-shop' });
}

/** What is wrong with a name in which there is a character that nobody sees, to be put behind the place of the name; else null. */
export function invisibleFault(name: string): string | null {
  const found = JOINED.reduce((rest, joined) => rest.replace(joined, ''), name).match(INVISIBLE)?.[0];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return `contains the invisible character U+${code}: send the name without it`;
}

/** @throws InvalidIdentityError for a name with a character that nobody sees */
export function checkVisible(name: string, field: string): void {
  const fault = invisibleFault(name);
  if (fault !== null) throw new InvalidIdentityError(field, `${field} ${fault}.`);
}

function checkedId(value: string, { field, example }: { field: string; example: string }): string {
  const reject = (fault: string): never => {
    const rule = `1 to ${MAX_ID_CHARACTERS} characters, no control characters, no blank at either end, such as "${example}"`;
    throw new InvalidIdentityError(field, `${field} ${fault}: send ${rule}.`);
  };
  if (value === '') reject('is empty');
  // A string of n UTF-16 units has at most n code points, so most ids need no counting.
  if (value.length > MAX_ID_CHARACTERS && codePointCount(value) > MAX_ID_CHARACTERS) reject('is too long');
  if (FORBIDDEN.test(value)) reject('contains control characters');
  if (value.trim() !== value) reject('begins or ends with a blank');
  return value;
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
