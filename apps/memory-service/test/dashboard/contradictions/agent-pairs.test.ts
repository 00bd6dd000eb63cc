import { expect, test } from '@jest/globals';

type Pair = { readonly a: { readonly agent_id: string }; readonly b: { readonly agent_id: string } };
interface AgentPairs {
  countsByPair(pairs: Pair[]): { agents: string; count: number }[];
  pairName(agents: string): string;
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/contradictions/agent-pairs.js', import.meta.url).href;
const { countsByPair, pairName }: AgentPairs = await import(FILE);

test('pairs of agents count their contradictions in both directions, the most first', () => {
  const between = (a: string, b: string): Pair => ({ a: { agent_id: a }, b: { agent_id: b } });
  const counts = countsByPair([between('cid', 'cid'), between('bob', 'ann'), between('ann', 'bob')]);
  expect(counts.map(({ agents, count }) => [pairName(agents), count])).toEqual([
    ['ann and bob', 2],
    ['cid alone', 1],
  ]);
});
