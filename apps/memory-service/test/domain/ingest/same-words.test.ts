import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SameWords, wordsKey } from '../../../src/domain/ingest/same-words.ts';
import { FOR_GOOD, type Validity } from '../../../src/domain/memory/memory.ts';

const DAY = 86_400_000;
const SAID = Date.UTC(2026, 2, 1);
const message = {
  id: 'a',
  agentId: 'ada',
  sessionId: 's1',
  scope: 'TEAM',
  project: null,
  role: 'user',
  name: null,
  content: 'He has worked here for 5 years.',
  createdAt: SAID,
  ...FOR_GOOD,
} as const;

function noted(...messages: Partial<Omit<typeof message, 'content'> & { content: string }>[]): SameWords {
  const guard = new SameWords();
  for (const change of messages) guard.note({ ...message, ...change });
  return guard;
}

describe('the duplicate guard', () => {
  test.each([
    'He has worked here for 5 years.',
    ' he HAS worked\n\there  for 5 years. ',
    'He has worked here for ５ years.',
  ])('knows %j again', (content) => {
    expect(noted({}).find({ ...message, content })).toBe('a');
  });

  test.each([
    ['He has worked here for 5 years.', 'He has worked here for 6 years.'],
    ['It is -5 degrees', 'It is 5 degrees'],
    ['It is 1.5 m', 'It is 15 m'],
    ['10² bytes', '102 bytes'],
    ['½ of it', '1/2 of it'],
    ['Done.', 'Done?'],
    ['a b', 'ab'],
    ['résumé', 'resume'],
  ])('takes %j and %j for two', (one, other) => {
    expect(noted({ content: one }).find({ ...message, content: other })).toBeNull();
  });

  test.each([
    { agentId: 'bob' },
    { sessionId: 's2' },
    { sessionId: null },
    { scope: 'PRIVATE' as const },
    { role: 'assistant' as const },
    { name: 'Caroline' },
    { createdAt: SAID + DAY },
    { createdAt: SAID - DAY },
  ])('takes the same words for another message with %j', (change) => {
    expect(noted({}).find({ ...message, ...change })).toBeNull();
  });

  test('reaches a day less a millisecond, backwards too', () => {
    const guard = noted({});
    expect(guard.find({ ...message, createdAt: SAID + DAY - 1 })).toBe('a');
    expect(guard.find({ ...message, createdAt: SAID - DAY + 1 })).toBe('a');
  });

  test.each([
    ['repeats what still holds', {}, { validUntil: SAID + 1 }, 'a'],
    ['is news once that has ended', {}, { validUntil: SAID }, null],
    ['does not go with what expires', {}, { expiresAt: SAID + 1 }, null],
    ['is news with an end', { validUntil: SAID + 5 }, {}, null],
    ['is the same again with the same end, even a past one', { validUntil: SAID - 5 }, { validUntil: SAID - 5 }, 'a'],
    ['is news with another beginning', { validFrom: SAID + 5 }, { validFrom: SAID + 6 }, null],
    ['is the same again with the same expiry', { expiresAt: SAID + 5 }, { expiresAt: SAID + 5 }, 'a'],
  ])('a message %s', (_, said: Partial<Validity>, known: Partial<Validity>, found: string | null) => {
    expect(noted({ ...known } as never).find({ ...message, ...said })).toBe(found);
  });

  test('forgets what was deleted, and nothing else', () => {
    const guard = noted({}, { id: 'b' as never, content: 'Something else' });
    guard.forget('a');
    guard.forget('unknown');
    expect(guard.find(message)).toBeNull();
    expect(guard.find({ ...message, content: 'something else' })).toBe('b');
    expect(guard.size).toBe(1);
  });

  test('follows a memory that changes, and lets the latest of the same words count', () => {
    const guard = noted({}, { scope: 'PRIVATE' as never });
    expect(guard.find(message)).toBeNull();
    expect(guard.find({ ...message, scope: 'PRIVATE' })).toBe('a');
    guard.note({ ...message, scope: 'PRIVATE', id: 'b', createdAt: SAID + 2 * DAY });
    expect(guard.find({ ...message, scope: 'PRIVATE', createdAt: SAID + 2 * DAY })).toBe('b');
    guard.forget('a'); // gone already: must not take b along
    expect(guard.size).toBe(1);
  });

  test('knows each day on which the words were said, in whatever order they came', () => {
    const days = [5, 1, 3];
    const guard = noted(...days.map((day) => ({ id: `day ${day}` as never, createdAt: SAID + day * DAY })));
    for (const day of days) {
      expect(guard.find({ ...message, createdAt: SAID + day * DAY + 1_000 })).toBe(`day ${day}`);
    }
    expect(guard.find({ ...message, createdAt: SAID + 7 * DAY })).toBeNull();
    guard.forget('day 1');
    expect(days.map((day) => guard.find({ ...message, createdAt: SAID + day * DAY + 1_000 }))).toEqual([
      'day 5',
      null,
      'day 3',
    ]);
  });

  test('keeps a bounded number', () => {
    const guard = new SameWords({ most: 2 });
    for (const id of ['a', 'b', 'c']) guard.note({ ...message, id, content: id });
    expect(['a', 'b', 'c'].map((content) => guard.find({ ...message, content }))).toEqual([null, 'b', 'c']);
    guard.forget('a');
    expect(guard.size).toBe(2);
  });

  test('forgets what was noted first, however often it forgot before', () => {
    const number = fc.nat({ max: 30 });
    const step = fc.oneof({ weight: 4, arbitrary: fc.record({ note: number }) }, fc.record({ forget: number }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (steps, most) => {
        const guard = new SameWords({ most });
        let naive: number[] = [];
        for (const one of steps) {
          const id = 'note' in one ? one.note : one.forget;
          naive = naive.filter((other) => other !== id);
          if ('note' in one) {
            guard.note({ ...message, id: `${id}`, content: `${id}` });
            naive = [...naive, id].slice(-most);
          } else guard.forget(`${id}`);
          const found = Array.from({ length: 31 }, (_, n) => guard.find({ ...message, content: `${n}` }));
          expect(found).toEqual(found.map((_, n) => (naive.includes(n) ? `${n}` : null)));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('takes two messages for one exactly when their keys are the same', () => {
    const chunk = fc.constantFrom(
      'a',
      'A',
      'ä',
      'Ä',
      'A\u0308',
      '５',
      '5',
      '²',
      ' ',
      '\t',
      '\u00a0',
      '\u2003',
      'ﬁ',
      'fi',
      'K',
      'İ',
      '.',
    );
    const content = fc.array(chunk, { maxLength: 4 }).map((chunks) => chunks.join(''));
    fc.assert(
      fc.property(content, content, (one, other) => {
        const found = noted({ content: one }).find({ ...message, content: other }) !== null;
        expect(found).toBe(wordsKey({ ...message, content: one }) === wordsKey({ ...message, content: other }));
      }),
      { numRuns: 2_000 },
    );
  });

  test('finds what a plain search through all messages finds, after any notes and deletes', () => {
    const content = fc.constantFrom(
      'Good morning',
      'good  MORNING ',
      'ｇood morning',
      'good morning 2',
      'good morning ²',
      'x'.repeat(9_000),
    );
    const one = fc.record({
      op: fc.constantFrom('note', 'note', 'note', 'find', 'find', 'forget'),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      agentId: fc.constantFrom('ada', 'bob'),
      sessionId: fc.constantFrom('s1', null),
      hours: fc.nat(60),
      content,
    });
    /** The words by which a naive guard compares: characters such as "²" stay, all others take their compatible form. */
    const plain = (text: string) =>
      [...text]
        .map((character) => (/\p{No}/u.test(character) ? character : character.normalize('NFKC')))
        .join('')
        .toLowerCase()
        .split(/\s+/)
        .filter(Boolean)
        .join(' ');
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (steps) => {
        const guard = new SameWords();
        let all: { id: string; agentId: string; sessionId: string | null; createdAt: number; words: string }[] = [];
        for (const { op, id, hours, ...said } of steps) {
          const { agentId, sessionId, content } = said;
          const createdAt = SAID + hours * 3_600_000;
          const words = plain(content);
          if (op === 'find') {
            const isSame = (other: (typeof all)[number]) =>
              other.agentId === agentId &&
              other.sessionId === sessionId &&
              other.words === words &&
              Math.abs(other.createdAt - createdAt) < DAY;
            expect(guard.find({ ...message, ...said, createdAt })).toBe(all.findLast(isSame)?.id ?? null);
            continue;
          }
          all = all.filter((other) => other.id !== id);
          if (op === 'forget') guard.forget(id);
          else {
            guard.note({ ...message, ...said, id, createdAt });
            all.push({ id, agentId, sessionId, createdAt, words });
          }
          expect(guard.size).toBe(all.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});
