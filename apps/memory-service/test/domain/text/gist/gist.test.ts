import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gistFor, gistOf } from '../../../../src/domain/text/gist/gist.ts';
import { itemAsked } from '../../../../src/domain/text/gist/list-items.ts';
import { termsOf } from '../../../../src/domain/text/words/terms.ts';

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

  test.each([
    ['a sentence', '', ' is the token of the harbour.', 'is the token of the harbour.'],
    [
      'a sentence, after another',
      'Look at this. ',
      ' is the token of the harbour.',
      'Look at this. is the token of the harbour.',
    ],
    ['a sentence, alone', '', '. The harbour opens at six.', 'The harbour opens at six.'],
  ])('does not begin within a word that is longer than it and begins %s', (_where, before, after, gist) => {
    for (const length of [664, 1400]) expect(gistOf(`${before}${'x'.repeat(length)}${after}`)).toBe(gist);
  });

  test('keeps the first word of a sentence right behind a mark that needs no blank', () => {
    const gist = gistOf(`${'我们昨天决定把缓存迁移到新的服务器。'.repeat(40)}The harbour opens at six.`);
    expect(gist).toContain('。 The harbour opens at six.');
  });

  test('begins with such a word where nothing else is told', () => {
    expect(gistOf('x'.repeat(1400))).toBe('x'.repeat(500));
  });

  test('holds any part of a long sentence without blanks between its words', () => {
    const rare = '港口六点开门';
    expect(gistOf(`${'我们昨天决定把缓存迁移到新的服务器'.repeat(30)}${rare}`)).toContain(rare);
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

describe('what a context shows of a long message', () => {
  const CALL = [
    "Notes of my call with Paylane's technical contact, a man called Bartek:",
    'They settle every Tuesday and Friday, one transfer per council, with the fee already taken off.',
    'Refunds are free within 60 days of the payment; later ones cost 40 cents.',
    'Chargebacks cost 15 euros each, whoever is right.',
    'Their sandbox behaves like the real thing except that webhooks come after one second instead of three to ten, and that the card number ending in 0341 always fails at the second step, which is handy for tests.',
    'There is no limit on the number of calls, but above 50 a second they want to know beforehand.',
    'They plan to retire the version of the interface that we use in June of next year, and the new one has another form of signature.',
    'I asked whether both can be used side by side for a while; the answer was yes, for six months.',
    "I'd put a reminder in the roadmap for March.",
  ].join(' ');
  const shown = (question: string, message = CALL) => gistFor(termsOf(question), message);

  test('has the sentence with the asked words, which the gist leaves out', () => {
    expect(gistOf(CALL)).not.toContain('Chargebacks');
    expect(shown('What does a chargeback cost?')).toContain('Chargebacks cost 15 euros each, whoever is right.');
  });

  test('is another part for another question, in the order of the message, with a mark where sentences are left out', () => {
    const answer = shown('Which card number fails in tests?') as string;
    expect(answer).toContain('the card number ending in 0341 always fails');
    expect(answer).not.toContain('Chargebacks');
    const parts = answer.split(' … ');
    expect(parts.length).toBeGreaterThan(1);
    const places = parts.map((part) => CALL.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test.each([
    ['a word of which the stem is spelt otherwise', 'Which city?', 'The city is Lyon.'],
    ['a short one', 'The key?', 'A key lies under the mat.'],
    ['another form of it', 'Who made jam?', 'Ann is making jam.'],
    ['a letter with a mark', 'Which café?', 'The café is shut.'],
    ['letters of full width', 'Ｐｌａｎ', 'Ｐｌａｎ seven.'],
    ['Chinese', '东京', '我们去东京。'],
  ])('has the one sentence with %s', (_what, question, sentence) => {
    const filler = LONGER_FILLER.join(' ').repeat(5);
    expect(shown(question, `${filler} ${sentence} ${filler}`)).toContain(sentence);
  });

  test('is sought by the first terms of a question that is a text', () => {
    const terms = ['chargeback', ...Array.from({ length: 30_000 }, (_, i) => `term${i}`)];
    const reads = { ofMany: 0 };
    const counted = new Proxy(terms, {
      get: (list, name) => {
        if (/^\d+$/.test(String(name))) reads.ofMany++;
        return Reflect.get(list, name);
      },
    });
    expect(gistFor(counted, CALL)).toContain('Chargebacks cost 15 euros each');
    expect(reads.ofMany).toBeLessThanOrEqual(200);
  });

  describe('of a list', () => {
    const TIPS = Array.from(
      { length: 30 },
      (_, at) => `${at + 1}. ${CALL.slice(40 * at, 40 * at + 90).replaceAll('.', ',')}!`,
    );
    const item = (question: string, message: string) => gistFor(termsOf(question), message, itemAsked(question));

    test.each([
      ['What was the sixth tip?', 5],
      ['what was the 12th one on your list', 11],
      ['tip number ten', 9],
      ['step 23', 22],
      ['And the last point?', 29],
    ])('has the item that is asked for: %s', (question, place) => {
      expect(item(question, `Some tips.\n${TIPS.join('\n')}`)).toContain(TIPS[place]);
    });

    test('has the marked item where none is numbered', () => {
      const marked = TIPS.map((tip) => tip.replace(/^\d+\./, '-'));
      expect(item('Which was the fourth?', `Some tips.\n${marked.join('\n')}`)).toContain(marked[3]);
    });

    test('does not take a day for a place in it', () => {
      expect(itemAsked('What happened on the 6th of May?')).toBeNull();
      expect(itemAsked('Who comes on December 3rd?')).toBeNull();
      expect(itemAsked('Which port does step use: 5433?')).toBeNull();
    });

    test('takes only what stands for a place in a list for one', () => {
      expect(itemAsked('When did we first meet Ann?')).toBeNull();
      expect(itemAsked('Where did it rain for the first time?')).toBeNull();
      expect(itemAsked('What was your first tip?')).toBe(1);
      expect(itemAsked('What was the first?')).toBe(1);
    });

    test('has the answer to a question for when something first was', () => {
      const first = `1. Buy ${'bread, jam and tea '.repeat(15)}.`;
      const answer = `We first opened the reading room in ${'the big old house '.repeat(12)}.`;
      const message = [first, '2. Sell it.', ...FILLER, answer].join('\n');
      expect(item('Where did we first open the reading room?', message)).toContain(answer);
    });

    test('is the gist where it has no such item', () => {
      expect(item('What was the 40th?', `Some tips.\n${TIPS.join('\n')}`)).toBeNull();
    });
  });

  test('is left to the gist where no sentence has any of the words', () => {
    expect(shown('Who repaired the bicycle?')).toBeNull();
    // Letters that a word begins with are not the word.
    expect(shown('Who likes cardamom?')).toBeNull();
  });

  test('is found anywhere in a message of 200,000 characters, and is never longer than a gist', () => {
    const filler = `${FILLER.join(' ')} ${LONGER_FILLER.join(' ')} `.repeat(450);
    const message = `${filler.slice(0, 150_000)}. The vault opens with the word heron. ${filler.slice(0, 45_000)}`;
    const answer = shown('Which word opens the vault?', message) as string;
    expect(answer).toContain('The vault opens with the word heron.');
    expect(answer.length).toBeLessThanOrEqual(500);
  });
});
