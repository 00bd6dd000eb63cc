import { describe, expect, test } from '@jest/globals';

interface Contradiction {
  readonly id: string;
  readonly a: { readonly agent_id: string; readonly name: string | null; readonly memory_id: string };
  readonly b: { readonly agent_id: string; readonly name: string | null; readonly memory_id: string };
}
interface Queue {
  inOrder(
    items: readonly Contradiction[],
    queue: { pair: string | null; nextId: string | null; skipped: string[] },
  ): Contradiction[];
  meaningOf(key: string, shown: { tab: string; next: Contradiction | undefined }): unknown;
}

// Written for the browser, without types.
const FOLDER = '../../../src/dashboard/contradictions/';
const { inOrder, meaningOf }: Queue = await import(new URL(`${FOLDER}queue.js`, import.meta.url).href);
const { speakersOf }: { speakersOf(one: Contradiction): string } = await import(
  new URL(`${FOLDER}speaker-pairs.js`, import.meta.url).href
);

const between = (id: string, a: string, b: string): Contradiction => ({
  id,
  a: { agent_id: a, name: null, memory_id: `${id}-a` },
  b: { agent_id: b, name: null, memory_id: `${id}-b` },
});
const one = between('one', 'ann', 'bob');
const two = between('two', 'bob', 'cid');
const three = between('three', 'bob', 'ann');
const ids = (items: Contradiction[]) => items.map(({ id }) => id);
const NONE = { pair: null, nextId: null, skipped: [] as string[] };

describe('the order in which contradictions are decided', () => {
  test('has the one first that was shown as the next, and what is skipped last', () => {
    const queue = { ...NONE, nextId: 'three', skipped: ['one'] };
    expect(ids(inOrder([one, two, three], queue))).toEqual(['three', 'two', 'one']);
  });

  test('has those between two agents alone where they were chosen, whoever said it first', () => {
    expect(ids(inOrder([one, two, three], { ...NONE, pair: speakersOf(one) }))).toEqual(['one', 'three']);
  });

  test.each([
    ['all agents', null, ['one', 'two', 'three', 'one', 'two']],
    ['two of them', speakersOf(one), ['one', 'three', 'one', 'three', 'one']],
  ])('comes round where each is skipped, among those of %s', (_, pair, shown) => {
    let skipped: string[] = [];
    const seen = shown.map(() => {
      const next = inOrder([one, two, three], { ...NONE, pair, skipped })[0]?.id ?? '';
      skipped = [...skipped.filter((id) => id !== next), next];
      return next;
    });
    expect(seen).toEqual(shown);
  });
});

test.each([
  ['a', 'open', { winner: 'one-a' }],
  ['b', 'open', { winner: 'one-b' }],
  ['d', 'open', { dismiss: true }],
  ['s', 'open', 'skip'],
  ['d', 'doubtful', 'compatible'],
  ['s', 'doubtful', 'skip'],
  // Which of two holds is not decided while it is in doubt whether they contradict.
  ['a', 'doubtful', null],
  ['a', 'resolved', null],
  ['s', 'dismissed', null],
  ['u', 'resolved', 'undo'],
  ['x', 'open', null],
  ['constructor', 'open', null],
])('the key %s among those that are %s', (key, tab, meaning) => {
  expect(meaningOf(key, { tab, next: one })).toEqual(meaning);
});

test('where nothing is left, a key takes back and nothing else', () => {
  expect(['u', 'a', 'd', 's'].map((key) => meaningOf(key, { tab: 'open', next: undefined }))).toEqual([
    'undo',
    null,
    null,
    null,
  ]);
});
