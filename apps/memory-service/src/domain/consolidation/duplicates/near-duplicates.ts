import { DAY_MS } from '@agent-faculties/service-kit';
import type { TimeSlicer } from '../../concurrency/time-slicer.ts';
import type { Memory } from '../../memory/memory.ts';
import { recallText } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { marksOf } from '../../text/sentences/text-marks.ts';
import { KIN } from '../../text/words/kin.ts';
import { compatibleForm } from '../../text/words/normal-form.ts';
import { termsOf } from '../../text/words/terms.ts';

/** Memories that say the same; the oldest survives. */
export interface DuplicateGroup {
  readonly survivor: StoredMemory;
  readonly others: readonly StoredMemory[];
}

/** The most time between duplicates: a repetition after a month is news, because the fact still holds or the event happened again. */
const DUPLICATES_WITHIN_DAYS = 30;
/** The least terms and words of a duplicate: "Sounds good" belongs to the words before it. */
const LEAST_TERMS = 2;
const LEAST_WORDS = 3;
/** The most characters of a duplicate; of longer texts only ingest recognizes repetitions. */
const MOST_CHARACTERS = 2_000;

/** The number of memories in one query for decisions. */
const ASKED_AT_ONCE = 256;

/** The most that a survivor absorbs: it is one line of the journal and of memories.json, and is written whole with each edit. */
const MOST_ABSORBED = 100;
const MOST_CHARACTERS_TOGETHER = 256 * 1024;

/** Numbers with their signs, words with their joints, and every sign that may change what a text says. */
const TOKEN =
  /[+-]?\d+(?:[.,:/]\d+)*%?|[\p{L}\p{M}\p{N}_@#]+(?:[-./:@\\'][\p{L}\p{M}\p{N}_]+)*|\p{Extended_Pictographic}|[<>=≤≥≠~^+*/%$€£¥&|!]+/gu;
const THOUSANDS = /^([+-]?\d{1,3})((?:,\d{3})+)(\.\d+)?(%?)$/;
/** Words without which a sentence says the same. No words of tense, place, direction, amount or modality are among them. */
const HARMLESS: ReadonlySet<string> = new Set(
  'a an the please just really actually basically well so oh hey hi also too indeed !'.split(' '),
);
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\b(i)'m\b/g, '$1 am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/\b(it|that|he|she|there|what|who|here)'s\b/g, '$1 is'],
];
/** Words whose meaning depends on the speaker. */
const SPEAKS_OF_SELF = new RegExp(`\\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|${KIN})\\b`);
/** Words whose meaning depends on what was said before. */
const POINTS_BACK =
  /\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those|here|there|such|same|another|other)\b/;
/** Words whose meaning depends on the time of speaking, beyond those that recall knows. */
const TELLS_NOW =
  /\b(?:now|currently|right away|recently|lately|soon|later|earlier|just|again|still|already|yet|tonight|this (?:morning|evening))\b/;

/**
 * Groups memories that say the same: one visibility, one kind of speaker and source, the same words in the same order except for
 * articles and the like, the same numbers, names, negations and signs. A question is an event and no fact, so it has no
 * duplicates; a statement that depends on its situation ("it works now") has duplicates only in its session and day.
 * Words and values alone decide, because the vectors of "5 years" and "6 years" hardly differ.
 * @param memories oldest first
 * @param decidedAmong ids of memories that people have decided about: such a memory is not absorbed, because the decision would be lost
 * @complexity O(characters)
 */
export async function nearDuplicates(
  memories: readonly StoredMemory[],
  {
    decidedAmong,
    slicer,
  }: { decidedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>; slicer: TimeSlicer },
): Promise<DuplicateGroup[]> {
  const groups: GrowingGroup[] = [];
  const latest = new Map<string, GrowingGroup>();
  let decided: ReadonlySet<string> = new Set();
  for (const [place, stored] of memories.entries()) {
    if (slicer.isDue) await slicer.rest();
    if (place % ASKED_AT_ONCE === 0) {
      decided = await decidedAmong(memories.slice(place, place + ASKED_AT_ONCE).map(({ memory }) => memory.id));
    }
    const key = meaningKey(stored.memory);
    if (key === null || decided.has(stored.memory.id)) continue;
    const group = latest.get(key);
    const isRecent =
      group && stored.memory.createdAt - group.survivor.memory.createdAt < DUPLICATES_WITHIN_DAYS * DAY_MS;
    if (isRecent && group.takes(stored)) continue;
    const begun = new GrowingGroup(stored);
    latest.set(key, begun);
    groups.push(begun);
  }
  return groups.filter(({ others }) => others.length > 0);
}

/** A group of duplicates, up to the most that its survivor may absorb; a memory that does not fit begins another group. */
class GrowingGroup implements DuplicateGroup {
  readonly survivor: StoredMemory;
  readonly others: StoredMemory[] = [];
  #absorbed: number;
  /** Size of the survivor; null until it is needed, because most memories have no duplicate. */
  #characters: number | null = null;

  constructor(survivor: StoredMemory) {
    this.survivor = survivor;
    this.#absorbed = survivor.memory.absorbed?.length ?? 0;
  }

  /** Adds a memory; false when there is no room. */
  takes(stored: StoredMemory): boolean {
    const absorbed = this.#absorbed + 1 + (stored.memory.absorbed?.length ?? 0);
    const characters = (this.#characters ?? charactersOf(this.survivor)) + charactersOf(stored);
    if (absorbed > MOST_ABSORBED || characters > MOST_CHARACTERS_TOGETHER) return false;
    this.#absorbed = absorbed;
    this.#characters = characters;
    this.others.push(stored);
    return true;
  }
}

/** The size of a memory with those that it has absorbed. */
function charactersOf({ memory }: StoredMemory): number {
  return JSON.stringify(memory).length;
}

/** Equal for two memories exactly when they say the same, apart from time; null for a memory that is never a duplicate. */
export function meaningKey(memory: Memory): string | null {
  const text = recallText(memory);
  if (memory.kind !== 'episodic' || memory.supersededBy !== null || text.length > MOST_CHARACTERS) return null;
  const marks = marksOf(text);
  const words = wordsOf(text);
  if (marks.isQuestion || words.length < LEAST_WORDS || new Set(termsOf(text)).size < LEAST_TERMS) return null;
  const lower = plain(text);
  const day = Math.floor(memory.createdAt / DAY_MS);
  const pointsBack = POINTS_BACK.test(lower);
  return JSON.stringify([
    memory.scope,
    memory.project,
    [memory.validFrom, memory.validUntil, memory.expiresAt],
    memory.scope === 'PRIVATE' || SPEAKS_OF_SELF.test(lower) || pointsBack ? memory.agentId : null,
    memory.role,
    memory.source,
    memory.name?.trim().toLowerCase() ?? null,
    pointsBack ? [memory.sessionId, day] : null,
    marks.tellsTime || TELLS_NOW.test(lower) ? day : null,
    words,
  ]);
}

/** The tokens of a text that matter, in order. */
function wordsOf(text: string): string[] {
  return (plain(text).match(TOKEN) ?? []).map(plainNumber).filter((word) => !HARMLESS.has(word));
}

function plain(text: string): string {
  let lower = compatibleForm(text).toLowerCase().replace(/[’‘ʼ]/g, "'").replace(/[−–]/g, '-');
  for (const [short, long] of CONTRACTIONS) lower = lower.replace(short, long);
  return lower;
}

function plainNumber(word: string): string {
  return THOUSANDS.test(word) ? word.replaceAll(',', '') : word;
}
