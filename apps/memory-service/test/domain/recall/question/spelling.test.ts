import { describe, expect, test } from '@jest/globals';
import { respelt } from '../../../../src/domain/recall/question/spelling.ts';
import { termsOf } from '../../../../src/domain/text/words/terms.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

/** How many memories have each word. */
const WORDS = {
  migration: 3,
  database: 9,
  planned: 2,
  brewery: 1,
  bravery: 4,
  certificate: 1,
  nginx: 1,
  espresso: 5,
  beaver: 4,
};
const COMMON = new Set(termsOf('between paper beam'));
const memories = new Map(Object.entries(WORDS).map(([word, count]) => [termsOf(word)[0], count]));
const known = {
  speakers: { ...NO_SPEAKERS, find: (word: string) => (word === 'espressa' ? 'espressa' : null) },
  vocabulary: {
    memoriesWith: (term: string) => memories.get(term) ?? 0,
    isCommon: (term: string) => COMMON.has(term),
  },
};
const put = (query: string) => respelt(query, known);

describe('a misspelt word', () => {
  test.each([
    ['a letter left out', 'migraton'],
    ['a letter too much', 'migraation'],
    ['another letter', 'migrstion'],
    ['neighbours swapped', 'migratoin'],
    ['the last letter', 'migratio'],
    ['a letter behind it', 'migrationn'],
  ])('is put right: %s', (_, word) => {
    expect(put(`When was the ${word} planned?`)).toBe('When was the migration planned?');
  });

  test('becomes the word that most memories have', () => {
    expect(put('where is the brevery')).toBe('where is the bravery');
  });

  test('is put right wherever it stands', () => {
    expect(put('databse: which databse, and “certificat”?')).toBe('database: which database, and “certificate”?');
    expect(put('databse (certificat) & "migratoin".')).toBe('database (certificate) & "migration".');
  });

  test.each([
    ['the first letter', 'nigration'],
    ['two slips', 'mgratoin'],
    ['nothing like it', 'walrus'],
    ['known in another form', 'migrations'],
    ['common English', 'papers'],
    ['made of a common word', 'beamer'],
    ['a function word', 'between'],
    ['a speaker', 'espressa'],
    ['a short word', 'ngin'],
    ['a long word', 'migratoinmigrationmigration'],
    ['a name', 'Migratoin'],
    ['an identifier', 'run_migratoin'],
    ['a path', 'src/migratoin.ts'],
    ['a file', 'migratoin.ts'],
    ['a clitic', "migratoin's"],
    ['an address', 'me@migratoin'],
    ['a host', 'migratoin:5432'],
    ['code', '`migratoin`'],
    ['a call', 'migratoin()'],
    ['an index', 'migratoin[0]'],
    ['a variable', '$migratoin'],
    ['an option', 'migratoin=5'],
    ['a value', 'x=migratoin'],
    ['a tag', '<migratoin>'],
    ['another script before it', 'яmigratoin'],
    ['letters with marks', 'migratoiń'],
  ])('stays as it is: %s', (_, word) => {
    expect(put(`When was the ${word} planned?`)).toBe(`When was the ${word} planned?`);
  });

  test('stays where more than three words are unknown', () => {
    expect(put('databse walrus otter')).toBe('database walrus otter');
    expect(put('databse databse walrus otter')).toBe('database database walrus otter');
    expect(put('databse walrus otter heron')).toBe('databse walrus otter heron');
  });

  test('stays in a long query', () => {
    const padding = ' '.repeat(500 - 'databse'.length);
    expect(put(`databse${padding}`)).toBe(`database${padding}`);
    expect(put(`databse ${padding}`)).toBe(`databse ${padding}`);
  });
});
