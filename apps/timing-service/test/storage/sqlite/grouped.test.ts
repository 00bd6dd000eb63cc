import { afterEach, beforeEach, expect, test } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { type Db, watch } from '../../../src/storage/sqlite/faults.ts';
import { grouped } from '../../../src/storage/sqlite/grouped.ts';

let db: Db;
/** Transactions so far, also those that were taken back. */
let commits: number;
beforeEach(() => {
  db = drizzle(new SqliteDatabase(':memory:'));
  db.$client.exec('CREATE TABLE notes (word TEXT UNIQUE)');
  commits = 0;
  watch(db, {
    onDamage: () => {},
    missing: () => null,
    afterWrite: () => {
      commits++;
    },
    isForReading: false,
  });
});
afterEach(() => void db.$client.close());

const insert = (word: string) => () => {
  db.$client.prepare('INSERT INTO notes VALUES (?)').run(word);
  return word;
};
const words = () => db.$client.prepare('SELECT word FROM notes ORDER BY rowid').pluck().all();
const inGroup = <Result>(operation: () => Result, committed: (result: Result) => void = () => {}) =>
  grouped(db)(operation, committed);

test('operations of one turn are one transaction, in their order, and each is answered after the commit', async () => {
  const told: unknown[] = [];
  const results = await Promise.all(
    ['a', 'b', 'c'].map((word) =>
      inGroup(insert(word), (result) => told.push([result, db.$client.inTransaction, words().length])),
    ),
  );
  expect(results).toEqual(['a', 'b', 'c']);
  expect(told).toEqual(['a', 'b', 'c'].map((word) => [word, false, 3]));
  expect(commits).toBe(1);
  await inGroup(insert('d'));
  expect([commits, words()]).toEqual([2, ['a', 'b', 'c', 'd']]);
});

test('one that is refused is taken back whole, and takes no other with it', async () => {
  const told: string[] = [];
  const refused = () => {
    insert('half')();
    throw new Error('refused');
  };
  const results = await Promise.allSettled([
    inGroup(insert('a'), (word) => told.push(word)),
    inGroup(refused, () => told.push('refused')),
    inGroup(insert('b'), (word) => told.push(word)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  // The first one was for all of them, and is taken back.
  expect([words(), told, commits]).toEqual([['a', 'b'], ['a', 'b'], 2]);
  await expect(inGroup(refused)).rejects.toThrow('refused');
  expect(words()).toEqual(['a', 'b']);
});

test('a fault of the database takes all of them back', async () => {
  db.$client.pragma('query_only = 1');
  const results = await Promise.allSettled([inGroup(() => 'reads'), inGroup(insert('a')), inGroup(insert('b'))]);
  expect(results.map((result) => (result as PromiseRejectedResult).reason?.code)).toEqual(
    Array(3).fill('database_unavailable'),
  );
  db.$client.pragma('query_only = 0');
  expect(words()).toEqual([]);
});

test('a transaction holds a bounded number of them', async () => {
  await Promise.all(Array.from({ length: 130 }, (_, index) => inGroup(insert(String(index)))));
  expect([commits, words()]).toEqual([3, Array.from({ length: 130 }, (_, index) => String(index))]);
});
