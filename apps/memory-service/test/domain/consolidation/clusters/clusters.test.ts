import { ManualClock } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TimeSlicer } from '../../../../src/domain/concurrency/time-slicer.ts';
import {
  type Clusterable,
  clustersOf,
  LEAST_MEMBERS,
  MOST_MEMBERS,
} from '../../../../src/domain/consolidation/clusters/clusters.ts';
import { sampleMemory, sampleStrength } from '../../../sample-memory.ts';

const HOUR_MS = 3_600_000;
const slicer = () => new TimeSlicer({ clock: new ManualClock(0), pause: async () => {}, isStopped: () => false });

/** A vector on the unit circle: the cosine of two of them is the cosine of the angle between them. */
const at = (degrees: number, number: number, hours = number): Clusterable => ({
  stored: {
    memory: sampleMemory(number, { kind: 'episodic', entities: [], createdAt: hours * HOUR_MS }),
    strength: sampleStrength(number),
  },
  meaning: Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)),
  terms: Int32Array.of(1, 2),
});
const cluster = (memories: readonly Clusterable[], existing: readonly (readonly number[])[] = []) =>
  clustersOf(memories, { existing, model: 'contextual', slicer: slicer() });
const cosine = (a: Clusterable, b: Clusterable) =>
  (a.meaning as Float32Array).reduce((sum, value, i) => sum + value * ((b.meaning as Float32Array)[i] as number), 0);

describe('clusters', () => {
  test('gather what is alike and leave the rest alone', async () => {
    const memories = [0, 5, 10, 90, 180, 185, 190].map((degrees, i) => at(degrees, i));
    expect(await cluster(memories)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
  });

  test('a chain of neighbours leads no further than the floor', async () => {
    const chain = Array.from({ length: 40 }, (_, i) => at(i * 12, i));
    const clusters = await cluster(chain);
    expect(clusters.length).toBeGreaterThan(3);
    for (const members of clusters) {
      for (const a of members) {
        for (const b of members)
          expect(cosine(chain[a] as Clusterable, chain[b] as Clusterable)).toBeGreaterThan(0.399);
      }
    }
  });

  test('what is alike and far away in time, without a name in common, is not compared', async () => {
    const memories = [at(0, 0, 0), at(1, 1, 24 * 30), at(2, 2, 24 * 60)];
    expect(await cluster(memories)).toEqual([]);
    const named = memories.map(({ stored, ...rest }) => ({
      ...rest,
      stored: { ...stored, memory: { ...stored.memory, entities: [{ name: 'Kestrel', type: 'project' as const }] } },
    }));
    expect(await cluster(named)).toEqual([[0, 1, 2]]);
  });

  test('what has no telling word in common is not one subject, however alike', async () => {
    const memories = [0, 1, 2].map((degrees, i) => ({ ...at(degrees, i), terms: Int32Array.of(i) }));
    expect(await cluster(memories)).toEqual([]);
  });

  const scenes = fc.array(
    fc.record({ degrees: fc.integer({ min: 0, max: 359 }), hours: fc.integer({ min: 0, max: 400 }) }),
    {
      maxLength: 60,
    },
  );
  const sceneOf = (sessionContext: readonly { degrees: number; hours: number }[]) =>
    sessionContext.toSorted((a, b) => a.hours - b.hours).map(({ degrees, hours }, i) => at(degrees, i, hours));

  test('have a size, hold together, and share no member', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (sessionContext) => {
        const memories = sceneOf(sessionContext);
        const clusters = await cluster(memories);
        const members = clusters.flat();
        expect(new Set(members).size).toBe(members.length);
        for (const one of clusters) {
          expect(one.length).toBeGreaterThanOrEqual(LEAST_MEMBERS);
          expect(one.length).toBeLessThanOrEqual(MOST_MEMBERS);
          const worst = Math.min(
            ...one.flatMap((a) => one.map((b) => cosine(memories[a] as Clusterable, memories[b] as Clusterable))),
          );
          expect(worst).toBeGreaterThan(0.399);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('clustering again what was clustered changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (sessionContext) => {
        const memories = sceneOf(sessionContext);
        const clusters = await cluster(memories);
        expect(await cluster(memories, clusters)).toEqual(clusters);
      }),
      { numRuns: 100 },
    );
  });

  test('existing ones only grow', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.integer({ min: 0, max: 359 }), async (sessionContext, degrees) => {
        const memories = sceneOf(sessionContext);
        const clusters = await cluster(memories);
        const later = [...memories, at(degrees, memories.length, 401)];
        const grown = await cluster(later, clusters);
        for (const before of clusters) {
          const after = grown.find((one) => one.includes(before[0] as number)) ?? [];
          expect(after).toEqual(expect.arrayContaining(before));
        }
      }),
      { numRuns: 100 },
    );
  });
});
