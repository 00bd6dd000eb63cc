import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Entity } from '../../../src/domain/memory/memory.ts';
import { writeEntities } from '../../../src/persistence/snapshot/entities-file.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';

async function written(entities: readonly (readonly Entity[])[]) {
  const { path: folder, removeScratch } = scratchFolder();
  const path = join(folder, 'entities.json');
  const memories = entities.map((named, number) => ({
    memory: sampleMemory(number, { id: `m${number}`, entities: named }),
    strength: sampleStrength(number),
    rows: null,
  }));
  const { bytes, sha256 } = await writeEntities(path, { generation: 7, memories });
  const text = readFileSync(path, 'utf8');
  removeScratch();
  expect(bytes).toBe(Buffer.byteLength(text));
  expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
  return text;
}

test('each entity has a line with the memories that name it, in order of first mention', async () => {
  const kestrel = { name: 'Kestrel', type: 'project' } as const;
  const text = await written([[kestrel, { name: 'Ann "the hawk"', type: 'person' }], [], [kestrel]]);
  expect(text).toBe(
    [
      '{"format":1,"generation":7,"entities":[',
      '{"name":"Kestrel","type":"project","memory_ids":["m0","m2"]},',
      '{"name":"Ann \\"the hawk\\"","type":"person","memory_ids":["m0"]}',
      ']}',
      '',
    ].join('\n'),
  );
});

test('one name of two types is two entities', async () => {
  const text = await written([[{ name: 'Rio', type: 'place' }], [{ name: 'Rio', type: 'project' }]]);
  expect(JSON.parse(text).entities).toEqual([
    { name: 'Rio', type: 'place', memory_ids: ['m0'] },
    { name: 'Rio', type: 'project', memory_ids: ['m1'] },
  ]);
});

test('a store that names nothing has a file of JSON all the same', async () => {
  expect(JSON.parse(await written([[]]))).toEqual({ format: 1, generation: 7, entities: [] });
});
