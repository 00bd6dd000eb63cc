import { matchesIn } from '../../text/words/matches-in.ts';
import { STOP_WORDS } from '../../text/words/stop-words.ts';
import type { SpeakerNames } from './speaker-names.ts';

/** The words of a question that name a speaker, as they stand in it, each with the key of the speaker. */
export type NamedSpeakers = ReadonlyMap<string, string>;

/** Characters of a question that are compared with names of speakers: 200 words. */
const LOOKED_AT = 4_000;

/** The agents and persons that a question names. */
export function speakersNamed(text: string, speakers: SpeakerNames): NamedSpeakers {
  const looked = text.slice(0, LOOKED_AT);
  return new Map([...agentsById(looked, speakers), ...speakersByWord(looked, speakers)]);
}

/** An id with a joint names an agent as it is: "code-bot". The pattern skips places inside a word: a long word would take quadratic time. */
const JOINED_ID = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)+/gu;
/** Any id does behind "the", also in two words: "the visitor desk". */
const THE_AGENT = /\bthe ([\p{L}\p{N}_.-]+)(?: ([\p{L}\p{N}]+))?/giu;
/** A part of an id, "the desk", does only behind such a verb. */
const ACTS = /\b(?:did|does|has|had|have|will|would|should) $/i;

function agentsById(text: string, speakers: SpeakerNames): Map<string, string> {
  const found = new Map<string, string>();
  for (const [id] of matchesIn(text, JOINED_ID)) {
    const key = speakers.findAgent(id);
    if (key !== null) found.set(id, key);
  }
  for (const { 0: both, 1: word = '', 2: next, index } of matchesIn(text, THE_AGENT)) {
    const ofTwo = next === undefined ? null : speakers.findAgent(`${word} ${next}`);
    const key =
      ofTwo ?? speakers.findAgent(word) ?? (ACTS.test(text.slice(0, index)) ? speakers.findAgentByPart(word) : null);
    if (key !== null) found.set(ofTwo === null ? both.slice(0, 'the '.length + word.length) : both, key);
  }
  return found;
}

const WORD = /[\p{L}\p{N}_-]+/gu;
const UPPER_CASE = /\p{Lu}/u;

/**
 * Words with a capital count, and others where the text has none or their place is that of a name: "What did ops do?", "ann's plan for
 * Paris". Of those function words do not count: "will" is no name in "when will bob come".
 */
function speakersByWord(text: string, speakers: SpeakerNames): Map<string, string> {
  const found = new Map<string, string>();
  const anyCase = !UPPER_CASE.test(text);
  for (const { 0: word, index } of matchesIn(text, WORD)) {
    const isInPlace = isInPlaceOfName(text, word, index) && !STOP_WORDS.has(word);
    const mayBeName = UPPER_CASE.test(word) || isInPlace || (anyCase && !STOP_WORDS.has(word));
    if (!mayBeName) continue;
    // A word such as "data" names an agent that only tells what others say where it has the place of a name, and nowhere else.
    const key = speakers.find(word) ?? (isInPlace ? speakers.findTeller(word) : null);
    if (key !== null) found.set(word, key);
  }
  return found;
}

/** Before a name in lower case: "did ops say"; behind "should" and "will" a noun is as likely, as in "should release notes". */
const NAME_FOLLOWS = /\b(?:did|does|has|had) $/i;
/** Characters of the longest of these words, with what stands around it. */
const LONGEST_BEFORE = 6;
/** Behind a name in lower case: "ann's plan", "ops' report"; "the reviewer said" has a verb of speech. */
const OWNS_OR_SAYS =
  /^(?:['’](?:s|(?=\s))| (?:says?|said|thinks?|thought|told|wrote|reported|decided|suggested|proposed)(?![\p{L}\p{N}]))/u;
const LONGEST_BEHIND = 12;

function isInPlaceOfName(text: string, word: string, start: number): boolean {
  const end = start + word.length;
  const before = text.slice(Math.max(0, start - LONGEST_BEFORE), start);
  return NAME_FOLLOWS.test(before) || OWNS_OR_SAYS.test(text.slice(end, end + LONGEST_BEHIND));
}

/**
 * What people say of themselves is in the first person, so a question about them comes closest to it in the first person.
 * Source: docs/benchmarks/recall.md: 16 points of recall at 10 for vectors alone.
 */
export function inFirstPerson(text: string, named: NamedSpeakers): string {
  // The longer one first: of "code" and "code-bot" the pattern takes the first that fits.
  const names = [...named.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  return text
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})['’]s?(?![\\p{L}\\p{N}])`, 'gu'), 'my')
    .replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'gu'), 'I')
    .replace(/\b(?:her|his|their)\b/gi, 'my')
    .replace(/\b(?:she|he)\b/gi, 'I');
}

function escaped(name: string): string {
  return name.replace(/[.]/g, '\\.');
}
