import { describe, expect, test } from '@jest/globals';
import { Priming } from '../../../src/domain/cognition/priming.ts';
import { EntityIndex } from '../../../src/search/entities/entity-index.ts';

const MINUTE = 60_000;
const ann = { agentId: 'ann', sessionId: 's1' };
const sees = () => true;

function primed() {
  const entities = new EntityIndex();
  const add = (ordinal: number, names: string[]) =>
    entities.add(ordinal, { entities: names.map((name) => ({ name, type: 'other' })), agentId: 'ann', scope: 'TEAM' });
  add(0, ['Apollo', 'Dana']);
  add(1, ['Dana']);
  add(2, ['Zeus']);
  return new Priming({ entities });
}

describe('priming', () => {
  test('warms what is linked to a mention, and less what is linked to that', () => {
    const priming = primed();
    priming.mention(priming.namedIn('How is Apollo doing?', ann), { caller: ann, now: 0, sees });
    const [direct, indirect, unrelated] = [0, 1, 2].map((ordinal) => priming.of(ordinal, { caller: ann, now: 0 }));
    expect(direct).toBeGreaterThan(indirect as number);
    expect(indirect).toBeGreaterThan(0);
    expect(unrelated).toBe(0);
    expect(direct).toBeLessThanOrEqual(1);
  });

  test('fades by half in five minutes', () => {
    const priming = primed();
    priming.mention(['zeus'], { caller: ann, now: 0, sees });
    const sumAfter = (now: number) => -Math.log(1 - priming.of(2, { caller: ann, now }));
    expect(sumAfter(0)).toBeCloseTo(1, 12);
    expect(sumAfter(5 * MINUTE)).toBeCloseTo(0.5, 12);
    expect(sumAfter(10 * MINUTE)).toBeCloseTo(0.25, 12);
  });

  test('stays in its session and with its agent', () => {
    const priming = primed();
    priming.recalled(0, { caller: ann, now: 0, sees });
    expect(priming.of(0, { caller: { ...ann, sessionId: 's2' }, now: 0 })).toBe(0);
    expect(priming.of(0, { caller: { ...ann, sessionId: null }, now: 0 })).toBe(0);
    expect(priming.of(0, { caller: { agentId: 'bob', sessionId: 's1' }, now: 0 })).toBe(0);
    expect(priming.of(0, { caller: ann, now: 0 })).toBeGreaterThan(0);
  });

  test('does not spread through what the caller may not see', () => {
    const priming = primed();
    priming.mention(['apollo'], { caller: ann, now: 0, sees: () => false });
    expect(priming.of(1, { caller: ann, now: 0 })).toBe(0);
  });

  test('does not grow without bound by repetition, nor by a clock that was set back', () => {
    const priming = primed();
    for (let i = 0; i < 50; i++) priming.mention(['zeus'], { caller: ann, now: 1_000, sees });
    expect(priming.of(2, { caller: ann, now: 0 })).toBeCloseTo(1 - Math.exp(-1), 12);
  });

  test('forgets the weakest of very many, and keeps the 200 strongest', () => {
    const entities = new EntityIndex();
    const said = Array.from({ length: 1_000 }, (_, ordinal) => ({ ordinal, name: `Name${ordinal}` }));
    for (const { ordinal, name } of said) {
      entities.add(ordinal, { entities: [{ name, type: 'other' }], agentId: 'ann', scope: 'TEAM' });
    }
    const priming = new Priming({ entities });
    // A second apart, so that what was mentioned later is stronger.
    for (const { ordinal } of said) priming.recalled(ordinal, { caller: ann, now: ordinal * 1_000, sees });
    const warm = said.filter(({ ordinal }) => priming.of(ordinal, { caller: ann, now: 1_000_000 }) > 0);
    expect(warm.length).toBeGreaterThanOrEqual(200);
    expect(warm.length).toBeLessThanOrEqual(300);
    expect(warm[0]?.ordinal).toBe(1_000 - warm.length);
  });
});
