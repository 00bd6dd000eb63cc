import { describe, expect, test } from '@jest/globals';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';
import { withSuccessors } from '../../../../src/domain/recall/succession/with-successors.ts';
import { sampleMemory, sampleStrength } from '../../../sample-memory.ts';

/** By id, what supersedes it; null: nothing does. */
type Links = Readonly<Record<string, string | null>>;

async function told(links: Links, among: Readonly<Record<string, Relevance>>, isWanted = (_: string) => true) {
  const memoryOf = (id: string) => sampleMemory(1, { id, supersededBy: links[id] ?? null });
  const memories = Object.entries(among).map(([id, relevance]) => ({ memory: memoryOf(id), relevance }));
  const found: string[] = [];
  const all = await withSuccessors(memories, {
    find: async (id) => {
      found.push(id);
      // "c" has become one with "d".
      const holder = id === 'c' ? 'd' : id;
      return holder in links ? { memory: memoryOf(holder), strength: sampleStrength(1) } : null;
    },
    isWanted: ({ id }) => isWanted(id),
  });
  return { all: all.map(({ memory, relevance }) => `${memory.id} ${relevance}`), looks: found.length };
}

describe('a superseded memory in a context', () => {
  test('comes behind the last of its successors, which is as relevant', async () => {
    const links = { old: 'mid', mid: 'new', new: null, x: null };
    expect((await told(links, { x: 'high', old: 'medium' })).all).toEqual(['x high', 'new medium', 'old medium']);
  });

  test('brings none that is there, was brought, is not wanted, or is gone', async () => {
    const links = { old: 'new', older: 'new', new: null, lost: 'gone' };
    expect((await told(links, { old: 'high', new: 'high' })).all).toEqual(['old high', 'new high']);
    expect((await told(links, { old: 'high', older: 'medium' })).all).toEqual(['new high', 'old high', 'older medium']);
    expect((await told(links, { old: 'high' }, (id) => id !== 'new')).all).toEqual(['old high']);
    expect((await told(links, { lost: 'high' })).all).toEqual(['lost high']);
    expect((await told({ old: 'mid', mid: 'gone' }, { old: 'high' })).all).toEqual(['mid high', 'old high']);
    expect((await told({ b: 'c', d: null }, { b: 'high', d: 'high' })).all).toEqual(['b high', 'd high']);
  });

  test('brings the last that is wanted of several', async () => {
    const links = { old: 'mid', mid: 'new', new: null };
    expect((await told(links, { old: 'high' }, (id) => id !== 'new')).all).toEqual(['mid high', 'old high']);
    expect((await told(links, { old: 'high' }, (id) => id !== 'mid')).all).toEqual(['new high', 'old high']);
  });

  test('is followed through a thousand at most', async () => {
    const endless = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at}`, `${at + 1}`]));
    const { all, looks } = await told(endless, { 0: 'high', 2000: 'high' });
    expect(all).toEqual(['1000 high', '0 high', '2000 high']);
    expect(looks).toBe(1_000);
  });

  test('brings one that is not relevant by itself, and none where it is not either', async () => {
    const links = { old: 'new', older: 'new', new: null };
    expect((await told(links, { older: 'low', old: 'medium' })).all).toEqual(['new medium', 'old medium']);
    expect((await told(links, { new: 'low', old: 'medium' })).all).toEqual(['new medium', 'old medium']);
    expect((await told(links, { older: 'low', new: 'high' })).all).toEqual(['new high']);
  });

  test('may be in a circle, and many may be in one chain, which is followed once', async () => {
    expect((await told({ a: 'b', b: 'a' }, { a: 'high' })).all).toEqual(['a high']);
    expect((await told({ a: 'b', b: 'e', e: 'b' }, { a: 'high' })).all).toEqual(['a high']);
    const chain = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}`, at < 99 ? `${at + 1}` : null]));
    const among = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, 'high' as const]));
    const { all, looks } = await told(chain, among);
    expect(all.filter((one) => one === '99 high')).toEqual(['99 high']);
    expect(looks).toBeLessThanOrEqual(100);
  });
});
