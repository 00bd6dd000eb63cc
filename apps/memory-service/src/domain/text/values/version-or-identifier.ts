import { stemOf, type Word } from '../words/words.ts';
import { CLOCK } from './clock.ts';
import { NUMBER, NUMBER_WORDS, UNITS } from './number.ts';
import { lowerAt, type Value } from './value.ts';

const VERSION = /^v?\d+(?:\.\d+){2,}$|^v\d+(?:\.\d+)*$/;
const IDENTIFIER = /^(?=.*\d)(?=.*\p{L})[\p{L}\d]+(?:[-_/.][\p{L}\d]+)*$/u;
const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/;
/** Words before a number that identifies one of several things: "ticket 88213", "bed 4". */
export const LABELS: ReadonlySet<string> = new Set(
  `ticket bed room line bus platform gate flight lane build node page chapter section unit block floor number no phase
  task issue pr release episode hall track locker apartment flat house seat row table plot court week round batch lot q
  version schema change rev revision level zone pump oven shed machine order bug parcel train stage invoice case stand
  model branch desk exercise problem chapter clause lesson route trail`.split(/\s+/),
);
export const VERSIONED = new Set('version release v'.split(' '));

/** Versions, identifiers, and labels with their number. */
export function namedAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  if (VERSION.test(lower)) {
    return { kind: 'version', value: lower.replace(/^v/, ''), unit: versionedBy(words, at), from: at, to: at };
  }
  const number = numberedAt(words, at + 1);
  if (LABELS.has(lower) && number !== null && !isProduct(words, at) && !UNITS.has(lowerAt(words, at + 2))) {
    const kind = VERSIONED.has(lower) ? 'version' : 'identifier';
    return { kind, value: number, unit: stemOf(lower), from: at, to: at + 1 };
  }
  const before = words[at - 1];
  if (
    before &&
    namesVersioned(before, words[at + 1]) &&
    (/^\d+\.\d+$/.test(lower) || (/^\d{1,2}$/.test(lower) && isRun(words, at))) &&
    !UNITS.has(lowerAt(words, at + 1))
  ) {
    return { kind: 'version', value: lower, unit: before.stem, from: at, to: at };
  }
  if (!IDENTIFIER.test(lower) || NUMBER.test(lower) || ORDINAL.test(lower) || CLOCK.test(lower)) return null;
  return { kind: 'identifier', value: lower, unit: lower.replace(/\d+/g, '0'), from: at, to: at };
}

/** Whether "Node" is what somebody runs, and no node of a cluster: "runs Node 22", "build machine: Node 22". */
function isProduct(words: readonly Word[], at: number): boolean {
  if (words[at]?.text !== 'Node') return false;
  return isWholeOfLine(words, at + 1) || /^(?:runs?|uses?|requires?|needs?)$/.test(lowerAt(words, at - 1));
}

/** The number of a label: "platform 5", and "platform five" where that counts nothing. */
function numberedAt(words: readonly Word[], at: number): string | null {
  const lower = lowerAt(words, at);
  if (/^#?\d+(?:\.\d+)*$/.test(lower)) return lower;
  const number = NUMBER_WORDS.get(lower);
  return number === undefined || words[at + 1]?.isContent ? null : String(number);
}

/** Whether a word before "2.1" may be what has this version: a name, or the first word of a sentence that goes on with a verb. */
function namesVersioned(before: Word, next: Word | undefined): boolean {
  if (before.isName) return true;
  const isCapital = before.startsSentence && before.isContent && before.text !== before.lower;
  return isCapital && (next === undefined || !next.isContent || /[a-z]ed$/.test(next.lower));
}

/** Whether a name before a whole number is of what somebody runs: "prod runs on Postgres 14", "staging: Postgres 14". */
function isRun(words: readonly Word[], at: number): boolean {
  const [name, next] = [words[at - 1], words[at + 1]];
  if (name && isWholeOfLine(words, at)) return /^\p{Lu}/u.test(name.text);
  return RUNS.test(lowerAt(words, at - 2)) && name?.isName === true && !next?.isContent && !next?.isName;
}

/** Whether a word and the one before it are all that stands behind a colon. */
function isWholeOfLine(words: readonly Word[], at: number): boolean {
  const isEnd = words[at + 1] === undefined || words[at + 1]?.startsSentence === true;
  return at > 1 && isEnd && words[at - 1]?.startsSentence === true;
}

const RUNS = /^(?:is|on|runs?|uses?|using|running|requires?|needs?)$/;

function versionedBy(words: readonly Word[], at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - 2); before--) {
    const word = words[before] as Word;
    if (word.isContent && !VERSIONED.has(word.lower)) return word.stem;
  }
  return '';
}
