import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredEvent, TimingEvent } from '../../../src/domain/event.ts';
import type { ListPosition } from '../../../src/domain/page.ts';
import { sampleEnd } from '../../domain/sample-task.ts';
import { A_FAULT } from './a-fault.ts';
import type { ContractStores, OpenStores } from './contract-stores.ts';
import { everyName } from './every-name.ts';

/** What every engine promises of events. */
export function eventStoreContract(open: OpenStores): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  const event = (index: number, fields: Partial<TimingEvent> = {}): TimingEvent =>
    sampleEnd({ id: `e${index}`, eventType: 'x', correlationId: null, timestampMs: 1_000 + index, ...fields });

  describe('a recorded event', () => {
    test.each([[null], ['text'], [''], [{}], [{ '': { b: [1, null] } }], ['{"a":1}']])(
      'keeps the metadata %j',
      async (metadata) => {
        const stored = await stores.events.record(event(1, { metadata }));
        expect(await stores.events.find('e1')).toEqual({ ...event(1, { metadata }), sequence: 1 });
        expect(stored).toEqual(await stores.events.find('e1'));
      },
    );

    test('is not stored twice', async () => {
      await stores.events.record(event(1));
      await expect(stores.events.record(event(1))).rejects.toEqual(A_FAULT);
      expect(await stores.count('events')).toBe(1);
      expect(await stores.events.find('e2')).toBeNull();
    });

    test('names its agent and its task type, each once and sorted', async () => {
      const names: [string, string | null][] = [
        ['bob', 'b'],
        ['ann', null],
        ['bob', 'a'],
        ['bob', 'a'],
        ['cid', 'c'],
      ];
      for (const [index, [agentId, taskType]] of names.entries()) {
        await stores.events.record(event(index, { agentId, taskType }));
      }
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann', 'bob', 'cid']);
      expect(await stores.events.taskTypes({ agentId: null, project: null })).toEqual(['a', 'b', 'c']);
      expect(await stores.events.taskTypes({ agentId: 'bob', project: null })).toEqual(['a', 'b']);
      expect(await stores.events.taskTypes({ agentId: 'ann', project: null })).toEqual([]);
      const knows = (agentId: string | null, type: string) =>
        stores.events.hasTaskType({ agentId, project: null }, type);
      expect([
        await knows(null, 'a'),
        await knows('bob', 'a'),
        await knows('bob', 'c'),
        await knows('ann', 'a'),
      ]).toEqual([true, true, false, false]);
    });
  });

  describe('a list of events', () => {
    const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
    const some = fc.record({
      agentId: oneOf('ann', 'bob'),
      project: oneOf('shop', 'blog', null),
      eventType: oneOf('x', 'y'),
      taskType: oneOf('build', 'test', null),
      correlationId: oneOf('c1', 'c2', null),
      timestampMs: fc.integer({ min: 0, max: 6 }),
    });
    const filter = fc.record({
      agentId: oneOf<string | null>(null, 'ann', 'bob'),
      project: oneOf(null, 'shop'),
      eventType: oneOf(undefined, 'x'),
      taskType: oneOf(undefined, 'build'),
      correlationId: oneOf(undefined, 'c1'),
      sinceMs: oneOf(undefined, 2),
      untilMs: oneOf(undefined, 5),
    });

    test('is what a plain filter keeps, newest first, on pages of any size', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(some, { maxLength: 25 }),
          filter,
          fc.integer({ min: 1, max: 7 }),
          async (all, wanted, limit) => {
            const fresh = await open();
            const stored: StoredEvent[] = [];
            for (const [index, fields] of all.entries()) stored.push(await fresh.events.record(event(index, fields)));
            const expected = stored
              .filter(
                (one) =>
                  (wanted.agentId === null || one.agentId === wanted.agentId) &&
                  (wanted.project === null || one.project === null || one.project === wanted.project) &&
                  (wanted.eventType === undefined || one.eventType === wanted.eventType) &&
                  (wanted.taskType === undefined || one.taskType === wanted.taskType) &&
                  (wanted.correlationId === undefined || one.correlationId === wanted.correlationId) &&
                  (wanted.sinceMs === undefined || one.timestampMs >= wanted.sinceMs) &&
                  (wanted.untilMs === undefined || one.timestampMs < wanted.untilMs),
              )
              .sort((a, b) => b.timestampMs - a.timestampMs || b.sequence - a.sequence);
            const seen: StoredEvent[] = [];
            let after: ListPosition | null = null;
            do {
              const page = await fresh.events.list(wanted, { limit, after });
              expect(page.items.length).toBeLessThanOrEqual(limit);
              seen.push(...page.items);
              after = page.next;
            } while (after);
            expect(seen).toEqual(expected);
          },
        ),
        { seed: 67, numRuns: 20 },
      );
    });
  });

  describe('events in order of writing', () => {
    test('come after a sequence, of one agent or of all, of one project or of all, at most so many', async () => {
      expect(await stores.events.lastSequence()).toBe(0);
      // Times run backwards: the order is that of writing.
      for (let index = 1; index <= 6; index++) {
        await stores.events.record(event(index, { agentId: index % 2 ? 'ann' : 'bob', timestampMs: 100 - index }));
      }
      const ids = async (sequence: number, agentId: string | null, limit = 100, project: string | null = null) =>
        (await stores.events.since(sequence, { agentId, project, limit })).map(({ id }) => id);
      expect(await stores.events.lastSequence()).toBe(6);
      expect(await ids(0, null)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
      expect(await ids(2, null, 2)).toEqual(['e3', 'e4']);
      expect(await ids(2, 'ann')).toEqual(['e3', 'e5']);
      expect(await ids(6, null)).toEqual([]);
      await stores.events.record(event(7, { project: 'shop' }));
      await stores.events.record(event(8, { project: 'blog' }));
      expect(await ids(5, null, 100, 'shop')).toEqual(['e6', 'e7']);
    });
  });
}
