import { expect, test } from '@jest/globals';

interface Recalled {
  readonly score: number;
  readonly why?: Record<string, number>;
  readonly superseded_by: string | null;
  readonly valid_until: string | null;
  readonly contradictions?: { readonly explanation: string }[];
}
interface WhySentence {
  mainReasons(memory: Recalled): string[];
  whySentence(memory: Recalled): string;
  whyRemarks(memory: Recalled, nowMs: number): string;
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/search/why-sentence.js', import.meta.url).href;
const { mainReasons, whySentence, whyRemarks }: WhySentence = await import(FILE);

const NOW = Date.UTC(2026, 10, 28);
const PLAIN: Recalled = { score: 0.5, superseded_by: null, valid_until: null };

test('reasons are told with the weightiest first, and without what is small beside the score', () => {
  const memory = { ...PLAIN, why: { vector: 0.1, lexical: 0.3, entity: 0.07, recency: 0.05, priming: -0.2 } };
  expect(mainReasons(memory)).toEqual(['lexical', 'vector', 'entity']);
  expect(whySentence(memory)).toBe(
    'Found because it has words of the question, it means something like the question, and it names what the question names.',
  );
});

test.each([
  [{ vector: 0.4 }, 'Found because it means something like the question.'],
  [{ vector: 0.4, importance: 0.1 }, 'Found because it means something like the question, and it is important.'],
  [{}, 'Little speaks for it.'],
  [undefined, 'Little speaks for it.'],
])('the reasons %j are a sentence', (why, sentence) => {
  expect(whySentence({ ...PLAIN, ...(why && { why }) })).toBe(sentence);
});

test.each<[string, Partial<Recalled>, string]>([
  ['nothing', {}, ''],
  ['speaker, time or form', { why: { circumstance: -0.1 } }, 'Speaker, time or form speak against it.'],
  ['a newer statement', { why: { update: 0.1 } }, 'Put higher, because it seems to replace an older statement.'],
  ['a successor', { superseded_by: 'x' }, 'It stands behind the memory that came in its place.'],
  ['its end', { valid_until: '2026-11-27T00:00:00Z' }, 'It stands behind what still holds.'],
  ['an end that is to come', { valid_until: '2026-11-29T00:00:00Z' }, ''],
  ['what contradicts it', { contradictions: [{ explanation: 'Friday or Monday.' }] }, 'Undecided: Friday or Monday.'],
])('its place is told by %s', (_, more, remarks) => {
  expect(whyRemarks({ ...PLAIN, ...more }, NOW)).toBe(remarks);
});
