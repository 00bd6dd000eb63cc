import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EvidenceIndex } from '../../../src/search/evidence-index.ts';
import {
  type IndexedMemory,
  READING_RULES,
  readingVersion,
  readText,
} from '../../../src/search/lexical/text-reading.ts';

const corpus = JSON.parse(readFileSync(new URL('../../data/team-memories.json', import.meta.url), 'utf8'));
const memory = (text: string, changes: Partial<IndexedMemory> = {}): IndexedMemory => ({
  agentId: 'ann',
  sessionId: null,
  scope: 'TEAM',
  project: null,
  createdAt: Date.UTC(2026, 4, 4),
  text,
  speaker: 'Ann',
  role: 'user',
  tags: ['release'],
  ...changes,
});

describe('the reading of a text', () => {
  test('holds its terms, those of its speaker, tags and day, and the marks of its form', () => {
    expect(readText(memory('When is the release?'))).toEqual({
      terms: ['ann', 'when', 'releas', 'releas', '2026-05-04', '2026', 'mondai', '4', 'mai', '2026'],
      flags: 1,
      words: 4,
    });
  });

  /** A change of how texts are read has to raise this number, else the saved readings stay in use. */
  test('is another one only under other rules', () => {
    const texts = [...corpus.messages.map(({ content }: { content: string }) => content), 'Dentist on Thu, 21 Nov.'];
    const readings = texts.map((text) => readText(memory(text)));
    const digest = createHash('sha256').update(JSON.stringify(readings)).digest('hex').slice(0, 16);
    expect({ rules: READING_RULES, digest }).toEqual({ rules: 10, digest: 'ef2ac2aed9fa79ae' });
    expect(readingVersion()).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('an index hands out for a save', () => {
  const text = fc
    .array(fc.constantFrom('ant', 'bee', 'ant?', 'cow', '猫', 'yesterday', 'v1.2', 'x y z'), { maxLength: 8 })
    .map((words) => words.join(' '));
  const change = fc.record({ ordinal: fc.nat(12), text, isRemoval: fc.boolean() });
  const changes = fc.array(change, { maxLength: 40 });

  test('what reading each memory would give, as it was at the moment of asking', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const index = new EvidenceIndex({ vectors: null });
        const stored = new Map<number, IndexedMemory>();
        const make = (list: typeof before) => {
          for (const { ordinal, text, isRemoval } of list) {
            index.remove(ordinal);
            stored.delete(ordinal);
            if (isRemoval) continue;
            stored.set(ordinal, memory(text));
            index.add(ordinal, memory(text), null);
          }
        };
        make(before);
        const readingOf = index.captureReadings();
        const expected = new Map([...stored].map(([ordinal, one]) => [ordinal, readText(one)]));
        make(after);
        for (let ordinal = 0; ordinal <= 13; ordinal++) expect(readingOf(ordinal)).toEqual(expected.get(ordinal));
      }),
    );
  });

  test('also of the longest texts, and of terms whose lists are used again meanwhile', () => {
    const index = new EvidenceIndex({ vectors: null });
    const long = memory('猫犬'.repeat(100_000));
    for (const ordinal of [0, 1, 2]) index.add(ordinal, long, null);
    for (let ordinal = 3; ordinal < 1_003; ordinal++) index.add(ordinal, memory(`old${ordinal}`), null);
    const readingOf = index.captureReadings();
    for (let ordinal = 3; ordinal < 1_003; ordinal++) index.remove(ordinal);
    for (let ordinal = 2_000; ordinal < 4_000; ordinal++) index.add(ordinal, memory(`new${ordinal}`), null);
    expect(readingOf(2)).toEqual(readText(long));
    expect(readingOf(500)).toEqual(readText(memory('old500')));
    expect(readingOf(3_000)).toBeUndefined();
    const later = index.captureReadings();
    expect(later(500)).toBeUndefined();
    expect(later(3_000)).toEqual(readText(memory('new3000')));
  });
});
