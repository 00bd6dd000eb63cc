import type { Word } from '../words/words.ts';

/** The words that begin a definite phrase. */
const THE = 'the|this|that|our|my|your|his|her|its|their';
/** What stands before a subject's own words: "The", "The door of the". */
const BEFORE_SUBJECT = new RegExp(`^(?:(?:${THE}) (?:[^ ]+ ){1,2}of )?(?:${THE})$`);
/** The most words before it, and of it. */
const LONGEST = { before: 5, phrase: 3 };

/**
 * The subjects of two sentences that say one thing of two: "The north pump runs on diesel", "The blue crane runs on petrol". Each
 * begins with a short definite phrase, the same words follow, and neither sentence has a word of the other one's subject, except
 * where both say it of their own. Two single nouns may be two words for one thing: the car, the vehicle.
 * @returns their words; null where the sentences may speak of one thing
 */
export function otherSubjects(
  a: readonly Word[],
  b: readonly Word[],
): { readonly a: readonly Word[]; readonly b: readonly Word[] } | null {
  const start = a.slice(0, LONGEST.before + 1).findIndex(({ lower }, at) => lower !== b[at]?.lower);
  const before = a.slice(0, Math.max(0, start)).map(({ lower }) => lower);
  if (!BEFORE_SUBJECT.test(before.join(' '))) return null;
  for (let mine = 1; mine <= LONGEST.phrase; mine++) {
    for (let theirs = mine === 1 ? 2 : 1; theirs <= LONGEST.phrase; theirs++) {
      const [one, other] = [dividedAt(a, start, mine), dividedAt(b, start, theirs)];
      const isOneThingOfTwo = goOnAlike(one.rest, other.rest) && isApart(one, other) && isApart(other, one);
      if (isOneThingOfTwo) return { a: one.subject, b: other.subject };
    }
  }
  return null;
}

interface Divided {
  readonly subject: readonly Word[];
  readonly rest: readonly Word[];
}

function dividedAt(words: readonly Word[], start: number, length: number): Divided {
  return { subject: words.slice(start, start + length), rest: words.slice(start + length) };
}

/** Whether the next word is the same, and the next that tells something: "is inspected", "is 9 euros". */
function goOnAlike(a: readonly Word[], b: readonly Word[]): boolean {
  const [mine, theirs] = [a, b].map((rest) => rest.find(({ isContent }) => isContent)?.stem);
  return mine !== undefined && mine === theirs && a[0]?.stem === b[0]?.stem;
}

/** Whether the words of a subject are nouns, as far as can be told, that the other sentence has at most where its own has them too. */
function isApart({ subject, rest }: Divided, other: Divided): boolean {
  const has = (words: readonly Word[], stem: string) => words.some((word) => word.stem === stem);
  return subject.every(
    ({ isContent, isName, stem }) =>
      (isContent || isName) && !has(other.subject, stem) && (has(rest, stem) || !has(other.rest, stem)),
  );
}
