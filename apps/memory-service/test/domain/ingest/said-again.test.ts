import { describe, expect, test } from '@jest/globals';
import { withWhatIsNew } from '../../../src/domain/ingest/said-again.ts';
import { sampleMemory } from '../../sample-memory.ts';

const NOW = 1_795_253_400_123;
const known = sampleMemory(1, { tags: ['a'], metadata: { run: 7 }, importance: 0.4 });
const again = (said: Partial<typeof known>, importance: number | null = null) =>
  withWhatIsNew(known, { said: { ...known, tags: [], metadata: {}, ...said }, importance, nowMs: NOW });

describe('what a repetition adds', () => {
  test('is nothing where it says no more: the memory is the same object', () => {
    expect(again({ tags: ['a'], metadata: { run: 7 } }, 0.4)).toEqual({ memory: known, notTaken: [] });
    expect(again({}).memory).toBe(known);
  });

  test('counts as a change', () => {
    expect(again({ tags: ['b'] }).memory).toEqual({ ...known, tags: ['a', 'b'], updatedAt: NOW });
  });

  test('has as many tags as a memory may have, and names the rest', () => {
    const tags = Array.from({ length: 64 }, (_, number) => `t${number}`);
    const { memory, notTaken } = again({ tags });
    expect([memory.tags.length, memory.tags.at(-1), notTaken]).toEqual([64, 't62', ['tags']]);
  });

  test('leaves out metadata for which there is no room, and names each key', () => {
    const metadata = { log: 'x'.repeat(64 * 1024 - 20), note: 1, run: 7 };
    const { memory, notTaken } = again({ metadata });
    expect(memory).toBe(known);
    expect(notTaken).toEqual(['metadata.log', 'metadata.note']);
  });

  test('is nothing for a memory of another agent, which absorbed these words', () => {
    const said = { agentId: 'somebody', tags: ['b'], metadata: { host: 'db-7' } };
    expect(again(said, 0.9)).toEqual({ memory: known, notTaken: ['importance', 'tags', 'metadata.host'] });
  });

  test('counts among its own, where it has absorbed others', () => {
    const own = { tags: [], entities: known.entities, importance: 0.2 };
    const { memory } = withWhatIsNew(
      { ...known, absorbed: [], own },
      { said: { ...known, tags: ['b'] }, importance: 0.9, nowMs: NOW },
    );
    expect(memory.own).toEqual({ ...own, tags: ['b'], importance: 0.9 });
  });
});
