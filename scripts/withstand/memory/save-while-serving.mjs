#!/usr/bin/env node
// A save of 100,000 memories while a client asks /health every 5 ms, and another ingests and recalls: nobody waits long for it.
//   node scripts/withstand/memory/save-while-serving.mjs [--memories 100000] [--saves 3] [--data-dir FILLED]
// With --data-dir it works on a copy of a directory that is filled already.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { BUSY_SHARE, requester, scratchFolder, startMemory, waitedForCore } from './lib/memory-service.mjs';

const PROBE_EVERY_MS = 5;
const LONGEST_WAIT_MS = 50;
const WARM_UP = 300;
const SAVE_LIMIT_MS = 120_000;

const { values } = commandLine(import.meta.url, {
  options: {
    memories: { type: 'string', default: '100000' },
    saves: { type: 'string', default: '3' },
    'data-dir': { type: 'string' },
  },
});
const memories = Number(values.memories);

await runMain(async () => {
  const report = createReport(`saves of ${memories.toLocaleString('en')} memories while serving`);
  const dataDir = await filled(scratchFolder(), values['data-dir']);
  const service = await startMemory(dataDir);
  const writer = requester(service.url, { limitMs: SAVE_LIMIT_MS });
  const prober = requester(service.url, { connections: 64, limitMs: SAVE_LIMIT_MS });
  for (let count = 0; count < WARM_UP; count++) await prober.get('/health');
  const quiet = await probing(service, prober, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  report.note(`without a save: ${shown(quiet)}`);
  for (let save = 1; save <= Number(values.saves); save++) {
    await writer.post('/ingest', { content: `This is to be saved, the ${save}. time.` });
    const seen = await probing(service, prober, async () => {
      const { status, body, text } = await writer.post('/save');
      if (status !== 200) throw new Error(`${status} ${text}`);
      return body;
    });
    const what = `save ${save} of ${(savedBytes(dataDir) / 2 ** 20).toFixed(0)} MiB in ${Math.round(seen.result.took_ms)} ms: ${shown(seen)}`;
    const isFast = seen.longestMs < LONGEST_WAIT_MS;
    if (isFast || seen.waitedShare < BUSY_SHARE) report.check(isFast, what);
    else report.note(`not judged, the machine is busy: ${what}`);
  }
  writer.close();
  prober.close();
  report.check((await service.stop()) === 0, 'the service stops cleanly');
  report.checkNone(service.words, 'the service logged no warning and no error');
  report.finish();
});

function savedBytes(dataDir) {
  const files = ['memories.json', 'memories.packed', 'faiss.index', 'entities.json'];
  return files.reduce((bytes, name) => bytes + statSync(join(dataDir, name)).size, 0);
}

async function filled(folder, given) {
  if (given !== undefined) {
    cpSync(given, join(folder, 'data'), { recursive: true });
    return join(folder, 'data');
  }
  const filler = fork(fileURLToPath(new URL('../../../bench/memory/fill.mjs', import.meta.url)));
  filler.send({ folder, model: 'fast', sizes: [memories], corpus: null });
  const [[dataDir]] = await once(filler, 'message');
  filler.disconnect();
  return dataDir;
}

/** Sends GET /health every 5 ms, whether the last one was answered or not, while work goes on. */
async function probing(service, prober, work) {
  const took = [];
  const probes = [];
  const timer = setInterval(() => {
    const sent = performance.now();
    probes.push(prober.get('/health').then(() => took.push(performance.now() - sent)));
  }, PROBE_EVERY_MS);
  const before = waitedForCore(service.pid);
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(timer);
  await Promise.all(probes);
  took.sort((a, b) => a - b);
  return {
    result,
    count: took.length,
    longestMs: took.at(-1),
    p99: took[Math.floor(took.length * 0.99)],
    p50: took[Math.floor(took.length / 2)],
    waitedShare: (waitedForCore(service.pid) - before) / seconds,
  };
}

function shown({ count, longestMs, p99, p50, waitedShare }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  const busy = `its main thread waited ${(100 * waitedShare).toFixed(0)} % of the time for a core`;
  return `longest of ${count} answers ${ms(longestMs)}, p99 ${ms(p99)}, p50 ${ms(p50)}; ${busy}`;
}
