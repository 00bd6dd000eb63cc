import { describe, expect, test } from '@jest/globals';
import {
  type Speaker,
  type Statement,
  statementsOf,
} from '../../../../src/domain/contradictions/statements/statement.ts';

const read = (text: string, speaker: Speaker = { role: null }) => statementsOf(text, speaker)[0] as Statement;
const wordsAt = ({ words }: Statement, places: Iterable<number>) => [...places].map((at) => words[at]?.text);

describe('a statement', () => {
  test('is about its content words and names', () => {
    const { terms, names } = read('The Kestrel pool of Dana opens the pool.');
    expect([...terms]).toEqual([
      ['kestrel', [1]],
      ['pool', [2, 7]],
      ['dana', [4]],
      ['open', [5]],
    ]);
    expect([...names]).toEqual(['kestrel', 'dana']);
  });

  test.each([
    ['Thanks, Mel! The pool opens.', []],
    ['Hey Mel, the pool opens.', []],
    ['The pool of Mel opens.', ['mel']],
  ])('%j does not speak of whom it speaks to', (text, names) => {
    expect([...read(text).names]).toEqual(names);
  });

  test.each<[string, string[], string[]]>([
    ['The pool has no lift.', ['no'], ['lift']],
    ["It doesn't open, but the shop does.", ["doesn't"], ['open']],
    ['It is not open because the pump broke.', ['not'], ['open']],
    ['No doubt it opens.', [], []],
    ['No, it opens.', [], []],
    // Four content words are in its reach.
    ['Nobody paints the red rusty iron kettle.', ['Nobody'], ['paints', 'the', 'red', 'rusty', 'iron']],
  ])('%j denies with %j the words %j', (text, negations, negated) => {
    const statement = read(text);
    expect(wordsAt(statement, statement.negations)).toEqual(negations);
    expect(wordsAt(statement, statement.negated)).toEqual(negated);
  });

  test.each<[string, Speaker, boolean, string | null]>([
    ['I swim.', { role: 'user', agentId: 'ann' }, true, 'user'],
    ['I swim.', { role: 'user', name: ' Dana ', agentId: 'ann' }, true, 'name dana'],
    ['I swim.', { role: 'assistant', agentId: 'ann' }, false, 'agent ann'],
    ['I swim.', { role: null }, false, 'agent '],
    ['We swim.', { role: 'user' }, true, null],
    ['The user swims.', { role: 'assistant' }, true, null],
    ['She swims.', { role: 'user' }, false, null],
  ])('%j of %j', (text, speaker, isOfUser, self) => {
    expect(read(text, speaker)).toMatchObject({ isOfUser, self });
  });
});

describe('a message', () => {
  test('of up to 320 characters is a statement, beside the different claims in it', () => {
    const extents = (text: string) => statementsOf(text, { role: null }).map(({ extent }) => extent);
    expect(extents('A pool. '.repeat(40).trim())).toEqual(['whole', 'part']);
    expect(extents('A pool. '.repeat(41))).toEqual(['part of long']);
  });

  test('of more is its sentences, each with the one before where a pronoun begins it', () => {
    const filler = 'Then nothing else of any interest happened at the harbour for a while. '.repeat(5);
    const texts = statementsOf(`The Alder pool moved. It opens at nine. ${filler}`, { role: null }).map(
      ({ text }) => text,
    );
    expect(texts.slice(0, 2)).toEqual(['The Alder pool moved.', 'The Alder pool moved. It opens at nine.']);
  });

  test('of many sentences gives 24 of them, the first and the last among them', () => {
    const sentences = Array.from({ length: 100 }, (_, index) => `Sentence ${index} tells of a pool.`);
    const texts = statementsOf(sentences.join(' '), { role: null }).map(({ text }) => text);
    expect(texts).toHaveLength(24);
    expect([texts[0], texts[23]]).toEqual([sentences[0], sentences[99]]);
    expect(new Set(texts).size).toBe(24);
  });
});
