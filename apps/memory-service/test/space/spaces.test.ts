import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import { ManualClock } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { Spaces } from '../../src/domain/space/spaces.ts';
import { openStore } from '../../src/persistence/open-store.ts';
import { spaceFolder } from '../../src/persistence/space-folder.ts';
import { sampleMemory } from '../sample-memory.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { START_MS } from '../start-service.ts';
import { add } from '../store/change-store.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} } as never;

function spacesIn(dataDir: string | null) {
  return new Spaces((space) =>
    openStore({
      dataDir: spaceFolder(dataDir, space),
      embedder: null,
      maxMemories: 100,
      repair: false,
      clock: new ManualClock(START_MS),
      log,
      process: { pid: process.pid, hostname: 'test' },
    }),
  );
}

describe('the spaces of a process', () => {
  test('keep their memories apart, each in a folder of its own', async () => {
    const { path, removeScratch } = scratchFolder();
    const spaces = spacesIn(path);
    const [one, other] = [await spaces.open(DEFAULT_SPACE), await spaces.open('team-b')];
    await add(one.store, sampleMemory(1));
    await add(other.store, sampleMemory(2));
    await spaces.closeAll();
    const again = spacesIn(path);
    for (const [name, number] of [
      [DEFAULT_SPACE, 1],
      ['team-b', 2],
    ] as const) {
      const { store } = await again.open(name);
      expect([await store.size(), (await store.find(sampleMemory(number).id))?.memory]).toEqual([
        1,
        sampleMemory(number),
      ]);
    }
    await again.closeAll();
    removeScratch();
  });

  test('are opened once, whoever asks, and anew once they are closed', async () => {
    const spaces = spacesIn(null);
    const [one, same] = await Promise.all([spaces.open('a'), spaces.open('a')]);
    expect(one).toBe(same);
    const closing = spaces.close('a');
    const next = await spaces.open('a');
    await closing;
    expect(next).not.toBe(one);
    expect(await spaces.open('a')).toBe(next);
    await spaces.closeAll();
  });

  test('are tried again where opening has failed', async () => {
    let tries = 0;
    const spaces = new Spaces(async () => {
      if (++tries === 1) throw new Error('the disk is away');
      return { close: async () => {} };
    });
    await expect(spaces.open('a')).rejects.toThrow('the disk is away');
    await expect(spaces.open('a')).resolves.toBeDefined();
  });

  test('are all closed, whatever one of them says', async () => {
    const closed: string[] = [];
    const spaces = new Spaces(async (name) => ({
      close: async () => {
        closed.push(name);
        if (name === 'a') throw new Error('it will not close');
      },
    }));
    for (const name of ['a', 'b']) await spaces.open(name);
    await expect(spaces.closeAll()).rejects.toThrow('it will not close');
    expect(closed).toEqual(['a', 'b']);
  });

  test.each(['', '..', 'A', 'a/b', '-a', 'a-', 'a'.repeat(64)])('have no such name as %j', async (name) => {
    await expect(spacesIn(null).open(name)).rejects.toThrow(RangeError);
  });
});
