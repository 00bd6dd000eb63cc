import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS } from '../../../src/domain/consolidation/consolidator.ts';
import { type EndOfDayDeps, endOfDay, isWhole } from '../../../src/domain/consolidation/end-of-day.ts';
import type { Report } from '../../../src/domain/consolidation/report.ts';
import { volatilePersistence } from '../../../src/persistence/open-persistence.ts';

const whole = { stopped: false, problem: null } as Report;

const { persistence } = volatilePersistence();

test.each<[string, boolean, { run?: () => Promise<Report>; compact?: () => Promise<void> }]>([
  ['when every step was done', true, {}],
  ['not when it was stopped', false, { run: async () => ({ ...whole, stopped: true }) }],
  ['not when the disk ended it', false, { run: async () => ({ ...whole, problem: 'The disk is full.' }) }],
  ['not when a fault ended it', false, { run: () => Promise.reject(new Error('a fault of ours')) }],
  ['not when maintaining failed', false, { compact: () => Promise.reject(new Error('a fault of ours')) }],
])('a night is whole %s', async (_when, expected, { run = async () => whole, compact = async () => {} }) => {
  const deps = {
    clock: new ManualClock(0),
    consolidator: { run },
    archive: null,
    store: { removeExpired: async () => [] },
    persistence,
    compact,
    log: { error: () => {} },
  } as unknown as EndOfDayDeps;
  expect(isWhole(await endOfDay(deps, DEFAULT_OPTIONS))).toBe(expected);
});

test('a night that cannot compact has erased the versions of what expired, of which the next one knows nothing', async () => {
  const erased: string[] = [];
  const expired = { id: 'one', absorbed: [{ memory: { id: 'two' } }] };
  const deps = {
    clock: new ManualClock(0),
    consolidator: { run: async () => whole },
    archive: null,
    store: { removeExpired: async () => [expired] },
    history: { erase: async (ids: readonly string[]) => void erased.push(...ids) },
    persistence,
    compact: () => Promise.reject(new Error('a fault of ours')),
    log: { error: () => {} },
  } as unknown as EndOfDayDeps;
  expect(isWhole(await endOfDay(deps, DEFAULT_OPTIONS))).toBe(false);
  expect(erased).toEqual(['one', 'two']);
});
