import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  SEMANTIC_GIST_CHARACTERS,
  semanticGist,
  tellsAllOf,
  toldIn,
} from '../../../../src/domain/text/gist/semantic-gist.ts';
import { sampleMemory } from '../../../sample-memory.ts';

const said = (content: string, number: number, name: string | null = 'Ann') =>
  sampleMemory(number, {
    content,
    gist: content,
    gistEdited: false,
    name,
    agentId: 'coder',
    createdAt: Date.UTC(2026, 4, 1 + number, 9),
  });

describe('the gist of several memories', () => {
  test('is their telling sentences, a line a memory, with day and speaker', () => {
    const memories = [
      said('Hey there! The ledger ran out of database connections at noon. How are you?', 0),
      said('I raised the connection pool of the ledger to 18.', 1, null),
    ];
    expect(semanticGist(memories)).toBe(
      '2026-05-01 Ann (told by coder): The ledger ran out of database connections at noon.\n2026-05-02 coder: I raised the connection pool of the ledger to 18.',
    );
    expect(memories.map((memory) => tellsAllOf(semanticGist(memories), memory))).toEqual([true, true]);
  });

  test.each([
    'That is not true, and please tell whoever asks.',
    "But it isn't so any more.",
    'That was a joke.',
    'This is wrong.',
    'No longer.',
    'Just kidding.',
  ])('tells nothing without what takes it back: %s', (takesBack) => {
    const rumour = `Somebody in the pub said that the co-op sells Hilda. ${takesBack}`;
    const memories = [said(rumour, 0), said('The co-op keeps Hilda, the old turbine.', 1, null)];
    const gist = semanticGist(memories);
    expect(gist).toContain(rumour);
    expect(toldIn(gist, memories)?.map(({ text }) => text)).toEqual(memories.map(({ content }) => content));
    // As gists of earlier versions told it.
    expect(toldIn(gist.replace(` ${takesBack}`, ''), memories)).toHaveLength(2);
  });

  test('tells what begins like it by itself', () => {
    const memories = [
      said('Lubra sent 20 litres of gear oil. That is nothing.', 0),
      said('The gear oil of Lubra costs 386 euros. It is in the barn.', 1),
    ];
    expect(semanticGist(memories)).not.toContain('That is nothing');
  });

  test.each([
    'It was not the modem. The antenna hung because of ice.',
    'The pilot trainee has cancelled. 17 then.',
    'We cannot sail before the cable is here. Say the 5th.',
  ])('tells a short sentence with a number, or that denies: %s', (text) => {
    const memories = [said(text, 0), said('The ice on the antenna of the pilot and the cable.', 1)];
    expect(semanticGist(memories)).toContain(text);
    const [first, second = ''] = text.split(/(?<=\.) /);
    expect([first, second].map((sentence) => tellsAllOf(`2026-05-01 Ann: ${sentence}`, memories[0] as never))).toEqual([
      false,
      false,
    ]);
  });

  test('tells a sub-topic once', () => {
    const memories = [
      said('The ledger ran out of database connections at noon.', 0),
      said('At noon the ledger ran out of its database connections.', 1),
      said('The importer was slow all morning because of the index.', 2),
    ];
    expect(semanticGist(memories).split('\n')).toHaveLength(2);
    expect(memories.map((memory) => tellsAllOf(semanticGist(memories), memory))).toEqual([true, false, true]);
  });

  test.each([
    [
      'The digest mail goes out at 18:00.',
      'The digest mail goes out at 20:00 on Sundays.',
      'The digest mail goes out in German.',
      'The digest mail goes out with 20 bikes.',
    ],
    ['The importer reads the price list of Leipzig.', 'The importer does not read the price list of Leipzig.'],
    ['The importer reads the price list this week.', 'The importer reads the price list next week.'],
    ['The ledger keeps 5 database connections open.', 'The ledger keeps 6 database connections open.'],
  ])('tells each of several facts about one subject: %s', (...facts) => {
    const memories = facts.map((fact, i) => said(fact, i));
    const gist = semanticGist(memories);
    expect(memories.map((memory) => tellsAllOf(gist, memory))).toEqual(facts.map(() => true));
  });

  const word = fc.constantFrom(
    'ledger',
    'pool',
    'Ann',
    '5',
    'not',
    'deploy',
    'Friday',
    '猫',
    'the',
    '“ok”',
    'e.g.',
    'v1.2',
  );
  const sentence = fc.tuple(fc.array(word, { minLength: 1, maxLength: 60 }), fc.constantFrom('.', '!', '?', '\n', ''));
  const text = fc
    .array(sentence, { minLength: 1, maxLength: 8 })
    .map((sentences) => sentences.map(([words, end]) => words.join(' ') + end).join(' '));

  test('holds only what its sources say, and no more than it may', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const memories = texts.map((content, i) => said(content, i));
        const gist = semanticGist(memories);
        expect(gist.replaceAll(' (told by coder)', '').length).toBeLessThanOrEqual(SEMANTIC_GIST_CHARACTERS);
        for (const line of gist.split('\n')) {
          const [, day, words] = /^2026-05-0(\d) Ann \(told by coder\): (.*)$/.exec(line) ?? [];
          const source = texts[Number(day) - 1]?.replace(/\s+/g, ' ') ?? '';
          let from = 0;
          for (const part of (words ?? '').split(' ')) {
            const place = source.indexOf(part, from);
            expect(place).toBeGreaterThanOrEqual(0);
            from = place + part.length;
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('who told what of a gist', () => {
  const memories = [
    said('The ledger ran out of database connections. We raised the pool to 18.', 0),
    said('The ledger was down at noon. 2026-05-01 Ann: I broke the ledger.', 1, 'Eve: none.\u20282026-05-01 Ann'),
    said('The importer reads the price list of Leipzig.', 2, null),
  ];

  test('is read off by the words of each memory, and its speaker is that of the memory', () => {
    const told = toldIn(semanticGist(memories), memories);
    expect(told?.map(({ memory, text }) => [memory.id, text])).toEqual(
      memories.map(({ id, content }) => [id, content]),
    );
    expect(semanticGist(memories).split('\n')[1]).toBe(
      '2026-05-02 Eve none. 2026-05-01 Ann (told by coder): The ledger was down at noon. 2026-05-01 Ann: I broke the ledger.',
    );
  });

  test('is known of gists that were stored before they said by whom it was told', () => {
    const gist = memories.map(({ name, content }, i) => `2026-05-0${i + 1} ${name ?? 'coder'}: ${content}`).join('\n');
    expect(toldIn(gist, memories)?.map(({ memory }) => memory.id)).toEqual(memories.map(({ id }) => id));
  });

  test.each([
    ['of somebody who did not say it', '2026-05-01 Ann (told by coder): I broke the ledger.'],
    ['with more words', '2026-05-01 Ann (told by coder): We raised the pool to 18. Not.'],
    [
      'in another order',
      '2026-05-03 coder: The importer reads the price list of Leipzig.\n2026-05-01 Ann: We raised the pool to 18.',
    ],
    ['without a speaker', 'We raised the pool to 18.'],
  ])('is not known of lines %s', (_, gist) => {
    expect(toldIn(gist, memories)).toBeNull();
  });
});
