import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { readQuestion } from '../../src/domain/recall/question/question.ts';
import { EvidenceSearch } from '../../src/search/evidence-search.ts';
import { SpaceVectors } from '../../src/search/vectors/space-vectors.ts';
import { VectorIndex } from '../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../src/search/vectors/vector-matrix.ts';
import { MemoryIndexes } from '../../src/store/indexes/memory-indexes.ts';
import { anyProject, sampleMemory } from '../sample-memory.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('measures the words of a question in a turn before the one in which it chooses, where it has no vectors', async () => {
  const { measureAhead, choose } = EvidenceSearch.prototype;
  const happened: string[] = [];
  jest.spyOn(EvidenceSearch.prototype, 'measureAhead').mockImplementation(function (this: EvidenceSearch, ...about) {
    happened.push('measured');
    measureAhead.apply(this, about);
  });
  jest.spyOn(EvidenceSearch.prototype, 'choose').mockImplementation(function (this: EvidenceSearch, ...about) {
    happened.push('chosen');
    return choose.apply(this, about);
  });
  const indexes = new MemoryIndexes({ vectors: null });
  indexes.add(sampleMemory(1));
  const question = readQuestion('What is memory 1 about?', {
    speakers: indexes.knownTo(anyProject('ann'), null).speakers,
    now: 0,
  });
  const request = { vector: null, namedKeys: [], filter: { viewer: anyProject('ann') }, limit: 5, exceptId: null };
  const others = nextTurn().then(() => happened.push('a request of others'));
  await Promise.all([indexes.search.retrieve(question, request), others]);
  expect(happened).toEqual(['measured', 'a request of others', 'chosen']);
});

test('a filter looks at a large space in several turns, and finds what fits wherever it is', async () => {
  const count = 25_000;
  const matrix = new VectorMatrix({ dimension: 8, maximumRows: count });
  const index = await VectorIndex.open({ matrix, log: { warn: () => {} } });
  const indexes = new MemoryIndexes({ vectors: await SpaceVectors.open(async () => ({ matrix, index })) });
  const fitting = [3, 9_999, 10_000, 24_999];
  const vector = Float32Array.from({ length: 8 }, () => Math.sqrt(1 / 8));
  for (let number = 0; number < count; number++) {
    const tags = fitting.includes(number) ? ['rare'] : [];
    indexes.add(sampleMemory(number, { content: 'Some words.', tags }), {
      rows: { first: matrix.append(vector), count: 1 },
    });
  }
  const question = readQuestion('What else is there?', {
    speakers: indexes.knownTo(anyProject('ann'), null).speakers,
    now: 0,
  });
  const filter = { viewer: anyProject('ann'), tags: ['rare'] };
  let turns = 0;
  let turnOfOthers = setImmediate(function count() {
    turns++;
    turnOfOthers = setImmediate(count);
  });
  const { candidates } = await indexes.search.retrieve(question, {
    vector,
    namedKeys: [],
    filter,
    limit: 5,
    exceptId: null,
  });
  clearImmediate(turnOfOthers);
  await index.close();
  const wanted = fitting.map((number) => sampleMemory(number).id);
  expect(candidates.map(({ stored }) => stored.memory.id).toSorted()).toEqual(wanted.toSorted());
  // Two for each stretch but the last one.
  expect(turns).toBeGreaterThanOrEqual(4);
});
