import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyState } from '../../../../src/domain/cognition/process-state.ts';
import type { TextEmbedding } from '../../../../src/domain/embedding/text-embedding.ts';
import { ALWAYS_VALID, NOT_SUPERSEDED } from '../../../../src/domain/memory/memory.ts';
import type { Retrieved } from '../../../../src/domain/recall/evidence/evidence.ts';
import { recall } from '../../../../src/domain/recall/recall.ts';
import { SpaceVectors } from '../../../../src/search/vectors/space-vectors.ts';
import { VectorIndex } from '../../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../../src/search/vectors/vector-matrix.ts';
import { createVolatileJournal } from '../../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../../src/store/journalled-store.ts';
import { sampleMemory } from '../../../sample-memory.ts';
import { add } from '../../../store/change-store.ts';

const DIMENSION = 24;
const MEMORIES = 400;
const NOW = Date.parse('2026-11-20T09:30:00Z');
const clock = new ManualClock(NOW);
const WORDS =
  'backup deploy ledger violin dog music invoice harbour ticket budget train coffee login page queue parser Kestrel Orion'.split(
    ' ',
  );
const QUERIES = [
  'Kestrel needs the ledger and the backup before the train leaves.',
  'The invoice of the violin is in the queue.',
  'What instrument does the pet like?',
  'Who owns the login page of Orion?',
  'coffee budget',
  'Walruses sing.',
];

const random = (number: number) => {
  const wave = Math.sin(number * 12.9898) * 43_758.5453;
  return wave - Math.floor(wave);
};

/** Words have a direction each, and texts the sum of theirs. */
function vectorOf(text: string): Float32Array {
  const words = text.toLowerCase().match(/\w+/g) ?? [];
  const sum = Array.from({ length: DIMENSION }, (_, axis) =>
    words.reduce((total, word) => total + random(axis + 100 * word.length + word.charCodeAt(0)) - 0.5, 0.01),
  );
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => value / length);
}

function sentence(number: number): string {
  const word = (place: number) => WORDS[Math.floor(WORDS.length * random(7 * number + place) ** 2)] as string;
  return `The ${word(1)} of ${word(2)} waits for the ${word(3)}${number % 5 === 0 ? '?' : `, ${word(4)} and ${number}.`}`;
}

const embedding: TextEmbedding = {
  model: { id: 'words', dimension: DIMENSION },
  kind: 'static',
  isReady: () => true,
  vectorsOf: async (text) => [vectorOf(text)],
  vectorOfQuestion: async (question) => vectorOf(question),
  answerableVectorOf: async () => null,
};

let index: VectorIndex;
let store: JournalledStore;
beforeAll(async () => {
  const matrix = new VectorMatrix({ dimension: DIMENSION });
  index = await VectorIndex.open({ matrix, log: { warn: () => {} } });
  const vectors = await SpaceVectors.open(async () => ({ matrix, index }));
  store = new JournalledStore({ indexes: new MemoryIndexes({ vectors }), journal: createVolatileJournal(), clock });
  for (let number = 0; number < MEMORIES; number++) {
    const content = sentence(number);
    const memory = sampleMemory(number, {
      content,
      gist: content,
      gistEdited: false,
      kind: 'episodic',
      scope: 'TEAM',
      project: null,
      sessionId: `session-${number % 9}`,
      sources: [],
      createdAt: NOW - (MEMORIES - number) * 60_000,
      idempotencyKey: null,
      ...NOT_SUPERSEDED,
      ...ALWAYS_VALID,
    });
    await add(store, memory, { vectors: [vectorOf(content)] });
  }
});
afterAll(() => index.close());

/** What a recall answers where the store retrieves so, by what the original gives. */
async function answers(retrieve: JournalledStore['retrieve']) {
  const changed = new Proxy(store, {
    get: (target, name) => {
      if (name === 'retrieve') return retrieve;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const found = [];
  for (const query of QUERIES) {
    const deps = { ...emptyState(store), clock, store: changed, embedding };
    found.push(
      await recall(
        deps,
        { agentId: 'agent-1', sessionId: 'session-1', project: null, space: 'default' },
        {
          query,
          topK: 10,
          minScore: 0,
          filter: {},
          nowMs: null,
          explain: true,
          strengthen: false,
          context: { maxCharacters: 4_000, maxTokens: null, style: 'lines' },
          exceptId: null,
        },
      ),
    );
  }
  return found;
}

const retrieveAll: JournalledStore['retrieve'] = (question, options) =>
  store.retrieve(question, { ...options, weigh: undefined });

test('a recall answers the same where candidates that cannot be among the best are left out', async () => {
  const retrieved: Retrieved[] = [];
  const some = await answers(async (question, options) => {
    const found = await store.retrieve(question, options);
    retrieved.push(found);
    return found;
  });
  expect(some).toEqual(await answers(retrieveAll));
  expect(retrieved).toHaveLength(QUERIES.length);
  for (const { candidates, leftOut } of retrieved) {
    expect(leftOut).not.toBeNull();
    expect(candidates.length).toBeLessThan(MEMORIES / 2);
  }
});

test('a recall asks for all candidates where one that was left out may be among the best', async () => {
  const asked: boolean[] = [];
  const cautious = await answers(async (question, options) => {
    const found = await store.retrieve(question, options);
    asked.push(options.weigh !== undefined);
    return options.weigh ? { ...found, candidates: [], leftOut: { score: 3, figures: [0, 0, 0] } } : found;
  });
  expect(cautious).toEqual(await answers(retrieveAll));
  expect(asked).toEqual(QUERIES.flatMap(() => [true, false]));
});
