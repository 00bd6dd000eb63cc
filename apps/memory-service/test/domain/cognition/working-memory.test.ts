import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WorkingMemory } from '../../../src/domain/cognition/working-memory.ts';

const ada = { agentId: 'ada', sessionId: 's1', project: null, space: 'default' };

describe('working memory', () => {
  test('holds the last items of a session, newest last', () => {
    const memory = new WorkingMemory({ mostItems: 3 });
    for (const id of ['a', 'b', 'c', 'd']) memory.note(ada, { id, characters: 10 });
    expect(memory.items(ada)).toEqual(['b', 'c', 'd']);
  });

  test('is bounded by characters too, and keeps the newest item however long it is', () => {
    const memory = new WorkingMemory({ mostCharacters: 100 });
    memory.note(ada, { id: 'a', characters: 60 });
    memory.note(ada, { id: 'b', characters: 40 });
    expect(memory.items(ada)).toEqual(['a', 'b']);
    memory.note(ada, { id: 'c', characters: 1 });
    expect(memory.items(ada)).toEqual(['b', 'c']);
    memory.note(ada, { id: 'd', characters: 5_000 });
    expect(memory.items(ada)).toEqual(['d']);
  });

  test('moves an item that is noted again to the end', () => {
    const memory = new WorkingMemory();
    for (const id of ['a', 'b', 'a']) memory.note(ada, { id, characters: 1 });
    expect(memory.items(ada)).toEqual(['b', 'a']);
  });

  test('keeps agents and sessions apart', () => {
    const memory = new WorkingMemory();
    memory.note(ada, { id: 'a', characters: 1 });
    const others = [
      { agentId: 'ada', sessionId: 's2', project: null, space: 'default' },
      { agentId: 'ada', sessionId: null, project: null, space: 'default' },
      { agentId: 'bob', sessionId: 's1', project: null, space: 'default' },
    ];
    expect(others.map((other) => memory.items(other))).toEqual([[], [], []]);
  });

  test('forgets an item in every session', () => {
    const memory = new WorkingMemory({ mostCharacters: 10 });
    const bob = { agentId: 'bob', sessionId: null, project: null, space: 'default' };
    for (const caller of [ada, bob]) memory.note(caller, { id: 'a', characters: 9 });
    memory.note(ada, { id: 'b', characters: 1 });
    memory.forget('a');
    expect([memory.items(ada), memory.items(bob)]).toEqual([['b'], []]);
    memory.note(ada, { id: 'c', characters: 9 }); // what was forgotten takes no room
    expect(memory.items(ada)).toEqual(['b', 'c']);
  });

  test('drops the session that was used least recently', () => {
    const memory = new WorkingMemory({ mostSessions: 2 });
    const sessions = ['s1', 's2', 's3'].map((sessionId) => ({
      agentId: 'ada',
      sessionId,
      project: null,
      space: 'default',
    }));
    for (const caller of sessions) memory.note(caller, { id: 'a', characters: 1 });
    expect(sessions.map((caller) => memory.items(caller))).toEqual([[], ['a'], ['a']]);
  });

  test('does what a plain list does', () => {
    const step = fc.record({
      forget: fc.boolean(),
      session: fc.constantFrom('s1', 's2', null),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      characters: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memory = new WorkingMemory({ mostItems: 3, mostCharacters: 10 });
        let naive: { session: string | null; id: string; characters: number }[] = [];
        for (const { forget, session, id, characters } of steps) {
          if (forget) {
            memory.forget(id);
            naive = naive.filter((item) => item.id !== id);
            continue;
          }
          memory.note({ agentId: 'ada', sessionId: session, project: null, space: 'default' }, { id, characters });
          naive = [...naive.filter((item) => item.session !== session || item.id !== id), { session, id, characters }];
          const own = naive.filter((item) => item.session === session);
          while (own.length > 1 && (own.length > 3 || own.reduce((sum, item) => sum + item.characters, 0) > 10)) {
            const oldest = own.shift();
            naive = naive.filter((item) => item !== oldest);
          }
        }
        for (const session of ['s1', 's2', null]) {
          const expected = naive.filter((item) => item.session === session).map((item) => item.id);
          expect(memory.items({ agentId: 'ada', sessionId: session, project: null, space: 'default' })).toEqual(
            expected,
          );
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
