import { expect, test } from '@jest/globals';

interface Said {
  readonly agent_id: string;
  readonly name: string | null;
}
type Pair = { readonly a: Said; readonly b: Said };
interface SpeakerPairs {
  countsByPair(pairs: Pair[]): { speakers: string; count: number }[];
  pairName(speakers: string): string;
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/contradictions/speaker-pairs.js', import.meta.url).href;
const { countsByPair, pairName }: SpeakerPairs = await import(FILE);

const between = (a: string, b: string, names: readonly [string | null, string | null] = [null, null]): Pair => ({
  a: { agent_id: a, name: names[0] },
  b: { agent_id: b, name: names[1] },
});
const named = (pairs: Pair[]) => countsByPair(pairs).map(({ speakers, count }) => [pairName(speakers), count]);

test('pairs of agents count their contradictions in both directions, the most first', () => {
  expect(named([between('cid', 'cid'), between('bob', 'ann'), between('ann', 'bob')])).toEqual([
    ['ann and bob', 2],
    ['cid alone', 1],
  ]);
});

test('two people that one agent told of are two speakers, and an agent that names itself is one', () => {
  expect(
    named([
      between('ann', 'ann', ['Jonas', 'Dana']),
      between('ann', 'ann', ['Dana', 'Jonas']),
      between('ann', 'ann', ['ann', null]),
    ]),
  ).toEqual([
    ['Dana (told by ann) and Jonas (told by ann)', 2],
    ['ann alone', 1],
  ]);
});
