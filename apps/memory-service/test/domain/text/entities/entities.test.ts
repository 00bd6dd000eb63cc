import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { entityKey, readNames } from '../../../../src/domain/text/entities/entities.ts';
import { LABELLED_MESSAGES } from './labelled-messages.ts';

interface Known {
  readonly speaker?: string | null;
  readonly isKnown?: (key: string) => boolean;
}

const readEntities = (text: string, { speaker = null, isKnown = () => false }: Known = {}) =>
  readNames(text).by(speaker).entities(isKnown);
const namesIn = (text: string, options?: Known) =>
  readEntities(text, options).map(({ type, name }) => `${type} ${name}`);

describe('entities', () => {
  test('agree with a reader on 60 labelled messages: precision 0.98 and recall 0.95 at least, types 0.75', () => {
    let [agreed, invented, missed, typed] = [0, 0, 0, 0];
    for (const { text, names } of LABELLED_MESSAGES) {
      const wanted = new Map(names.map((name) => [entityKey(name.slice(name.indexOf(' ') + 1)), name.split(' ')[0]]));
      const got = new Map(readEntities(text).map((entity) => [entityKey(entity.name), entity.type]));
      for (const [key, type] of got) {
        if (!wanted.has(key)) invented++;
        else agreed++;
        if (wanted.get(key) === type) typed++;
      }
      for (const key of wanted.keys()) if (!got.has(key)) missed++;
    }
    // Measured: 92 agreed, 1 invented, 4 missed; 0.989, 0.958, 0.772.
    expect(agreed / (agreed + invented)).toBeGreaterThanOrEqual(0.98);
    expect(agreed / (agreed + missed)).toBeGreaterThanOrEqual(0.95);
    expect(typed / agreed).toBeGreaterThanOrEqual(0.75);
  });

  test.each<[string, string[]]>([
    [
      'See `EntityIndex` and `entity-index` in `src/storage`, not `let x = 1`.',
      ['identifier EntityIndex', 'identifier entity-index', 'identifier src/storage'],
    ],
    ['Mail a.b+c@mail.example.co.uk, or @scope/pkg', ['email a.b+c@mail.example.co.uk', 'identifier @scope/pkg']],
    ['(https://example.com/a_(b), localhost:7832)', ['url https://example.com/a_(b', 'url localhost:7832']],
    ['issue 12, PR 34 and ticket XY-9', ['identifier #12', 'identifier #34', 'identifier XY-9']],
    ['version 3.2 costs 4.5 euros', ['version 3.2']],
    ['e.g. either/or, state-of-the-art, api-based, 24/7, mid-2023, SHA-256', []],
    ['Dana met Dana. DANA!', ['person Dana']],
    ['We saw Mum and Dad, Grandma Rosa and Grandpa.', ['other Rosa']],
    ['We saw Mom, Mommy, Mummy, Mama, Mamma, Daddy, Papa, Granny, Grandad and Granddad.', []],
    ['We meet on Mondays, Tuesdays and Wednesdays with Priya.', ['other Priya']],
    ['We rest on Thursdays, Fridays, Saturdays and Sundays.', []],
    ['', []],
  ])('of %j are %j', (text, expected) => {
    expect(namesIn(text)).toEqual(expected);
  });

  test('at the start of a sentence are names only when something else says so', () => {
    expect(namesIn('Zebra is on holiday.')).toEqual([]);
    expect(namesIn('Zebra is on holiday. I like Zebra.')).toEqual(['other Zebra']);
    expect(namesIn('Zebra is on holiday.', { isKnown: (key) => key === 'zebra' })).toEqual(['other Zebra']);
    expect(namesIn('Zebra is on holiday.', { speaker: 'zebra' })).toEqual(['person zebra']);
  });

  test('begin with the speaker', () => {
    expect(namesIn('I saw Rome.', { speaker: ' Caroline ' })).toEqual(['person Caroline', 'other Rome']);
    expect(namesIn('Hello', { speaker: '  ' })).toEqual([]);
  });

  test('are the same under one key whatever their case, signs and width', () => {
    expect(entityKey('@Dana')).toBe('dana');
    expect(entityKey('#Release-Notes')).toBe('release-notes');
    expect(entityKey('#123')).toBe('#123');
    expect(entityKey('Ｏ’Brien\u00a0 Inc')).toBe("o'brien inc");
  });

  test('are bounded in number, in length and in what they cost', () => {
    const many = Array.from({ length: 100 }, (_, index) => `abc_${index}`).join(' ');
    expect(readEntities(many)).toHaveLength(32);
    for (const unit of ['a', 'A', 'a.', '/a', 'x_', '@', 'A.', '缓存', '\u0301', 'Abc ', '`', '"']) {
      for (const { name } of readEntities(unit.repeat(200_000 / unit.length)))
        expect(name.length).toBeLessThanOrEqual(200);
    }
  });

  test.each([
    ['5,000 words', 'Tango a. '.repeat(22_000), 2_500],
    ['50,000 characters', `Tang${'o'.repeat(30)} a. `.repeat(5_000), 1_316],
  ])('are looked for in %s of 200,000 characters', (_name, text, most) => {
    const asked: string[] = [];
    const isKnown = (key: string) => asked.push(key) < 0;
    const named = readEntities(`${text} the team met Zelda`, { isKnown });
    expect(named.map(({ name }) => name)).not.toContain('Zelda');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(most);
  });

  test('stand in the text, once each, in any script', () => {
    const unit = fc.constantFrom(
      'Abc',
      'x_y',
      '#1',
      ' ',
      '. ',
      'é',
      '缓存',
      'Ж',
      '\u{1F600}',
      '@q',
      "'s",
      '\n',
      '-',
      'URL',
      'ß',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const entities = readEntities(text);
        const keys = entities.map(({ name }) => entityKey(name));
        expect(new Set(keys).size).toBe(keys.length);
        for (const { name } of entities) {
          const words = name.replace(/^#/, '').split(' ');
          expect(words.every((word) => text.includes(word))).toBe(true);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
