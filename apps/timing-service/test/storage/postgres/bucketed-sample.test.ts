import { expect, test } from '@jest/globals';
import { curveOf } from '../../../src/domain/statistics/duration-curve.ts';
import { BucketedSample } from '../../../src/storage/postgres/bucketed-sample.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';

/** As many timeouts as make a curve worth keeping for a while, and one more run. */
function curvesBeforeAndAfterAnEnd(timeouts: number) {
  const sample = new BucketedSample(async () => null);
  for (let index = 0; index < timeouts; index++) sample.addDuration('timeout', 1 + index / 1e3);
  sample.addDuration('ok', 5);
  const before = curveOf(sample, STARTED_MS);
  const copy = sample.copy();
  copy.addDuration('ok', 6);
  return { before, copy };
}

test('a copy with one more run keeps the curve of many censored ones as long as it is young', () => {
  const { before, copy } = curvesBeforeAndAfterAnEnd(10_001);
  expect(curveOf(copy, STARTED_MS + 250)).toBe(before);
  expect(curveOf(copy, STARTED_MS + 251)).not.toBe(before);
});

test('a copy with one more run has a curve of its own where few are censored', () => {
  const { before, copy } = curvesBeforeAndAfterAnEnd(20);
  expect(curveOf(copy, STARTED_MS)).not.toBe(before);
});
