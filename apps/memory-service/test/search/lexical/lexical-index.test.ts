import { expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { NONE, SlotTable } from '../../../src/search/columns/slot-table.ts';
import { LexicalIndex } from '../../../src/search/lexical/lexical-index.ts';
import { PostingBuffer } from '../../../src/search/lexical/posting-lists.ts';
import { Partitions } from '../../../src/search/partitions.ts';
import { anyProject } from '../../sample-memory.ts';

const TEAM = { agentId: 'ann', project: null, scope: 'TEAM' } as const;

const word = fc.constantFrom('ant', 'bee', 'cow', 'dog', 'eel', 'fox', 'gnu', 'hen');
const text = fc.array(word, { minLength: 1, maxLength: 12 });

function index() {
  const slots = new SlotTable();
  const partitions = new Partitions();
  const partition = partitions.numberOf(TEAM);
  const sight = partitions.sightOf(anyProject('ann'));
  const lexical = new LexicalIndex(slots, partitions, (freed) => slots.reuse(freed));
  const add = (ordinal: number, terms: readonly string[]) => {
    const slot = slots.take({
      ordinal,
      partition,
      createdAt: 0,
      speaker: NONE,
      teller: NONE,
      role: null,
      flags: 0,
      terms: terms.length,
      words: terms.length,
    });
    lexical.add(slot, terms);
  };
  const remove = (ordinal: number) => {
    const slot = slots.slotOf(ordinal);
    slots.clear(slot);
    lexical.remove(slot);
  };
  return { slots, lexical, sight, add, remove };
}

/** The formula in SQLite's documentation of FTS5, "The bm25() function", over what the index says. */
function bm25(
  { slots, lexical, sight }: ReturnType<typeof index>,
  documents: ReadonlyMap<number, readonly string[]>,
  asked: string[],
) {
  const scores = new Map<number, number>();
  const buffer = new PostingBuffer();
  const average = [...documents.values()].reduce((sum, terms) => sum + terms.length, 0) / documents.size;
  for (const term of asked) {
    lexical.read(term, { sight }, buffer);
    expect(lexical.count(term, sight)).toBe(buffer.length);
    const idf = Math.max(Math.log((documents.size - buffer.length + 0.5) / (buffer.length + 0.5)), 1e-6);
    for (let place = 0; place < buffer.length; place++) {
      const slot = buffer.slots[place] as number;
      const count = buffer.counts[place] as number;
      const length = slots.terms[slot] as number;
      const score = (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      const ordinal = slots.ordinal[slot] as number;
      scores.set(ordinal, (scores.get(ordinal) ?? 0) - score);
    }
  }
  return scores;
}

test('gives the scores of SQLite FTS5 for plain BM25, after adds, edits and deletions', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.array(fc.record({ at: fc.nat({ max: 29 }), to: fc.option(text) }), { maxLength: 10 }),
      fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
      (texts, changes, asked) => {
        const ours = index();
        const documents = new Map(texts.entries());
        for (const [ordinal, terms] of documents) ours.add(ordinal, terms);
        for (const { at, to } of changes) {
          if (!documents.has(at)) continue;
          ours.remove(at);
          documents.delete(at);
          if (to) {
            ours.add(at, to);
            documents.set(at, to);
          }
        }
        const db = new Database(':memory:');
        db.exec('CREATE VIRTUAL TABLE documents USING fts5(text)');
        const insert = db.prepare('INSERT INTO documents(rowid, text) VALUES (?, ?)');
        for (const [ordinal, terms] of documents) insert.run(ordinal + 1, terms.join(' '));
        const theirs = db
          .prepare(
            'SELECT rowid - 1 AS ordinal, bm25(documents) AS score FROM documents WHERE documents MATCH ? ORDER BY ordinal',
          )
          .all(asked.join(' OR ')) as { ordinal: number; score: number }[];
        db.close();
        const scores = bm25(ours, documents, asked);
        expect([...scores.keys()].sort((a, b) => a - b)).toEqual(theirs.map(({ ordinal }) => ordinal));
        for (const { ordinal, score } of theirs) expect(scores.get(ordinal)).toBeCloseTo(score, 9);
      },
    ),
    { numRuns: 80 },
  );
});

test('forgets the words of removed memories and uses their slots again, while others are added', () => {
  const { slots, lexical, sight, add, remove } = index();
  for (let ordinal = 0; ordinal < 2_000; ordinal++) add(ordinal, ['common', `rare${ordinal}`]);
  for (let ordinal = 0; ordinal < 1_900; ordinal++) remove(ordinal);
  for (let ordinal = 2_000; ordinal < 6_000; ordinal++) {
    add(ordinal, ['common']);
    if (ordinal >= 2_100) remove(ordinal - 100);
  }
  const buffer = new PostingBuffer();
  lexical.read('common', { sight }, buffer);
  expect(buffer.length).toBe(200);
  expect(lexical.terms).toBeLessThan(700);
  expect(slots.size).toBeLessThan(3_500);
});
