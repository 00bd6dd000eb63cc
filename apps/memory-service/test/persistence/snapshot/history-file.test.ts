import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PastVersion } from '../../../src/domain/memory/history.ts';
import { keptIn, readVersions, writeHistory } from '../../../src/persistence/snapshot/history-file.ts';
import { type KeptVersion, keptOf } from '../../../src/store/changes/versions.ts';
import { sampleMemory } from '../../sample-memory.ts';
import { temporaryFolder } from '../../start-service.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const STRENGTH = { lastRecalledAt: null, recallCount: 2, stabilityDays: 3 };

function version(number: number): PastVersion {
  const memory = sampleMemory(number % 7);
  return {
    id: memory.id,
    operation: number % 2 === 0 ? 'edit' : 'delete',
    agentId: number % 3 === 0 ? null : 'ann',
    at: Date.parse('2026-11-20T10:00:00Z') + number,
    reason: number % 5 === 0 ? `why ${number} \u2028 🚀` : null,
    run: number % 3 === 0 ? 'run-1' : null,
    before: number % 11 === 10 ? null : { memory, strength: STRENGTH },
    after: number % 2 === 0 ? memory.updatedAt + 1 : null,
    released: number % 7 === 3 ? [memory.id] : [],
    contradictions:
      number % 7 === 4
        ? [
            { id: 'c1', dismissed: null },
            { id: 'c2', dismissed: { agentId: 'ann', at: 1_000 } },
          ]
        : [],
  };
}

async function filed(path: string): Promise<{ kept: KeptVersion[]; damaged: number[] }> {
  const kept: KeptVersion[] = [];
  const damaged: number[] = [];
  for await (const one of keptIn(path, (line) => damaged.push(line))) kept.push(one);
  return { kept, damaged };
}

const linesOf = (kept: readonly KeptVersion[]) => kept.flatMap(({ line }) => line ?? []);

/** Writes the versions as a save does, and notes where they are. */
async function save(path: string, versions: readonly KeptVersion[], from: string): Promise<void> {
  const { lines } = await writeHistory(path, { versions, from });
  for (const [kept, line] of lines) {
    kept.line = line;
    kept.version = null;
  }
}

describe('the file of versions', () => {
  test('holds through any number of saves what is kept, as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ added: fc.integer({ min: 0, max: 6 }), dropped: fc.array(fc.nat(12)) }), { maxLength: 5 }),
        async (saves) => {
          const paths = [join(folder.path, 'a'), join(folder.path, 'b')] as const;
          for (const path of paths) writeFileSync(path, '');
          let expected: PastVersion[] = [];
          let kept: KeptVersion[] = [];
          let number = 0;
          for (const [round, { added, dropped }] of saves.entries()) {
            const gone = new Set(dropped);
            expected = expected.filter((_, i) => !gone.has(i));
            kept = kept.filter((_, i) => !gone.has(i));
            for (let i = 0; i < added; i++) {
              expected.push(version(number));
              kept.push(keptOf(version(number++), null));
            }
            const to = paths[round % 2] as string;
            await save(to, kept, paths[(round + 1) % 2] as string);
            expect(await readVersions(to, linesOf(kept))).toEqual(expected);
            expect((await filed(to)).kept).toEqual(kept);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('is read where a line has moved, because another file took its place', async () => {
    const [a, b] = [join(folder.path, 'a'), join(folder.path, 'b')];
    const kept = [1, 2, 3].map((number) => keptOf(version(number), null));
    await save(a, kept, b);
    const stale = linesOf(kept);
    await save(b, kept.slice(1), a);
    expect(await readVersions(b, stale)).toEqual([undefined, version(2), version(3)]);
  });

  test('names each line that cannot be read, and gives the others', async () => {
    const path = join(folder.path, 'a');
    await save(
      path,
      [1, 2, 3].map((number) => keptOf(version(number), null)),
      path,
    );
    writeFileSync(path, readFileSync(path, 'utf8').replace('0193a000', '0193b000'));
    const { kept, damaged } = await filed(path);
    expect(damaged).toEqual([1]);
    expect(kept.map(({ at }) => at)).toEqual([version(2).at, version(3).at]);
  });
});
