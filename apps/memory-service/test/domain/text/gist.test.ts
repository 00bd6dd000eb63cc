import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gistOf } from '../../../src/domain/text/gist.ts';

const FILLER = [
  'Nothing happened on the coast that morning.',
  'A bird sat there.',
  'My shoes were wet again.',
  'Somebody sang upstairs for an hour.',
  'Rain fell.',
  'I bought three apples and a book about ferns.',
  'The bus came late, as ever.',
  'Her uncle paints doors.',
];

const LONGER_FILLER = [
  'Yesterday evening the neighbours argued about a fence until the lamp went out.',
  'A train whistled twice somewhere behind the hill before it got quiet again.',
];

describe('the gist', () => {
  test('of a message up to 500 characters is the message, trimmed', () => {
    expect(gistOf('  We chose Redis.\n')).toBe('We chose Redis.');
    const longest = 'word '.repeat(100).trim().padEnd(500, 'x');
    expect(gistOf(longest)).toBe(longest);
  });

  test('of a longer one holds the sentences about what most of it is about, in their order', () => {
    const topic = [
      'The migration of the billing database to Postgres starts on Friday.',
      'Before the migration Dana copies the billing database twice.',
      'Without both copies the migration of the database must not start.',
    ];
    const [first = '', second = '', third = ''] = topic;
    const more = [
      'Ducks swim fast.',
      'Maths is hard work.',
      'Everyone laughed about the hat.',
      'Soup gets cold quickly.',
    ];
    const message = [
      ...FILLER,
      ...more,
      first,
      ...LONGER_FILLER,
      second,
      'Afterwards we closed the window.',
      third,
      'Good night!',
    ].join(' ');
    const gist = gistOf(message);
    const places = topic.map((sentence) => gist.indexOf(sentence));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('does not say one thing twice while there is something else to say', () => {
    const message = `${'We deploy the search service on Monday. '.repeat(12)}${FILLER.join(' ')} ${FILLER.slice(0, 2).join(' ')}`;
    const gist = gistOf(message);
    expect(gist.split('We deploy the search service on Monday.').length - 1).toBe(1);
    expect(gist).toContain('apples');
  });

  test('never holds a word that the message does not hold, nor more than 500 characters, in any script', () => {
    const sentence = fc.oneof(
      fc.lorem({ mode: 'sentences', maxCount: 1 }),
      fc.constantFrom(
        '我们用了缓存。',
        'نعم انتهى العمل؟',
        'Мы переехали.',
        '\u{1F600}\u{1F680}',
        'x'.repeat(700),
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 60 }), (sentences) => {
        const message = sentences.join(' ');
        const gist = gistOf(message);
        expect(gist.length).toBeLessThanOrEqual(500);
        expect(gist === '').toBe(message.trim() === '');
        let from = 0; // what it holds stands in the message, in this order
        for (const word of gist.split(/\s+/)) {
          const at = message.indexOf(word, from);
          expect(at).toBeGreaterThanOrEqual(0);
          from = at + word.length;
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test.each([
    ['no blank', 'a'.repeat(200_000)],
    ['emoji alone', '\u{1F600}'.repeat(100_000)],
    ['Chinese', '我们昨天决定把缓存迁移到新的服务器。'.repeat(11_000)],
    ['one letter and its marks', `e${'\u0301'.repeat(199_999)}`],
    ['tiny sentences', 'a b. '.repeat(40_000)],
    ['full stops', '.'.repeat(200_000)],
    ['quotes', `.${'"'.repeat(199_999)}`],
    ['new lines', `a${'\n'.repeat(199_998)}b`],
  ])('of 200,000 characters, %s, is short and well-formed', (_name, message) => {
    const gist = gistOf(message);
    expect(gist.length).toBeLessThanOrEqual(500);
    expect(gist.length).toBeGreaterThan(0);
    expect(gist).not.toMatch(/\p{Surrogate}/u);
  });
});
