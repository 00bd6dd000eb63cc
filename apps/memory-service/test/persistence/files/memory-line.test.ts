import { expect, test } from '@jest/globals';
import { absorbing } from '../../../src/domain/consolidation/duplicates/absorb.ts';
import {
  memoryFromWire,
  memoryToWire,
  strengthToWire,
  type WireObject,
} from '../../../src/persistence/files/memory-line.ts';
import { FORMAT } from '../../../src/persistence/snapshot/memories-lines.ts';
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

test('a memory with what was told under other keys comes back', () => {
  const tellings = [{ key: 'k2', said: { content: 'x1', tags: 'y2' } }];
  const told = sampleMemory(1, { tellings });
  const one = {
    ...told,
    absorbed: [{ memory: sampleMemory(2, { tellings }), strength: sampleStrength(1) }],
  };
  expect(memoryFromWire(JSON.parse(JSON.stringify(memoryToWire(one))) as WireObject)).toEqual(one);
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

/** An earlier version drops with its first save what it does not know: one name more here takes a higher number. */
test('format 4 has these fields', () => {
  expect(FORMAT).toBe(4);
  expect(
    Object.keys(memoryToWire(sampleMemory(1)))
      .sort()
      .join(' '),
  ).toBe(
    'absorbed agent_id consolidated_into content created_at entities expires_at gist gist_edited id idempotency_key importance ' +
      'invalidation kind metadata name own project role scope session_id source sources superseded_by supersession tags tellings updated_at ' +
      'valid_from valid_until',
  );
  expect(
    Object.keys(strengthToWire(sampleStrength(1)))
      .sort()
      .join(' '),
  ).toBe('last_recalled_at recall_count recalled_by stability_days');
});
