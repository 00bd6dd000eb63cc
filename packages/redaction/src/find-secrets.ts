import { CREDENTIAL_WORDS, isNameCharacter, readName } from './credential-names.ts';
import { assignedSecret, nearbySecret, toldSecret } from './credentials.ts';
import type { Found } from './found.ts';
import { authorizationAt, basicAt, bearerAt, cookieAt } from './headers.ts';
import { KEY_BLOCK_START, keyBlockAt } from './key-blocks.ts';
import { type Literal, LiteralScanner } from './literal-scanner.ts';
import { PROVIDER_RULES, type ProviderRule } from './provider-table.ts';
import { curlPasswordAt, urlPasswordAt } from './url-passwords.ts';

/** Characters per step: less than 5 ms for the worst text. */
const STRETCH = 16_384;

/** Checks the text at the place of a literal. */
type Look = (text: string, start: number, literal: string, pass: Pass) => Found | null;

/** The state of one pass over a text. */
interface Pass {
  /** Up to here the names of credentials were read: a name is read once, however many words it has. */
  namesRead: number;
}

const LOOKS: readonly Literal<Look>[] = [
  { text: KEY_BLOCK_START, ignoresCase: false, value: keyBlockAt },
  { text: '://', ignoresCase: false, value: urlPasswordAt },
  { text: '-u', ignoresCase: false, value: curlPasswordAt },
  { text: '--user', ignoresCase: false, value: curlPasswordAt },
  { text: '--proxy-user', ignoresCase: false, value: curlPasswordAt },
  ...PROVIDER_RULES.flatMap((rule) =>
    rule.literals.map((text) => ({ text, ignoresCase: false, value: providerLook(rule) })),
  ),
  { text: 'authorization', ignoresCase: true, value: authorizationAt },
  { text: 'bearer', ignoresCase: true, value: bearerAt },
  { text: 'basic', ignoresCase: true, value: basicAt },
  { text: 'cookie', ignoresCase: true, value: cookieAt },
  ...Object.keys(CREDENTIAL_WORDS).map((text) => ({ text, ignoresCase: true, value: credentialAt })),
];

const SCANNER = new LiteralScanner(LOOKS);

/**
 * The secrets of a text, in order, none within another.
 * @complexity linear: about 5 ns a character of ordinary text; no pattern has an unbounded part that another could repeat
 */
export function findSecrets(text: string): Found[] {
  return atOnce(findSecretsInSteps(text));
}

/** The same as `findSecrets`, one stretch of the text per step. */
export function* findSecretsInSteps(text: string): Generator<void, Found[]> {
  const found: Found[] = [];
  const pass: Pass = { namesRead: 0 };
  for (let start = 0; start < text.length; ) {
    if (start > 0) yield;
    start = SCANNER.scan(text, { start, end: start + STRETCH }, (look, at, literal) => {
      const one = look(text, at, literal.text, pass);
      if (!one) return 0;
      // A secret before its name ("hunter2 is the password") may be found already.
      const last = found.at(-1);
      if (last && one.start < last.end) return 0;
      found.push(one);
      return Math.max(one.end, at);
    });
  }
  return found;
}

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function providerLook({ type, pattern, before = [0], keepsLiteral }: ProviderRule): Look {
  const sticky = new RegExp(pattern.source, 'y');
  return (text, literalStart, literal) => {
    for (const distance of before) {
      const start = keepsLiteral ? literalStart + literal.length : literalStart - distance;
      if (start < 0 || (!keepsLiteral && isWithinWord(text, start))) continue;
      sticky.lastIndex = start;
      if (sticky.test(text)) return { type, start, end: sticky.lastIndex };
    }
    return null;
  };
}

/** What an escape leaves in front of a word: "\n", "%3D", "\u003d", the end of a colour of a terminal. */
const ESCAPE = /(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{1,8}m)$/;
const ESCAPE_CHARACTERS = 10;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const SMALL_M = 0x6d;

/** Within a run of the characters that keys are made of, nothing begins: each run is tried once. */
function isWithinWord(text: string, start: number): boolean {
  if (start === 0 || !isNameCharacter(text.charCodeAt(start - 1))) return false;
  const mayBeEscape =
    text.charCodeAt(start - 2) === BACKSLASH ||
    text.charCodeAt(start - 3) === PERCENT ||
    text.charCodeAt(start - 6) === BACKSLASH ||
    text.charCodeAt(start - 1) === SMALL_M;
  return !mayBeEscape || !ESCAPE.test(text.slice(Math.max(0, start - ESCAPE_CHARACTERS), start));
}

function credentialAt(text: string, start: number, word: string, pass: Pass): Found | null {
  if (start < pass.namesRead) return null;
  const { name, resume } = readName(text, start, word);
  pass.namesRead = resume;
  return name && (assignedSecret(text, name) ?? toldSecret(text, name) ?? nearbySecret(text, name));
}
