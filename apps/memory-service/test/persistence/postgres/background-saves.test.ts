import { ManualClock } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { BackgroundSaves } from '../../../src/persistence/postgres/background-saves.ts';

/** Asks once a second for so many seconds; the causes by second, null where a save succeeds. */
async function asked(seconds: number, { causeAt }: { readonly causeAt: (second: number) => string | null }) {
  const clock = new ManualClock(1_000_000);
  const saved: number[] = [];
  const logged: number[] = [];
  let second = 0;
  const saves = new BackgroundSaves({
    save: async () => {
      saved.push(second);
      const cause = causeAt(second);
      if (cause !== null) throw new Error(cause);
    },
    clock,
    log: { warn: () => void logged.push(second) },
    space: 'team',
  });
  for (second = 0; second < seconds; second++) {
    await saves.saveWhereDue();
    clock.advance(1_000);
  }
  return { saved, logged };
}

describe('saves that nobody waits for', () => {
  test('come each time they are due while they succeed', async () => {
    expect(await asked(3, { causeAt: () => null })).toEqual({ saved: [0, 1, 2], logged: [] });
  });

  test('wait twice as long after each failure, a minute at most, and say the cause once', async () => {
    const { saved, logged } = await asked(250, { causeAt: () => 'no room' });
    expect(saved).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(logged).toEqual([0]);
  });

  test('say another cause, and the same one again after a success', async () => {
    const causes = ['no room', 'cut', null, 'cut'];
    let tries = 0;
    const { saved, logged } = await asked(6, { causeAt: () => causes[tries++] ?? null });
    expect(saved).toEqual([0, 1, 3, 4, 5]);
    expect(logged).toEqual([0, 1, 4]);
  });

  test('do not wait for a clock that was set back', async () => {
    const clock = new ManualClock(3_600_000);
    let tries = 0;
    const save = async () => {
      tries++;
      throw new Error('no room');
    };
    const saves = new BackgroundSaves({ save, clock, log: { warn: () => {} }, space: 'team' });
    await saves.saveWhereDue();
    clock.set(0);
    await saves.saveWhereDue();
    expect(tries).toBe(2);
  });
});
