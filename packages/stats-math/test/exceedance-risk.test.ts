import { describe, expect, test } from '@jest/globals';
import { exceedanceRisk } from '../src/index.ts';

describe('exceedanceRisk', () => {
  test('claims neither certainty of success without cases nor a share when no run lasted this long', () => {
    expect(exceedanceRisk({ aboveElapsed: 0, aboveTimeout: 0 })).toEqual({ probability: 1, low: 0, high: 1 });
    expect(exceedanceRisk({ aboveElapsed: 9, aboveTimeout: 0 }).probability).toBe(0.1);
    expect(exceedanceRisk({ aboveElapsed: 3, aboveTimeout: 3 }).probability).toBe(1);
  });

  test('has the Wilson interval that scipy gives for 0 of 20', () => {
    const risk = exceedanceRisk({ aboveElapsed: 20, aboveTimeout: 0 });
    expect(risk.low).toBe(0);
    expect(risk.high).toBeCloseTo(0.16112515805281935, 10);
  });

  test('throws RangeError when more runs pass the timeout than the elapsed time', () => {
    expect(() => exceedanceRisk({ aboveElapsed: 2, aboveTimeout: 3 })).toThrow(RangeError);
  });
});
