import type { CredentialName } from './credential-names.ts';
import { isMixed, isPlaceholder, isRandom, isSecretValue, isSecretWord, type Written } from './credential-values.ts';
import type { Found } from './found.ts';

const MOST_VALUE_CHARACTERS = 512;
const MOST_UNQUOTED_CHARACTERS = 160;
const MOST_REST_CHARACTERS = 16_384;
/** `" : "`, `=`, `: str =`, `] = `, `=>`, `:=`; of XML and of a call the value follows at once. */
const ASSIGNS =
  /\\{0,3}["'`]?\]?[ \t]{0,4}(?::[ \t]{0,4}[A-Za-z][\w.<>|[\]?]{0,30}[ \t]{0,4}(?==[^=>]))?(?:=>|:=|\?=|\+=|={1,3}|:)[ \t]{0,8}/y;
const NEXT_LINE_VALUE = /\r?\n[ \t]{1,16}(?=["'])/y;
const CALL = /\((?=\\?["'])/y;
const QUOTE = /[bfruBFRU]{0,2}(\\{0,3}["'`])/y;
/** Up to an "=" behind which something follows. */
const HEAD = /[\w.-]{1,64}(?==[\w.-])/y;
const UNQUOTED = /[^\s"'`,;<>(){}[\]|\\]{1,160}/y;
const UNQUOTED_REST = /[^\s"'`,;<>(){}[\]|\\]{0,16384}/y;
/** The next parameter of a query. */
const NEXT_PARAMETER = /&[\w.%-]{1,40}=/;
const ENVIRONMENT_VALUE = /[^\s"'`]{1,160}/y;
const ENVIRONMENT_REST = /[^\s"'`]{0,16384}/y;
const ENDS_VALUE = /[ \t]*(?:[&;,"'`})\]<]|\\[nrt"]|#|\/\/|--|\r?\n|$)/y;

/** The secret in `name = value` and the like; null when there is none. */
export function assignedSecret(text: string, name: CredentialName): Found | null {
  const assigned = endOf(ASSIGNS, text, name.end);
  if (assigned < 0) return markedSecret(text, name);
  const valueStart = Math.max(assigned, endOf(NEXT_LINE_VALUE, text, assigned));
  const sign = text.slice(name.end, valueStart);
  const isCapital = /^[A-Z][A-Z0-9_]*$/.test(text.slice(name.start, name.end));
  return valueAt(text, valueStart, { kind: name.kind, isEnvironment: isCapital && sign === '=' });
}

/** Behind `<password>`, `password("` and `--password `, the last of which may be a word in a sentence about the option. */
function markedSecret(text: string, name: CredentialName): Found | null {
  const { start, end, kind } = name;
  if (text.charAt(end) === '>' && text.charAt(start - 1) === '<')
    return valueAt(text, end + 1, { kind, isEnvironment: false });
  const called = endOf(CALL, text, end);
  if (called >= 0) return valueAt(text, called, { kind, isEnvironment: false });
  if (!text.startsWith('--', start) || text.charAt(end) !== ' ') return null;
  QUOTE.lastIndex = end + 1;
  if (QUOTE.test(text)) return valueAt(text, end + 1, { kind, isEnvironment: false });
  const wordEnd = endOf(WORD, text, end + 1);
  const isSecret = wordEnd >= 0 && isSecretWord(text.slice(end + 1, wordEnd), { kind, isQuoted: false });
  return isSecret ? { type: kind, start: end + 1, end: wordEnd } : null;
}

function valueAt(
  text: string,
  start: number,
  { kind, isEnvironment }: Pick<Written, 'kind' | 'isEnvironment'>,
): Found | null {
  QUOTE.lastIndex = start;
  const quote = QUOTE.exec(text)?.[1];
  if (quote !== undefined) {
    const from = QUOTE.lastIndex;
    const to = closing(text, from, { quote, limit: from + MOST_VALUE_CHARACTERS });
    const isSecret = isSecretValue(text.slice(from, to), { kind, isQuoted: true, isEnvironment, isAlone: true });
    if (!isSecret) return null;
    const isCut = to === from + MOST_VALUE_CHARACTERS;
    return {
      type: kind,
      start: from,
      end: isCut ? closing(text, to, { quote, limit: to + MOST_REST_CHARACTERS }) : to,
    };
  }
  // "token=token=...": a word that is no secret has another name behind it, or the same one.
  const head = endOf(HEAD, text, start);
  if (head >= 0 && isPlaceholder(text.slice(start, head))) return null;
  const end = endOf(isEnvironment ? ENVIRONMENT_VALUE : UNQUOTED, text, start);
  if (end < 0) return null;
  const next = text.charAt(end);
  // A call, an index: an expression and no value.
  if (next === '(' || next === '[' || next === '{') return null;
  const isCut = end - start === MOST_UNQUOTED_CHARACTERS;
  const value = unquotedValue(text.slice(start, end), { kind, isEnvironment, isCut });
  const isAlone = isCut || endOf(ENDS_VALUE, text, start + value.length) >= 0;
  if (!isSecretValue(value, { kind, isQuoted: false, isEnvironment, isAlone })) return null;
  const valueEnd = isCut ? endOf(isEnvironment ? ENVIRONMENT_REST : UNQUOTED_REST, text, end) : start + value.length;
  return { type: kind, start, end: valueEnd };
}

/** Without the next parameter of a query, and without what ends a sentence. Of one that is cut off, the part up to the first "=". */
function unquotedValue(
  text: string,
  { kind, isEnvironment, isCut }: Pick<Written, 'kind' | 'isEnvironment'> & { readonly isCut: boolean },
): string {
  if (isCut) return text.split('=', 1)[0] as string;
  if (isEnvironment) return text;
  const parameter = text.search(NEXT_PARAMETER);
  const value = parameter < 0 ? text : text.slice(0, parameter);
  return value.replace(kind === 'password' ? /[.:]+$/ : /[.:!?]+$/, '');
}

/** The place of the closing quote, or the end of the line where it is missing. */
function closing(
  text: string,
  from: number,
  { quote, limit }: { readonly quote: string; readonly limit: number },
): number {
  const end = Math.min(text.length, limit);
  for (let index = from; index < end; index++) {
    const character = text.charAt(index);
    if (character === '\n') return index;
    if (character === quote.charAt(0) && text.startsWith(quote, index)) return index;
    if (character === '\\' && quote.length === 1) index++;
  }
  return end;
}

/** "is", "was", "to", also behind "for the database"; the value may be quoted. */
const SAYS =
  /(?:[ \t]{1,3}(?:for|of|to|on|in)[ \t][^\n.;:!?"']{1,60}?)?[ \t]{0,3}(?:[ \t](?:(?:is|was):?|will be|should be|has been(?: set to| changed to)?|set to|changed to|to|now|equals|ist|lautet|war|es|est)|:|=)[ \t]{1,3}(?:(?:now|still|currently|again|just|simply)[ \t])?(["'`“„«]?)/y;
const BESIDE = /[ \t]{1,2}(?:[-–—→][ \t])?["'`“„«]?/y;
const WORD = /[^\s"'`”“»]{1,200}/y;
const UNIT =
  /[ \t]{1,2}(?:characters?|chars?|bytes?|bits?|digits?|letters?|seconds?|minutes?|hours?|days?|times|words?|algorithms?|encod|format)/y;
/** "use hunter2 as the admin password", "hunter2 is the password": the verb, and how many words may follow it. */
const VERBS: ReadonlySet<string> = new Set(['as', 'is', 'was']);
const WORDS_BEHIND_VERB = 4;
const BEFORE_CHARACTERS = 120;

/** The secret in a sentence about the name; null when there is none. */
export function toldSecret(text: string, name: CredentialName): Found | null {
  SAYS.lastIndex = name.end;
  const said = SAYS.exec(text);
  if (said) {
    const start = SAYS.lastIndex;
    const isQuoted = said[1] !== '';
    const end = endOf(WORD, text, start);
    const told = end < 0 ? '' : text.slice(start, end);
    const word = isQuoted ? told : trimmed(told);
    if (isSecretWord(word, { kind: name.kind, isQuoted }) && endOf(UNIT, text, start + word.length) < 0)
      return { type: name.kind, start, end: start + word.length };
  }
  return name.kind === 'password' ? (saidBeside(text, name.end) ?? saidBefore(text, name.start)) : null;
}

/** "log in with the password abc123xyz": no verb says that it is one, so that it has to look like one. */
function saidBeside(text: string, nameEnd: number): Found | null {
  const start = endOf(BESIDE, text, nameEnd);
  const end = start < 0 ? -1 : endOf(WORD, text, start);
  if (end < 0) return null;
  const word = trimmed(text.slice(start, end));
  return isMixed(word) && isSecretWord(word, { kind: 'password', isQuoted: false })
    ? { type: 'password', start, end: start + word.length }
    : null;
}

function saidBefore(text: string, nameStart: number): Found | null {
  if (text.charAt(nameStart - 1) !== ' ') return null;
  let end = nameStart - 1;
  const limit = Math.max(0, nameStart - BEFORE_CHARACTERS);
  for (let words = 0; words <= WORDS_BEHIND_VERB && end > limit; words++) {
    const start = wordStart(text, end, limit);
    if (VERBS.has(text.slice(start, end))) return saidWord(text, { limit, end: start - 1 });
    end = start - 1;
  }
  return null;
}

/** The secret that ends at `end`, quoted or not. */
function saidWord(text: string, { limit, end }: { readonly limit: number; readonly end: number }): Found | null {
  const wordEnd = /["'`]/.test(text.charAt(end - 1)) ? end - 1 : end;
  const start = wordStart(text, wordEnd, limit);
  const from = /["'`]/.test(text.charAt(start)) ? start + 1 : start;
  const isSecret =
    from < wordEnd && isSecretWord(text.slice(from, wordEnd), { kind: 'password', isQuoted: from > start });
  return isSecret ? { type: 'password', start: from, end: wordEnd } : null;
}

function wordStart(text: string, end: number, limit: number): number {
  let start = end;
  // Of ASCII: blanks, and what is below them.
  while (start > limit && text.charCodeAt(start - 1) > 0x20) start--;
  return start;
}

/** Without what ends a sentence; a sign of a password in front of it stays. */
function trimmed(word: string): string {
  return word.replace(/[.,;:)\]]+$/, '').replace(/^[([]/, '');
}

const NEAR_CHARACTERS = 40;
const LEAST_NEAR = 20;
const OF_SOMETHING_ELSE =
  /commit|sha|hash|digest|checksum|integrity|revision|fingerprint|image|blob|uuid|\bid\b|trace|span|build/i;
/** Lengths of digests of git and of images. */
const UUID_START = /^[0-9a-f]{8}-/i;
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A random text near behind the name, on its line: "the new token 9f86d0...". */
export function nearbySecret(text: string, name: CredentialName): Found | null {
  // Within a word or base64 there is no name.
  if (!/[\s"'`:(,]/.test(text.charAt(name.end)) || /[+/=]/.test(text.charAt(name.start - 1))) return null;
  const limit = Math.min(text.length, name.end + NEAR_CHARACTERS);
  for (let index = name.end; index < limit; ) {
    const code = text.charCodeAt(index);
    if (code === 0x0a) return null;
    if (!isKeyCharacter(code)) {
      index++;
      continue;
    }
    let end = index + 1;
    while (end < text.length && end - index < MOST_VALUE_CHARACTERS && isKeyCharacter(text.charCodeAt(end))) end++;
    if (end - index >= LEAST_NEAR)
      return isNearbySecret(text, name, { start: index, end }) ? { type: 'credential', start: index, end } : null;
    index = end;
  }
  return null;
}

function isNearbySecret(text: string, name: CredentialName, { start, end }: Pick<Found, 'start' | 'end'>): boolean {
  const between = text.slice(name.end, start);
  const value = text.slice(start, end);
  return (
    !value.startsWith('/') &&
    !/[/@:.]$/.test(between) &&
    !OF_SOMETHING_ELSE.test(between) &&
    !DIGEST.test(value) &&
    !UUID_START.test(value) &&
    isRandom(value)
  );
}

/** Letters, digits and + - / _ */
function isKeyCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2f && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x5f
  );
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
