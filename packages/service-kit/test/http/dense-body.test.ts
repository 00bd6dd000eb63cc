import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { denseBodyGuard, densityOf } from '../../src/http/dense-body.ts';

const bytes = (json: string) => Buffer.from(json);

/** Every object and array, and every comma between two fields or items. */
function openingsAndCommas(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value);
  return 1 + Math.max(0, inside.length - 1) + inside.reduce<number>((sum, one) => sum + openingsAndCommas(one), 0);
}

function namesOf(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((one) => [...namesOf(one)])]);
}

describe('the density of JSON', () => {
  test('is that of its values, whatever stands in strings and names, with and without spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const { values, names } = densityOf(bytes(JSON.stringify(value, null, indent)));
        expect(values).toBe(openingsAndCommas(value));
        expect(names).toBeLessThanOrEqual(namesOf(value).size);
      }),
    );
  });

  test('counts a name once, however often it is there', () => {
    expect(densityOf(bytes(JSON.stringify(Array(1_000).fill({ key: 'a', value: { 'x"y\\': 1 } }))))).toMatchObject({
      names: 3,
    });
  });

  test('counts nearly all of many different names', () => {
    const object = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name-${index}`, 0]));
    // 10,000 of 65,536 buckets: 747 names are expected to share one.
    expect(densityOf(bytes(JSON.stringify(object))).names).toBeGreaterThan(9_000);
  });
});

describe('a large body', () => {
  const filler = 'x'.repeat(64 * 1024);
  const isRefused = (value: unknown) => {
    try {
      denseBodyGuard(bytes(JSON.stringify(value)));
      return false;
    } catch (error) {
      expect(error).toMatchObject({ type: 'entity.too.dense', detail: expect.stringContaining('send less at once') });
      return true;
    }
  };
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 0]));

  test.each([
    ['2 MB of text', 'x'.repeat(2_000_000), false],
    ['512 spans of 60 attributes', Array(30_000).fill({ key: 'gen_ai.usage', value: { stringValue: '12' } }), false],
    ['200,001 empty lists', [filler, Array(100_001).fill([])], true],
    ['10,000 different names', { filler, ...named(10_000) }, false],
    ['30,000 different names', { filler, ...named(30_000) }, true],
    ['different names in lists', [filler, ...Object.keys(named(30_000)).map((name) => ({ [name]: 0 }))], true],
  ])('%s', (_what, value, refused) => {
    expect(isRefused(value)).toBe(refused);
  });
});
