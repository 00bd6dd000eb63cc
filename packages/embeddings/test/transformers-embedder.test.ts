import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Embedder,
  EmbedderBusyError,
  type EmbedderOptions,
  EmbedderStoppedError,
  EmbeddingFailedError,
  openEmbedder,
  threadsAtRest,
} from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'embedder-'));
const opened: Embedder[] = [];
let warnings: string[] = [];

async function open(options: Partial<EmbedderOptions> = {}) {
  warnings = [];
  const embedder = await openEmbedder({
    model: 'fast',
    offline: true,
    workerScript: new URL('./faulty-worker.js', import.meta.url),
    log: { info: () => {}, warn: (message) => warnings.push(message) },
    ...options,
  });
  opened.push(embedder);
  return embedder;
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `message number ${index}`);

afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a model that cannot be read for want of open files is not to be replaced', async () => {
  const workerScript = new URL('./fileless-worker.js', import.meta.url);
  await expect(open({ workerScript })).rejects.toThrow(
    /The model in .* cannot be used \(.*EMFILE.*\)\. Raise the limit of open files \(ulimit -n\)\.$/,
  );
});

describe('sharing', () => {
  test('answers queries of others while a long call is under way, each after at most one of its texts', async () => {
    const embedder = await open({ model: 'accurate' });
    let longDone = false;
    const long = embedder.embed(texts(30)).then(() => {
      longDone = true;
    });
    for (let query = 0; query < 20; query += 1) await embedder.embed(['a query']);
    expect(longDone).toBe(false);
    await long;
  });

  test('refuses calls while too many texts wait, and takes them again afterwards', async () => {
    const embedder = await open({ maxWaitingTexts: 40 });
    const first = embedder.embed(texts(100));
    await expect(embedder.embed(['too many'])).rejects.toThrow(EmbedderBusyError);
    await first;
    await expect(embedder.embed(['room again'])).resolves.toHaveLength(1);
  });

  test('finishes what it took on before it closes, and refuses what comes later', async () => {
    const embedder = await open();
    const taken = embedder.embed(texts(70));
    const closed = embedder.close();
    await expect(embedder.embed(['too late'])).rejects.toThrow(EmbedderStoppedError);
    await closed;
    await expect(taken).resolves.toHaveLength(70);
  });
});

test('a process that is to end can wait until no thread runs a model', async () => {
  const embedder = await open();
  let isDone = false;
  const embedded = embedder.embed(texts(30)).then(() => {
    isDone = true;
  });
  // The thread has its texts. It may be done with them already, where this one waits for a core.
  await nextTurn();
  await threadsAtRest();
  expect(isDone).toBe(true);
  await embedded;
});

describe('a worker that crashes', () => {
  let plain: Float32Array[];
  beforeAll(async () => {
    plain = await (await open()).embed(['before', 'after']);
  });

  test.each(['EXIT', 'THROW', 'OOM'])(
    'is replaced and its texts are tried again (%s)',
    async (crash) => {
      const embedder = await open();
      const [before, , after] = await embedder.embed(['before', `${crash} ONCE ${join(folder, crash)}`, 'after']);
      expect(before).toEqual(plain[0]);
      expect(after).toEqual(plain[1]);
      expect(warnings).toHaveLength(1);
    },
    30_000,
  );

  test('fails only the call whose text crashes it twice', async () => {
    const embedder = await open();
    const calls = [['before'], ['EXIT', ...texts(40)], ['after'], texts(50)];
    const results = await Promise.allSettled(calls.map((call) => embedder.embed(call)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(EmbeddingFailedError);
    expect((results[2] as PromiseFulfilledResult<Float32Array[]>).value[0]).toEqual(plain[1]);
    expect(warnings).toHaveLength(2);
  });

  test('stays up while its crashes have successes between them', async () => {
    const embedder = await open();
    for (let crash = 0; crash < 6; crash += 1) {
      await expect(embedder.embed([`EXIT ONCE ${join(folder, `between-${crash}`)}`])).resolves.toHaveLength(1);
    }
    expect(warnings).toHaveLength(6);
  });

  test('stays down for 30 s after five crashes in a row, and is started again then', async () => {
    let now = 1_000;
    const embedder = await open({ now: () => now });
    for (let call = 0; call < 4; call += 1)
      await expect(embedder.embed(['EXIT'])).rejects.toThrow(EmbeddingFailedError);
    expect(warnings).toHaveLength(5);
    now += 29_999;
    expect(embedder.isReady()).toBe(false);
    await expect(embedder.embed(['after'])).rejects.toThrow('5 times in a row and is tried again in 1 s');
    expect(warnings).toHaveLength(5);
    now += 1;
    expect(embedder.isReady()).toBe(true);
    expect(await embedder.embed(['after'])).toEqual([plain[1]]);
  });
});
