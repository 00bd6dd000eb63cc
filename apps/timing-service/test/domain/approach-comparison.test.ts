import { orderedSample } from '@agent-faculties/stats-math';
import { expect, test } from '@jest/globals';
import { compareApproaches } from '../../src/domain/approach-comparison.ts';
import type { DurationHistory, DurationSample } from '../../src/domain/duration-history.ts';
import type { TaskStore } from '../../src/domain/task.ts';
import { bucketedSampleOf } from './bucketed-durations.ts';
import { sampleOf } from './sample-durations.ts';

const tasks = { pastEstimates: async () => [] } as unknown as TaskStore;

/** A history that is the same for every type, and records which types were asked for. */
function recordedHistory(durations: number[]): { history: DurationHistory; asked: string[] } {
  const asked: string[] = [];
  const sorted = Object.assign(orderedSample(durations), { [Symbol.iterator]: () => durations.values() });
  const sample = async (_agent: string | null, type: string) => {
    asked.push(type);
    return { ended: { ok: { sorted } } };
  };
  return { history: { sample } as unknown as DurationHistory, asked };
}

/** How many turns of the event loop an operation takes. */
async function turnsOf(operation: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  await operation;
  isOver = true;
  return turns;
}

test('a large comparison reads each history once and is made in many turns', async () => {
  const { history, asked } = recordedHistory([1, 2, 3, 4, 5]);
  const approaches = Array.from({ length: 10 }, (_, approach) => ({
    name: `n${approach}`,
    steps: Array.from({ length: 20 }, (_, step) => ({ taskType: `t${step}`, estimatedSeconds: null })),
  }));
  const comparison = compareApproaches({ history, tasks }, { whose: { agentId: null, project: null }, approaches });
  // 200 steps, five in a turn.
  expect(await turnsOf(comparison)).toBeGreaterThan(40);
  expect(asked).toEqual(Array.from({ length: 20 }, (_, step) => `t${step}`));
  const { approaches: ranked, verdict } = await comparison;
  expect(verdict).toBe('too_close_to_call');
  // 20 steps of mean 3 and variance 2: the mean of 10,000 draws has a standard error of 0.06, the share of a tenth one of 0.003.
  for (const { totals } of ranked) {
    expect(Math.abs((totals?.mean ?? 0) - 60)).toBeLessThan(0.32);
    expect(Math.abs((totals?.probabilityFastest ?? 0) - 0.1)).toBeLessThan(0.015);
  }
  expect(ranked.reduce((sum, { totals }) => sum + (totals?.probabilityFastest ?? 0), 0)).toBeCloseTo(1, 9);
});

test('a tie is shared among those that are fastest', async () => {
  const { history } = recordedHistory([7]);
  const approaches = ['a', 'b', 'c'].map((name) => ({
    name,
    steps: Array.from({ length: name === 'c' ? 2 : 1 }, () => ({ taskType: 'x', estimatedSeconds: null })),
  }));
  const { approaches: ranked } = await compareApproaches(
    { history, tasks },
    { whose: { agentId: null, project: null }, approaches },
  );
  expect(ranked.map(({ name, totals }) => [name, totals?.mean, totals?.probabilityFastest])).toEqual([
    ['a', 7, 0.5],
    ['b', 7, 0.5],
    ['c', 14, 0],
  ]);
});

test('durations in buckets are within a thousandth, and the comparison says so', async () => {
  const durations = { ok: Array.from({ length: 2_000 }, (_, index) => 3 + index / 1e6) };
  const compared = (sample: DurationSample) =>
    compareApproaches(
      { history: { sample: async () => sample } as unknown as DurationHistory, tasks },
      {
        whose: { agentId: null, project: null },
        approaches: [{ name: 'a', steps: [{ taskType: 'x', estimatedSeconds: null }] }],
      },
    );
  const [near, exact] = [await compared(bucketedSampleOf(durations)), await compared(sampleOf(durations))];
  expect([near.error, exact.error]).toEqual([0.001, 0]);
  const [middle, median] = [near, exact].map(({ approaches }) => approaches[0]?.totals?.p50 ?? 0) as [number, number];
  expect(Math.abs(middle - median)).toBeLessThan(median * 0.001);
});
