import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import { deleteExpired } from '../../src/domain/expiry.ts';

test('what is older than so many days of 24 hours goes', async () => {
  const asked: number[] = [];
  const deleteBefore = async (instantMs: number) => {
    asked.push(instantMs);
    return { events: 3, tasks: 1 };
  };
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 9, 30));
  expect(await deleteExpired({ clock, expiry: { deleteBefore } }, { retentionDays: 2 })).toEqual({
    events: 3,
    tasks: 1,
  });
  expect(asked).toEqual([Date.UTC(2026, 10, 19, 9, 30)]);
});
