// A separate process that measures the limits of the service: the model, one pass over the bytes of the vectors, a sync.
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openModel } from './store.mjs';
import { textSource } from './texts.mjs';

const SYNC_BYTES = 2_048;

process.on('message', async ({ kind, ...job }) => {
  process.send(await { model: modelAlone, scan: flatScan, sync: syncs }[kind](job));
});
process.on('disconnect', () => process.exit(0));

/** Texts a second of the embedder alone, in calls of 32 and one by one. */
async function modelAlone({ model, milliseconds, corpus }) {
  const embedder = await openModel(model);
  const { say, ask } = textSource({ corpus, seed: 5 });
  const rate = async (texts) => {
    const began = performance.now();
    let count = 0;
    for (; performance.now() - began < milliseconds; ) {
      const batch = texts();
      await embedder.embed(batch);
      count += batch.length;
    }
    return (count * 1_000) / (performance.now() - began);
  };
  const batch = () => Array.from({ length: 32 }, say);
  await rate(batch);
  const result = { dimension: embedder.dimension, batched: await rate(batch), single: await rate(() => [ask()]) };
  await embedder.close();
  return result;
}

/** Milliseconds to add up the numbers of the vectors, which reads their memory once. */
function flatScan({ rows, dimension, rounds }) {
  const values = new Float32Array(rows * dimension).fill(0.5);
  const took = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < values.length; i += 4) {
      a += values[i];
      b += values[i + 1];
      c += values[i + 2];
      d += values[i + 3];
    }
    if (a + b + c + d === 0) throw new Error('nothing was read');
    took.push(performance.now() - began);
  }
  return { milliseconds: took.sort((a, b) => a - b)[Math.floor(rounds / 2)] };
}

/** Synced writes of a line a second. */
function syncs({ folder, milliseconds }) {
  const path = join(folder, 'sync');
  const file = openSync(path, 'w');
  const line = Buffer.alloc(SYNC_BYTES, 'x');
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < milliseconds; count++) {
    writeSync(file, line);
    fdatasyncSync(file);
  }
  const perSecond = (count * 1_000) / (performance.now() - began);
  closeSync(file);
  unlinkSync(path);
  return { perSecond };
}
