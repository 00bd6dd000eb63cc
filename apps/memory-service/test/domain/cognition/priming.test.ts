import { describe, expect, test } from '@jest/globals';
import type { EntityLinks } from '../../../src/domain/cognition/entity-links.ts';
import { Priming } from '../../../src/domain/cognition/priming.ts';

const MINUTE = 60_000;
const ann = { agentId: 'ann', sessionId: 's1', project: null, space: 'default' };

/** The links between entities; each list holds the entities of one memory, the newest memory last. Everybody sees them. */
function linksOf(memories: readonly (readonly string[])[], sees = () => true): EntityLinks {
  const naming = (key: string) => memories.filter((keys) => sees() && keys.includes(key));
  return {
    namedIn: async () => [],
    fansOf: async (keys) => keys.map((key) => naming(key).length),
    linksOf: async (keys, _caller, { newest }) =>
      keys.map((key) => {
        const namedTogether = naming(key).reverse().slice(0, newest);
        return { fan: naming(key).length, namedTogether };
      }),
  };
}

const MEMORIES = [['apollo', 'dana'], ['dana'], ['zeus']];
const primed = () => new Priming({ entities: linksOf(MEMORIES) });
const level = async (priming: Priming, memory: number, at: Parameters<Priming['levelsOf']>[1]) =>
  (await priming.levelsOf([MEMORIES[memory] as string[]], at))[0] as number;

describe('priming', () => {
  test('warms what is linked to a mention, and less what is linked to that', async () => {
    const priming = primed();
    await priming.mention(['apollo'], { caller: ann, now: 0 });
    const [direct, indirect, unrelated] = await priming.levelsOf(MEMORIES, { caller: ann, now: 0 });
    // apollo 1 and dana 0.3, which two name; by hand, from the formula in Anderson's fan effect.
    const dana = 0.3 / (1 + Math.log(2));
    expect(direct).toBeCloseTo(1 - Math.exp(-(1 + dana)), 12);
    expect(indirect).toBeCloseTo(1 - Math.exp(-dana), 12);
    expect(unrelated).toBe(0);
  });

  test('fades by half in five minutes', async () => {
    const priming = primed();
    await priming.mention(['zeus'], { caller: ann, now: 0 });
    const sumAfter = async (now: number) => -Math.log(1 - (await level(priming, 2, { caller: ann, now })));
    expect(await sumAfter(0)).toBeCloseTo(1, 12);
    expect(await sumAfter(5 * MINUTE)).toBeCloseTo(0.5, 12);
    expect(await sumAfter(10 * MINUTE)).toBeCloseTo(0.25, 12);
  });

  test('stays in its session and with its agent', async () => {
    const priming = primed();
    await priming.mention(['apollo', 'dana'], { caller: ann, now: 0 });
    expect(await level(priming, 0, { caller: { ...ann, sessionId: 's2' }, now: 0 })).toBe(0);
    expect(await level(priming, 0, { caller: { ...ann, sessionId: null }, now: 0 })).toBe(0);
    expect(await level(priming, 0, { caller: { ...ann, agentId: 'bob' }, now: 0 })).toBe(0);
    expect(await level(priming, 0, { caller: ann, now: 0 })).toBeGreaterThan(0);
  });

  test('does not spread through what the caller may not see', async () => {
    const priming = new Priming({ entities: linksOf(MEMORIES, () => false) });
    await priming.mention(['apollo'], { caller: ann, now: 0 });
    expect(await level(priming, 1, { caller: ann, now: 0 })).toBe(0);
  });

  test('does not grow without bound by repetition, nor by a clock that was set back', async () => {
    const priming = primed();
    await priming.mention(Array(50).fill('zeus'), { caller: ann, now: 1_000 });
    expect(await level(priming, 2, { caller: ann, now: 0 })).toBeCloseTo(1 - Math.exp(-1), 12);
  });

  test('forgets the weakest of very many, and keeps the 200 strongest', async () => {
    const memories = Array.from({ length: 1_000 }, (_, number) => [`name${number}`]);
    const priming = new Priming({ entities: linksOf(memories) });
    // The mentions are a second apart, so the later ones are stronger.
    for (const [number, keys] of memories.entries()) {
      await priming.mention(keys, { caller: ann, now: number * 1_000 });
    }
    const levels = await priming.levelsOf(memories, { caller: ann, now: 1_000_000 });
    const warm = levels.filter((one) => one > 0).length;
    expect(warm).toBeGreaterThanOrEqual(200);
    expect(warm).toBeLessThanOrEqual(300);
    expect(levels.findIndex((one) => one > 0)).toBe(1_000 - warm);
  });
});
