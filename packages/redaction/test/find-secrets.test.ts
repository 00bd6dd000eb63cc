import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findSecrets, maskSecrets, PROVIDER_RULES } from '../src/index.ts';
import { WITH_SECRETS, WITHOUT_SECRETS } from './examples.ts';

const SENTENCE = (secret: string) => `Use ${secret} for the deployment.`;
/** As in the examples, whose texts hold no token that a scanner could take for a real one. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

const masked = (text: string) => maskSecrets(text, new Map());
const parts = (text: string) => findSecrets(text).map(({ start, end }) => text.slice(start, end));

describe('forms of providers', () => {
  test('there are at least 45, each under its own name', () => {
    expect(PROVIDER_RULES.length).toBeGreaterThanOrEqual(45);
    expect(new Set(PROVIDER_RULES.map(({ type }) => type)).size).toBe(PROVIDER_RULES.length);
    for (const { source } of PROVIDER_RULES) expect(source).toMatch(/^https:\/\//);
  });

  test.each(PROVIDER_RULES)('$type is found in a sentence, in quotes, in JSON, and alone', ({ type, positive }) => {
    for (const text of [positive, SENTENCE(positive), `x = '${positive}';`, JSON.stringify({ x: positive })]) {
      expect(findSecrets(text).map((found) => found.type)).toContain(type);
    }
  });

  test.each(PROVIDER_RULES)('$type leaves what only looks like it', ({ negative }) => {
    expect(masked(SENTENCE(negative))).toBe(SENTENCE(negative));
  });

  test.each(PROVIDER_RULES.map((rule) => [rule.type, rule] as const))(
    'nothing of a random %s is left',
    (_type, { pattern, literals, before, keepsLiteral }) => {
      const whole = fc.stringMatching(new RegExp(`^${pattern.source.replace(/\(\?!.*\)$/, '')}$`));
      fc.assert(
        fc.property(whole, (secret) => {
          const text = `It is ${keepsLiteral ? literals[0] : ''}${secret} now.`;
          const rest = masked(text);
          expect(rest).not.toContain(secret);
          expect(rest).toMatch(/\[REDACTED:[a-z0-9-]+\]/);
          expect(before ?? [0]).not.toHaveLength(0);
        }),
        { seed: 11, numRuns: 10 },
      );
    },
  );
});

describe('a long text', () => {
  const WHOLE = [...PROVIDER_RULES.map(({ positive }) => SENTENCE(positive)), ...WITH_SECRETS]
    .map((text) => text.replaceAll(/[‹›]/g, '').replaceAll('ghp_TOKEN', TOKEN))
    .filter((text) => findSecrets(text).length > 0);

  test('has the same secrets wherever in it they stand', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE), fc.integer({ min: 0, max: 300 }), (text, before) => {
        // The search goes on in another step after 16,384 characters.
        const shift = 16_384 - before;
        const blank = ' \n'.repeat(10_000);
        const moved = findSecrets(`${blank.slice(0, shift - (shift % 2))}${text}${blank}`);
        const from = shift - (shift % 2);
        expect(moved).toEqual(
          findSecrets(text).map((one) => ({ ...one, start: one.start + from, end: one.end + from })),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('credentials', () => {
  test.each(WITH_SECRETS.map((text) => text.replaceAll('ghp_TOKEN', TOKEN)))('%s', (marked) => {
    const text = marked.replaceAll(/[‹›]/g, '');
    const secrets = [...marked.matchAll(/‹([^›]*)›/g)].map(([, secret]) => secret);
    expect(parts(text)).toEqual(secrets);
  });

  test.each(WITHOUT_SECRETS)('%s', (text) => {
    expect(parts(text)).toEqual([]);
  });

  test('what is masked already is not masked again', () => {
    const texts = [...WITH_SECRETS, ...PROVIDER_RULES.map(({ positive }) => SENTENCE(positive))];
    for (const text of texts) {
      const once = masked(text.replaceAll(/[‹›]/g, ''));
      expect(masked(once)).toBe(once);
    }
  });
});
