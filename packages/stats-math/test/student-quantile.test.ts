import { describe, expect, test } from '@jest/globals';
import { studentQuantile } from '../src/student-quantile.ts';

describe('studentQuantile', () => {
  // NIST/SEMATECH e-Handbook, section 1.3.6.7.2, to three decimals.
  test.each([
    [0.975, 1, 12.706],
    [0.975, 5, 2.571],
    [0.95, 10, 1.812],
    [0.99, 30, 2.457],
    [0.975, 100, 1.984],
  ])('%d with %i degrees of freedom is that of the table, %d', (p, freedom, t) => {
    expect(studentQuantile({ p, freedom })).toBeCloseTo(t, 3);
    expect(studentQuantile({ p: 1 - p, freedom })).toBeCloseTo(-t, 3);
  });

  test('lies between its neighbours for degrees of freedom that are no whole number, and is 0 in the middle', () => {
    expect(studentQuantile({ p: 0.975, freedom: 5.5 })).toBeLessThan(2.571);
    expect(studentQuantile({ p: 0.975, freedom: 5.5 })).toBeGreaterThan(2.447);
    expect(studentQuantile({ p: 0.5, freedom: 3 })).toBe(0);
  });

  test('throws RangeError for less than one degree of freedom and what is not a probability', () => {
    expect(() => studentQuantile({ p: 0.9, freedom: 0.5 })).toThrow(/^freedom is 0.5: /);
    expect(() => studentQuantile({ p: 1, freedom: 5 })).toThrow(/^p is 1: /);
  });
});
