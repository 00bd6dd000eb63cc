import { stemOf, type Word, wordsOf } from '../../text/words/words.ts';

/** Short words for longer ones, as teams write them. */
const LONG = new Map(
  Object.entries({
    prod: 'production',
    db: 'database',
    dbs: 'databases',
    repo: 'repository',
    repos: 'repositories',
    env: 'environment',
    envs: 'environments',
    config: 'configuration',
    docs: 'documentation',
    dev: 'development',
    kid: 'child',
    kids: 'children',
  }).map(([short, long]) => [short, stemOf(long)] as const),
);

/** The words of a text, with one stem for "prod" and "production". */
export function wordsIn(text: string): Word[] {
  return wordsOf(text).map((word) => {
    const stem = LONG.get(word.lower);
    return stem === undefined ? word : { ...word, stem };
  });
}
