import { join } from 'node:path';
import { ManualClock } from '@agent-faculties/service-kit';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { catchUp } from '../../../src/domain/embedding/catch-up.ts';
import { NO_EMBEDDING, type TextEmbedding } from '../../../src/domain/embedding/text-embedding.ts';
import { type Memory, recallText } from '../../../src/domain/memory/memory.ts';
import { NOBODY } from '../../../src/domain/memory/visibility.ts';
import { LOCK_FILE } from '../../../src/persistence/files/file-names.ts';
import { type OpenStore, openStore } from '../../../src/persistence/open-store.ts';
import { DIMENSION, sampleMemory, sampleVector } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { InMemoryStore } from '../../space/in-memory-store.ts';
import { add } from '../../store/change-store.ts';

const MODEL = { id: 'model', dimension: DIMENSION };
const log = { info: () => {}, warn: () => {}, error: () => {} } as never;
const memory = (number: number) => sampleMemory(number, { scope: 'TEAM', kind: 'episodic', sources: [] });

/** A model that gives each text a vector, except those for which `fails` says so. @param asked called with each text */
function embedding(asked: (text: string) => unknown, fails: (text: string) => boolean = () => false): TextEmbedding {
  const vectorsOf = async (text: string) => {
    await asked(text);
    return fails(text) ? [] : [sampleVector(text.length)];
  };
  return { ...NO_EMBEDDING, model: MODEL, kind: 'static', vectorsOf };
}

let path: string;
let removeScratch: () => void;
const opened: OpenStore[] = [];
beforeEach(() => {
  ({ path, removeScratch } = scratchFolder());
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  removeScratch();
});

async function open(dataDir: string): Promise<OpenStore> {
  const one = await openStore({
    dataDir,
    model: MODEL,
    maxMemories: 100,
    repair: false,
    clock: new ManualClock(0),
    log,
    process: { pid: process.pid, hostname: 'test' },
  });
  opened.push(one);
  return one;
}

test('what was made outlives the process, without a save', async () => {
  const live = join(path, 'live');
  const { store } = await open(live);
  for (let number = 1; number <= 9; number++) await add(store, memory(number));
  const made = await catchUp(store, { embedding: embedding(() => {}), log, stopped: () => false });
  expect([made, await store.withoutVectorsCount(NOBODY)]).toEqual([9, 0]);
  // A memory without vectors, as a crash leaves it.
  const left = join(path, 'left');
  copyOfKilled(live, { to: left, without: [LOCK_FILE] });
  const { store: again } = await open(left);
  expect(await again.withoutVectorsCount(NOBODY)).toBe(0);
  for (let number = 1; number <= 9; number++) {
    expect(await again.vectorsOf(memory(number).id)).toEqual([sampleVector(recallText(memory(number)).length)]);
    expect((await again.find(memory(number).id))?.memory).toEqual(memory(number));
  }
});

test('a text that the model fails on is tried once, and one that changes meanwhile again', async () => {
  const store = new InMemoryStore({ hasModel: true });
  const edited: Memory = { ...memory(1), gist: 'Else.', gistEdited: true, updatedAt: memory(1).updatedAt + 1 };
  for (const number of [1, 2, 3]) await add(store, memory(number));
  const asked: string[] = [];
  const edit = async (text: string) => {
    asked.push(text);
    if (asked.length === 1) await store.changeTogether({ expected: [], changes: [{ op: 'update', memory: edited }] });
  };
  const fails = (text: string) => text === recallText(memory(2));
  await catchUp(store, { embedding: embedding(edit, fails), log, stopped: () => false });
  expect(asked.filter(fails)).toHaveLength(1);
  expect(await store.vectorsOf(memory(1).id)).toEqual([sampleVector('Else.'.length)]);
  expect(await store.withoutVectorsCount(NOBODY)).toBe(1);
});
