import type { Found } from './found.ts';

/** The start of a block with a private key (RFC 7468, RFC 4880 6.2, OpenSSH's PROTOCOL.key). */
export const KEY_BLOCK_START = '-----BEGIN ';

const HEADER = /-----BEGIN (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----/y;
/** Between two lines: line breaks, also escaped ones as in JSON, and what quotes lines in code. */
const BETWEEN = /(?:\s|\\{1,4}[nrt]|["'`+,>|]){1,80}/y;
const LINE = /[A-Za-z0-9+/=]{1,20000}/y;
/** As in RFC 1421 4.6 and RFC 4880 6.2. */
const FIELD = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\n\\"]{0,200}/y;
/** A shorter one is an example such as "..." or a word of a sentence. */
const LEAST_KEY_CHARACTERS = 24;
const FULL_LINE_CHARACTERS = 16;

/** A private key that begins at `start`, as far as it goes: its end line may be missing. */
export function keyBlockAt(text: string, start: number): Found | null {
  let end = endOf(HEADER, text, start);
  if (end < 0) return null;
  let characters = 0;
  let isEnded = false;
  for (;;) {
    const next = Math.max(end, endOf(BETWEEN, text, end));
    const endLine = endOf(END, text, next);
    if (endLine >= 0) {
      end = endLine;
      isEnded = true;
      break;
    }
    const field = endOf(FIELD, text, next);
    const line = field >= 0 ? field : endOf(LINE, text, next);
    if (line < 0) break;
    const isShort = field < 0 && line - next < FULL_LINE_CHARACTERS;
    const closing = isShort ? endOf(END, text, Math.max(line, endOf(BETWEEN, text, line))) : -1;
    // Behind full lines the shorter last one belongs to the key; a word of a sentence does not.
    if (isShort && closing < 0 && (characters === 0 || text.charAt(line) === ' ')) break;
    if (field < 0) characters += line - next;
    end = Math.max(line, closing);
    isEnded = closing >= 0;
    if (isShort) break;
  }
  return characters >= LEAST_KEY_CHARACTERS || (isEnded && characters > 0) ? { type: 'private-key', start, end } : null;
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
