import { expect, test } from '@jest/globals';

type Fields = Record<string, unknown>;

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/reading/queries.js', import.meta.url).href;
const { listQuery, recallBody }: Record<'listQuery' | 'recallBody', (fields: Fields) => Fields> = await import(FILE);

const NONE = { q: '', by: '', session: '', tag: '', kind: '', scope: '', recalled: '', from: '', to: '', held: '' };
const ANY = { trust: '', by: '', kind: '', scope: '', tag: '', from: '', to: '', held: '', tokens: '', style: '' };

/** Midnight of a day of November where the tests run. */
const midnight = (day: number) => new Date(2026, 10, day).toISOString();

test('a list takes days from the beginning of the first to the end of the last', () => {
  expect(listQuery({ ...NONE, from: '2026-11-22', to: '2026-11-23', held: '2026-11-30' })).toMatchObject({
    since: midnight(22),
    until: midnight(24),
    as_of: new Date(2026, 11, 1).toISOString(),
  });
});

test('days of which the last is before the first are refused in words for a reader', () => {
  const days = { from: '2026-11-23', to: '2026-11-22' };
  expect(() => listQuery({ ...NONE, ...days })).toThrow('The last day is before the first one.');
  expect(() => recallBody({ ...ANY, ...days })).toThrow('The last day is before the first one.');
  expect(listQuery({ ...NONE, ...days, to: '2026-11-23' })).toMatchObject({ until: midnight(24) });
});

test('what is longer than the service takes is refused in words for a reader', () => {
  const tooLong = { by: 'Agent', session: 'Session', tag: 'Tag' };
  for (const [name, label] of Object.entries(tooLong)) {
    const words = `${label} takes 128 characters at most. Make it shorter.`;
    expect(() => listQuery({ ...NONE, [name]: 'x'.repeat(129) })).toThrow(words);
    if (name !== 'session') expect(() => recallBody({ ...ANY, [name]: 'x'.repeat(129) })).toThrow(words);
    expect(listQuery({ ...NONE, [name]: '\u{1F600}'.repeat(128) })).toBeDefined();
  }
  expect(() => listQuery({ ...NONE, q: 'x'.repeat(1001) })).toThrow('Text takes 1000 characters at most.');
});

test('the last day of the calendar ends with the last instant that the service takes', () => {
  const last = '9999-12-31';
  const end = '9999-12-31T23:59:59.999Z';
  expect(listQuery({ ...NONE, from: last, to: last, held: last })).toMatchObject({ until: end, as_of: end });
  expect(recallBody({ ...ANY, to: last })).toMatchObject({ until: end });
});

test('a list takes what is no day for none', () => {
  expect(listQuery({ ...NONE, from: 'soon' })).toMatchObject({ since: '', until: '', as_of: '' });
});

test.each([
  ['', undefined],
  ['never', 'false'],
  ['ever', 'true'],
])('a list of what was recalled "%s"', (recalled, asked) => {
  expect(listQuery({ ...NONE, by: 'ann', recalled })).toMatchObject({ agent_id: 'ann', recalled: asked });
});

test('a recall without conditions has none in its body', () => {
  expect(JSON.stringify(recallBody(ANY))).toBe('{}');
});

test('a recall has its conditions as the contract has them', () => {
  const conditions = {
    trust: 'user',
    most: 20,
    by: 'ann',
    kind: 'episodic',
    scope: 'TEAM',
    tag: 'db',
    from: '2026-11-22',
  };
  expect(recallBody({ ...ANY, ...conditions, tokens: '250', style: 'json' })).toEqual({
    top_k: 20,
    min_trust: 'user',
    agent_ids: ['ann'],
    kinds: ['episodic'],
    scope: 'TEAM',
    tags: ['db'],
    since: midnight(22),
    max_context_tokens: 250,
    context_style: 'json',
  });
});
