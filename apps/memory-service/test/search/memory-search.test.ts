import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { readQuestion } from '../../src/domain/recall/question.ts';
import { EvidenceIndex } from '../../src/search/evidence-index.ts';
import { MemoryIndexes } from '../../src/store/memory-indexes.ts';
import { anyProject, sampleMemory } from '../sample-memory.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('measures the words of a question in a turn before the one in which it chooses, where it has no vectors', async () => {
  const { measureAhead, choose } = EvidenceIndex.prototype;
  const happened: string[] = [];
  jest.spyOn(EvidenceIndex.prototype, 'measureAhead').mockImplementation(function (this: EvidenceIndex, ...about) {
    happened.push('measured');
    measureAhead.apply(this, about);
  });
  jest.spyOn(EvidenceIndex.prototype, 'choose').mockImplementation(function (this: EvidenceIndex, ...about) {
    happened.push('chosen');
    return choose.apply(this, about);
  });
  const indexes = new MemoryIndexes({ vectors: null });
  indexes.add(sampleMemory(1), null, null);
  const question = readQuestion('What is memory 1 about?', {
    speakers: indexes.knownTo(anyProject('ann'), null).speakers,
    now: 0,
  });
  const request = { vector: null, namedKeys: [], filter: { viewer: anyProject('ann') }, limit: 5, exceptId: null };
  const others = nextTurn().then(() => happened.push('a request of others'));
  await Promise.all([indexes.retrieve(question, request), others]);
  expect(happened).toEqual(['measured', 'a request of others', 'chosen']);
});
