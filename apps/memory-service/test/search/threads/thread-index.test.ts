import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NONE, SlotTable } from '../../../src/search/columns/slot-table.ts';
import { Partitions } from '../../../src/search/partitions.ts';
import { PAUSE_THAT_ENDS_A_THREAD_MS, ThreadIndex, ThreadNumbers } from '../../../src/search/threads/thread-index.ts';

interface Member {
  readonly ordinal: number;
  readonly agent: number;
  readonly sessionId: string | null;
  readonly createdAt: number;
  readonly terms: number;
}

/** The naive twin: sorts, then cuts at long pauses. */
function naiveThreads(members: readonly Member[]): Member[][] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const key = `${member.agent} ${member.sessionId}`;
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return [...groups.values()].flatMap((group) => {
    const sorted = group.sort((a, b) => a.createdAt - b.createdAt || a.ordinal - b.ordinal);
    const threads: Member[][] = [];
    for (const [place, member] of sorted.entries()) {
      const pause = member.createdAt - (sorted[place - 1]?.createdAt ?? Number.NEGATIVE_INFINITY);
      if (place === 0 || (member.sessionId === null && pause > PAUSE_THAT_ENDS_A_THREAD_MS)) threads.push([]);
      threads.at(-1)?.push(member);
    }
    return threads;
  });
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      agent: fc.nat({ max: 1 }),
      sessionId: fc.constantFrom(null, null, 's'),
      // Steps of ten minutes: pauses below, at and above the limit.
      createdAt: fc.nat({ max: 40 }).map((tens) => tens * 600_000),
      terms: fc.nat({ max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ removed: fc.nat({ max: 40 }) }) },
);

test('links, threads, windows and totals are those of a sorted list cut at long pauses, in any order of arrival', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = new SlotTable();
      const partitions = new Partitions();
      const threads = new ThreadIndex(slots, new ThreadNumbers(), partitions);
      let members: Member[] = [];
      for (const [ordinal, action] of steps.entries()) {
        if ('removed' in action) {
          const member = members[action.removed];
          if (!member) continue;
          const slot = slots.slotOf(member.ordinal);
          threads.remove(slot, member.sessionId);
          slots.clear(slot);
          slots.reuse([slot]);
          members = members.filter((other) => other !== member);
        } else {
          const member = { ordinal, ...action };
          const { agent, createdAt, terms } = member;
          const slot = slots.take({
            ordinal,
            partition: partitions.numberOf({ agentId: String(agent), project: null, scope: 'TEAM' }),
            createdAt,
            terms,
            speaker: NONE,
            teller: NONE,
            role: null,
            flags: 0,
            words: 0,
          });
          threads.add(slot, member.sessionId);
          members.push(member);
        }
      }
      const slotOf = (member: Member | undefined) => (member ? slots.slotOf(member.ordinal) : NONE);
      const expected = naiveThreads(members);
      for (const thread of expected) {
        const number = threads.thread[slotOf(thread[0])] as number;
        expect(threads.threadSize[number]).toBe(thread.length);
        expect(threads.threadTerms[number]).toBe(thread.reduce((sum, { terms }) => sum + terms, 0));
        for (const [place, member] of thread.entries()) {
          const slot = slotOf(member);
          const window = thread.slice(Math.max(0, place - 2), place + 3).reduce((sum, { terms }) => sum + terms, 0);
          expect(threads.thread[slot]).toBe(number);
          expect(threads.previous[slot]).toBe(slotOf(thread[place - 1]));
          expect(threads.next[slot]).toBe(slotOf(thread[place + 1]));
          expect(threads.windowTerms[slot]).toBe(window);
        }
      }
      expect(new Set(expected.map((thread) => threads.thread[slotOf(thread[0])])).size).toBe(expected.length);
      for (const agent of new Set(members.map((member) => member.agent))) {
        const own = members.filter((member) => member.agent === agent);
        const windows = own.map((member) => threads.windowTerms[slotOf(member)] as number);
        const author = partitions.authorOf(
          partitions.numberOf({ agentId: String(agent), project: null, scope: 'TEAM' }),
        );
        expect(threads.totalsOf(author)).toEqual({
          memories: own.length,
          terms: own.reduce((sum, member) => sum + member.terms, 0),
          windowTerms: windows.reduce((sum, terms) => sum + terms, 0),
          threads: expected.filter(([first]) => first?.agent === agent).length,
        });
      }
    }),
    { numRuns: 300 },
  );
});
