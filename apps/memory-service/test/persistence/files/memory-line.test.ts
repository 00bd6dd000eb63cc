import { expect, test } from '@jest/globals';
import { absorbing } from '../../../src/domain/consolidation/absorb.ts';
import { memoryFromWire, memoryToWire, type WireObject } from '../../../src/persistence/files/memory-line.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';

test('a memory comes back from its line as it was, with what it absorbed and what it has by itself', () => {
  const [survivor, other] = [1, 2].map((number) => ({
    memory: sampleMemory(number, { tags: [`tag-${number}`] }),
    strength: sampleStrength(number),
  })) as [Parameters<typeof absorbing>[0]['survivor'], Parameters<typeof absorbing>[0]['survivor']];
  const { memory } = absorbing({ survivor, others: [other] }, 0);
  expect(memory.own?.tags).toEqual(['tag-1']);
  for (const one of [survivor.memory, memory]) {
    expect(memoryFromWire(JSON.parse(JSON.stringify(memoryToWire(one))) as WireObject)).toEqual(one);
  }
});

test.each([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'assistant'],
  [null, 'assistant'],
] as const)('a memory of before there were sources, of role %s, is of source %s', (role, source) => {
  const { source: _, ...wire } = memoryToWire(sampleMemory(1, { role, source: 'tool' }));
  expect(memoryFromWire(wire)).toEqual(sampleMemory(1, { role, source }));
});
