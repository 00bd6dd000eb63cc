import { ManualClock } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { BackgroundWork } from '../../../../src/persistence/postgres/duty/background-work.ts';

/** Asks once a second for so many seconds; the causes by second, null where the work succeeds. */
async function asked(seconds: number, { causeAt }: { readonly causeAt: (second: number) => string | null }) {
  const clock = new ManualClock(1_000_000);
  const done: number[] = [];
  const logged: number[] = [];
  let second = 0;
  const background = new BackgroundWork({
    job: 'save',
    work: async () => {
      done.push(second);
      const cause = causeAt(second);
      if (cause !== null) throw new Error(cause);
    },
    clock,
    log: { warn: () => void logged.push(second) },
    space: 'team',
  });
  for (second = 0; second < seconds; second++) {
    await background.doWhereDue();
    clock.advance(1_000);
  }
  return { done, logged };
}

describe('work that nobody waits for', () => {
  test('is done each time it is due while it succeeds', async () => {
    expect(await asked(3, { causeAt: () => null })).toEqual({ done: [0, 1, 2], logged: [] });
  });

  test('waits twice as long after each failure, a minute at most, and says the cause once', async () => {
    const { done, logged } = await asked(250, { causeAt: () => 'no room' });
    expect(done).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(logged).toEqual([0]);
  });

  test('says another cause, and the same one again after a success', async () => {
    const causes = ['no room', 'cut', null, 'cut'];
    let tries = 0;
    const { done, logged } = await asked(6, { causeAt: () => causes[tries++] ?? null });
    expect(done).toEqual([0, 1, 3, 4, 5]);
    expect(logged).toEqual([0, 1, 4]);
  });

  test('does not wait for a clock that was set back', async () => {
    const clock = new ManualClock(3_600_000);
    let tries = 0;
    const work = async () => {
      tries++;
      throw new Error('no room');
    };
    const background = new BackgroundWork({ job: 'save', work, clock, log: { warn: () => {} }, space: 'team' });
    await background.doWhereDue();
    clock.set(0);
    await background.doWhereDue();
    expect(tries).toBe(2);
  });
});
