import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import type { EventStore } from '../../../src/domain/event.ts';
import type { DurationHistory } from '../../../src/domain/statistics/duration-history.ts';
import { estimateDuration } from '../../../src/domain/statistics/estimate-duration.ts';
import type { TaskStore } from '../../../src/domain/task.ts';
import { STARTED_MS } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { type Durations, sampleOf } from './sample-durations.ts';

function estimateFrom(durations: Durations) {
  const deps = {
    history: { sample: async () => sampleOf(durations) } as unknown as DurationHistory,
    events: {} as EventStore,
    tasks: { list: async () => ({ items: [], next: null }) } as unknown as TaskStore,
  };
  const whose = { agentId: null, project: null };
  return estimateDuration(deps, { whose, taskType: 'build', estimatedSeconds: null, nowMs: STARTED_MS });
}

describe('the interval of an estimate', () => {
  test('promises about what it holds, where long runs were cut off', async () => {
    const random = seededRandom(12);
    const draw = logNormal(random, { median: 10, sigma: 0.8 });
    let promised = 0;
    let held = 0;
    let asked = 0;
    for (let trial = 0; trial < 1_500; trial++) {
      const ended: { ok: number[]; timeout: number[] } = { ok: [], timeout: [] };
      for (let run = 0; run < 12; run++) {
        const seconds = draw();
        const limit = 10 + 10 * random.next();
        ended[seconds <= limit ? 'ok' : 'timeout'].push(Math.min(seconds, limit));
      }
      if (ended.ok.length === 0) continue;
      const { interval, coverage } = await estimateFrom(ended);
      if (coverage === null) continue;
      const next = draw();
      asked++;
      promised += coverage;
      held += next >= (interval[0] as number) && next <= (interval[1] as number) ? 1 : 0;
    }
    // The ranks of the ok runs alone promise 0.80, and hold 0.56.
    expect(asked).toBeGreaterThan(1_200);
    expect(Math.abs(promised - held) / asked).toBeLessThan(0.08);
  });

  test('leaves stuck runs out: it is that of the others, but for the next run', async () => {
    const ok = Array.from({ length: 99 }, (_, index) => index + 1);
    const { interval, coverage } = await estimateFrom({ ok, timeout: Array(11).fill(1_000) });
    expect(interval).toEqual([9, 90]);
    // By hand: of 111, 102 last longer than 9 s and 21 longer than 90 s; a tenth of the 110 is stuck.
    expect(coverage).toBeCloseTo(81 / 111 / 0.9, 12);
  });

  test('is none where most runs were cut off', async () => {
    expect(await estimateFrom({ ok: [1, 2], timeout: [4, 5, 6] })).toMatchObject({
      seconds: 6,
      interval: [null, null],
    });
  });
});
