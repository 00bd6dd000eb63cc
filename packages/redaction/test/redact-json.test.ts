import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findSecrets, type RedactionCounts, redactJson } from '../src/index.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

function redacted(value: unknown, { masks = true } = {}) {
  const counts: RedactionCounts = new Map();
  const places: string[] = [];
  const onFound = (where: readonly string[], types: readonly string[]) => {
    places.push(`${where.join('/')}: ${types}`);
  };
  const steps = redactJson(value, { masks, counts, onFound });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { value: step.value, counts: Object.fromEntries(counts), places };
  }
}

describe('a JSON value', () => {
  test('is masked at every depth, in lists and in names of fields, and says where', () => {
    const given = { a: [{ b: `x ${TOKEN}` }], [TOKEN]: 1, c: 'plain' };
    expect(redacted(given)).toEqual({
      value: { a: [{ b: 'x [REDACTED:github-token]' }], '[REDACTED:github-token]': 1, c: 'plain' },
      counts: { 'github-token': 2 },
      places: ['a/0/b: github-token', ': github-token'],
    });
  });

  test('is found alike whether its texts are known or not', () => {
    const word = fc.constantFrom(
      'bench',
      'ok',
      '--password',
      '--force',
      'password',
      'name',
      'value',
      'key',
      'hunter2',
      TOKEN,
      'DB_PASSWORD',
      '<private>x</private>',
      '0198c5d2a8b47e3f9a1b2c3d4e5f6a7b',
      'swordfish9',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, word, fc.nat(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    }));
    // A value of so many items is searched, whatever is known of it.
    const items = Array.from({ length: 100 }, () => 0);
    const searched = (given: unknown, masks: boolean) => {
      const { value: list, counts, places } = redacted([given, ...items], { masks });
      return {
        value: (list as unknown[])[0],
        counts,
        places: places.map((place) => place.replace(/^0(\/|(?=:))/, '')),
      };
    };
    fc.assert(
      fc.property(value, fc.boolean(), (given, masks) => {
        expect(redacted(given, { masks })).toEqual(searched(given, masks));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([32, 31, 7])('holds no secret in %i digits of a hexadecimal identifier', (length) => {
    const hex = fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    fc.assert(fc.property(hex, (id) => expect(findSecrets(id)).toEqual([])));
  });

  test('keeps fields apart whose names are masked alike', () => {
    const other = `ghp_${'c3D4'.repeat(9)}`;
    expect(redacted({ [TOKEN]: 1, [other]: 2 }).value).toEqual({
      '[REDACTED:github-token]': 1,
      '[REDACTED:github-token] 2': 2,
    });
  });

  test.each([
    [{ password: 'hunter2' }, { password: '[REDACTED:password]' }],
    [{ password: 'swordfish' }, { password: '[REDACTED:password]' }],
    [{ db: { PGPASSWORD: 123456 } }, { db: { PGPASSWORD: '[REDACTED:password]' } }],
    [{ apiKey: 'a1b2c3d4e5f6' }, { apiKey: '[REDACTED:credential]' }],
    [
      { name: 'DB_PASSWORD', value: 'hunter2' },
      { name: 'DB_PASSWORD', value: '[REDACTED:password]' },
    ],
    [{ args: ['--password', 'hunter2'] }, { args: ['--password', '[REDACTED:password]'] }],
  ])('%j is masked by its name', (given, masked) => {
    expect(redacted(given).value).toEqual(masked);
  });

  test.each([
    { password: 'string' },
    { token: 'expired' },
    { tokens: 12345678, max_tokens: 4096, total_tokens: 123456 },
    { password: null, secret: true, token: 12345678 },
    { password_hash_rounds: 12345 },
    { name: 'region', value: 'eu-west-1' },
    { next_page_token: 'CAEQAA12345678' },
  ])('%j stays as it is, and is the same value', (given) => {
    expect(redacted(given).value).toBe(given);
  });

  test('loses its private parts, also where secrets are kept', () => {
    const given = { a: `<private>x</private>${TOKEN}` };
    expect(redacted(given, { masks: false })).toEqual({ value: { a: TOKEN }, counts: { private: 1 }, places: [] });
  });

  test('stays the same where there is nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), (value) => {
        // Of such short texts none is a secret by its form.
        expect(redacted(value).value).toEqual(value);
      }),
      { seed: 5 },
    );
  });

  test('does not touch the prototype of anything', () => {
    const given = JSON.parse(`{"__proto__": {"x": "${TOKEN}"}, "constructor": "${TOKEN}"}`);
    const { value } = redacted(given);
    expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf({}));
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(value)).not.toContain(TOKEN);
  });

  test('lets others have a turn at each field, also where no value is a text', () => {
    const numbers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field ${index}`, index]));
    const steps = redactJson({ metadata: numbers }, { masks: true, counts: new Map() });
    let turns = 0;
    while (!steps.next().done) turns++;
    expect(turns).toBeGreaterThanOrEqual(1_000);
  });
});
