import { createHash } from 'node:crypto';
import { atOnce, DAY_MS, type Steps, timeZoneName, utcDay, wallTime } from '@agent-faculties/service-kit';
import type { Role } from '../../domain/memory/memory.ts';
import type { Audience } from '../../domain/memory/visibility.ts';
import { namedDaysInSteps, warmUpDays } from '../../domain/text/days/named-days.ts';
import { marksInSteps } from '../../domain/text/sentences/text-marks.ts';
import { isOfUser } from '../../domain/text/speaker/of-the-user.ts';
import { termsInSteps } from '../../domain/text/words/terms.ts';
import { IS_QUESTION, OF_USER, TELLS_TIME } from '../columns/slot-table.ts';
import type { NumberedTerms } from './term-dictionary.ts';

/** What is indexed of a memory. A `Memory` has the audience, the session and the time under the same names. */
export interface IndexedMemory extends Audience {
  readonly sessionId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The text by which recall finds it: the content, or an edited gist. Any length. */
  readonly text: string;
  /** Who said it; null when unknown. */
  readonly speaker: string | null;
  readonly role: Role | null;
  readonly tags: readonly string[];
}

/** What is indexed of a memory beside its reading. */
export type ReadMemory = Omit<IndexedMemory, 'text' | 'tags'>;

/**
 * What the index of words holds of a memory. It can be made from the memory at any time; it is saved beside it because
 * that takes longer than all the rest of a start.
 */
export interface TextReading {
  /** In order, repeats included; at the end those of the days that it names. */
  readonly terms: readonly string[];
  /** The same terms as entries of a dictionary, where they come from a file. */
  readonly numbered?: NumberedTerms | undefined;
  /** IS_QUESTION, TELLS_TIME and OF_USER. */
  readonly flags: number;
  /** Words of the text. */
  readonly words: number;
}

export function readText(memory: IndexedMemory): TextReading {
  return atOnce(readTextInSteps(memory));
}

/** What `readText` gives, in steps. */
export function* readTextInSteps(memory: IndexedMemory): Steps<TextReading> {
  const { isQuestion, tellsTime, tellsClockOrSpan, words } = yield* marksInSteps(memory.text);
  yield;
  const days = yield* namedDaysInSteps(memory.text, wallTime(memory.createdAt));
  return {
    terms: [...(yield* termsInSteps(lexicalTextOf(memory))), ...days],
    flags:
      (isQuestion ? IS_QUESTION : 0) |
      (tellsTime || tellsClockOrSpan ? TELLS_TIME : 0) |
      (isOfUser(memory.text) ? OF_USER : 0),
    words,
  };
}

const DATE_WORDS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
/** The last day that was written in words, which takes 8 µs. Mostly the next memory is of the same day. By the wall clock. */
let written = { day: Number.NaN, words: '' };

/** Raise it when `readText` gives another result for any text: saved readings are then made again. */
export const READING_RULES = 10;
/** Much of what a text can hold: another version of the stemmer, the stop words, Unicode or the calendar shows in it. */
const SAMPLE: IndexedMemory = {
  agentId: 'ann',
  sessionId: null,
  scope: 'TEAM',
  project: null,
  createdAt: Date.UTC(2024, 1, 29),
  text: `Yesterday's deployments of fooBar-baz/v1.2.3 weren't failing; @ann's "naïve" caches, e-mail: a@b.example, #12, x² ½.
    Relational databases are generally happily conditional, flying, agreed, hopping, troubles, sized, electrical, and why not?
    東京都に住んでいます。 한국어 문장 ภาษาไทย Привет мир مرحبا 👍🏽 Straße Ångström ﬁle İstanbul ... is it?`,
  speaker: 'Ann Müller',
  role: 'user',
  tags: ['release-notes', 'Größe'],
};

let version: string | undefined;

/** Two of the same value give the same readings: days are those of the time zone. */
export function readingVersion(): string {
  version ??= createHash('sha256')
    .update(JSON.stringify([READING_RULES, timeZoneName(), readText(SAMPLE)]))
    .digest('hex')
    .slice(0, 16);
  return version;
}

/** Makes the engine compile the expressions by which texts are read, of Latin letters and of all others: some hundred milliseconds of their first uses. */
export function warmUpReading(): void {
  readingVersion();
  warmUpDays();
}

/** What stands in the inverted index for a memory: who, what and when, so that "what did Ann say on Monday" finds it. */
function lexicalTextOf(memory: IndexedMemory): string {
  return [memory.speaker ?? '', memory.text, ...memory.tags, dateWords(memory.createdAt)].join(' ');
}

function dateWords(instant: number): string {
  const wall = wallTime(instant);
  const day = Math.floor(wall / DAY_MS);
  if (day !== written.day) {
    written = { day, words: `${utcDay(wall)} ${DATE_WORDS.format(wall)}` };
  }
  return written.words;
}
