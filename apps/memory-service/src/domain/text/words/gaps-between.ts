import type { Word } from './words.ts';

/** What each of two texts has between two words, or before or behind a word, that both have. */
type Gap = readonly [a: readonly Word[], b: readonly Word[]];

/**
 * What stands between the words that two texts have in the same order, where both have something there: "Bob" and "Ann", "17" and "20"
 * of "Bob earns 17 euros" and "Ann earns 20 euros now". Which words these are tells the longest common subsequence of their stems.
 * @returns empty where they have no word in common
 * @complexity O(words of a · words of b); at most 255 words each
 */
export function gapsBetween(a: readonly Word[], b: readonly Word[]): Gap[] {
  const width = b.length + 1;
  const most = mostInCommon(a, b);
  if (most[0] === 0) return [];
  const gaps: [Word[], Word[]][] = [[[], []]];
  let [at, to] = [0, 0];
  while (at < a.length || to < b.length) {
    const gap = gaps.at(-1) as [Word[], Word[]];
    const [mine, theirs] = [a[at], b[to]];
    const place = at * width + to;
    if (mine && theirs && mine.stem === theirs.stem) {
      gaps.push([[], []]);
      at++;
      to++;
    } else if (mine && (!theirs || (most[place + width] as number) >= (most[place + 1] as number))) {
      gap[0].push(mine);
      at++;
    } else if (theirs) {
      gap[1].push(theirs);
      to++;
    }
  }
  return gaps.filter(([mine, theirs]) => mine.length > 0 && theirs.length > 0);
}

/** The most words in common from a place in both on, one row for each place in `a`. */
function mostInCommon(a: readonly Word[], b: readonly Word[]): Uint8Array {
  const width = b.length + 1;
  const most = new Uint8Array((a.length + 1) * width);
  for (let at = a.length - 1; at >= 0; at--) {
    for (let to = b.length - 1; to >= 0; to--) {
      const place = at * width + to;
      most[place] =
        a[at]?.stem === b[to]?.stem
          ? (most[place + width + 1] as number) + 1
          : Math.max(most[place + width] as number, most[place + 1] as number);
    }
  }
  return most;
}
