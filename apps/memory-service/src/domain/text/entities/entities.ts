import { MOST_ENTITIES } from '../../memory/limits.ts';
import type { Entity } from '../../memory/memory.ts';
import { normalForm } from '../words/normal-form.ts';
import { type EntityWord, readEntityWords } from './entity-words.ts';
import { type NameRun, nameRuns } from './name-runs.ts';

const NUMBER = /^\d{1,7}$/;
const DECIMAL = /^\d+\.\d+$/;
const CAPITAL = /^\p{Lu}/u;
/** "pull request 1300" is #1300. */
const NUMBERED_THINGS: ReadonlySet<string> = new Set(['request', 'pr', 'issue', 'ticket', 'mr', 'bug']);
const VERSION_WORDS: ReadonlySet<string> = new Set(['version', 'release']);

/** Nothing of it but its capitals is to be changed for its key. */
const PLAIN_NAME = /^[a-z\d][!-~]*(?: [!-~]+)*$/i;

/** By what two spellings of a name are the same: compatible characters, case, the signs before mentions and hashtags. */
export function entityKey(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  const plain = normalForm(name, 'NFKC').toLowerCase().replace(/[’‘]/g, "'");
  return plain
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:@|#(?!\d))/, '');
}

/** The names in a text, whoever said it. */
export interface ReadNames {
  readonly text: string;
  /** @param speaker null where that is not known */
  by(speaker: string | null): NamesBySpeaker;
}

/** The names in a text, some of which are names only where others know them. */
export interface NamesBySpeaker {
  /** Keys, as `entityKey` gives them, of words that are a name only if other memories have them as one; each once. */
  readonly uncertain: readonly string[];
  /** In order of first mention, each once. @param isKnown of those that are uncertain: decides at the start of sentences */
  entities(isKnown: (key: string) => boolean): Entity[];
}

/**
 * Reads the names in a text: people, projects, places, organisations, tickets, versions, urls, hosts, paths, identifiers, hashtags. By
 * rules, without a model: the form of a word, and runs of capitals that no start of a sentence explains. docs/decisions/0008 tells what
 * the alternatives cost.
 *
 * Scripts without capitals give what has a form of its own (urls, tickets, mentions ...).
 * @complexity O(characters), bounded; about 20 µs for 30 words
 */
export function readNames(text: string): ReadNames {
  const words = readEntityWords(withoutMasks(text));
  const runs = nameRuns(words);
  return { text, by: (speaker) => namesBySpeaker(words, runs, speaker) };
}

function namesBySpeaker(
  words: readonly EntityWord[],
  runs: readonly NameRun[],
  speaker: string | null,
): NamesBySpeaker {
  const certain = new Set(runs.filter((run) => run.isCertain).map((run) => entityKey(run.name)));
  const name = speaker?.trim() ?? '';
  if (name !== '') certain.add(entityKey(name));
  return {
    uncertain: [...new Set(runs.map((run) => entityKey(run.name)))].filter((key) => !certain.has(key)),
    entities: (isKnown) => {
      const found = new Map<string, Entity>();
      if (name !== '') note(found, { name, type: 'person' });
      const accepted = acceptedRuns(runs, (key) => certain.has(key) || isKnown(key));
      for (const [index, word] of words.entries()) {
        const entity = word.entity ?? numbered(words, index) ?? accepted.get(index);
        if (entity) note(found, entity);
      }
      return [...found.values()];
    },
  };
}

/** What stands in place of a secret names nothing that two memories could share. */
const MASK = /\[REDACTED:[a-z0-9-]{1,64}\]/g;

function withoutMasks(text: string): string {
  return text.includes('[REDACTED:') ? text.replace(MASK, ' ') : text;
}

/** By index of the first word: runs that are names by themselves, or elsewhere in the text, or known. */
function acceptedRuns(runs: readonly NameRun[], isName: (key: string) => boolean): Map<number, Entity> {
  const accepted = new Map<number, Entity>();
  for (const { name, start, type, isCertain } of runs) {
    if (isCertain || isName(entityKey(name))) accepted.set(start, { name, type });
  }
  return accepted;
}

/** A number that the word before makes a name: issue 12, version 3.1, Postgres 16.2. */
function numbered(words: readonly EntityWord[], index: number): Entity | null {
  const { text } = words[index] as EntityWord;
  const before = words[index - 1];
  if (!before?.joinsNext) return null;
  if (NUMBER.test(text) && NUMBERED_THINGS.has(before.lower)) return { name: `#${text}`, type: 'identifier' };
  const isVersion = DECIMAL.test(text) && (VERSION_WORDS.has(before.lower) || CAPITAL.test(before.text));
  return isVersion ? { name: text, type: 'version' } : null;
}

/** The first spelling stays; a type that says more than "other" is taken from any mention. */
function note(found: Map<string, Entity>, entity: Entity): void {
  const key = entityKey(entity.name);
  const known = found.get(key);
  if (known) {
    if (known.type === 'other' && entity.type !== 'other') found.set(key, { ...known, type: entity.type });
  } else if (key !== '' && found.size < MOST_ENTITIES) found.set(key, entity);
}
