#!/usr/bin/env node
// Plants secrets wherever a text can enter either service, with the log at debug, kills the service, and searches every byte of
// the data directory, the log, the export, the backup and the answers for them. The same with --redact off shows that the search finds.
//   node scripts/withstand/secrets.mjs [--secrets 600] [--seed 11]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../lib/command-line.mjs';
import { root } from '../lib/root.mjs';
import { runMain } from '../lib/say.mjs';
import { fitsName, MEMORY_PLACES, NAME_PLACES, TIMING_PLACES } from './lib/places.mjs';
import { plantedSecrets } from './lib/planted-secrets.mjs';
import { createReport } from './lib/report.mjs';
import { requester, scratchFolder } from './lib/service.mjs';
import { startMemory } from './memory/lib/memory-service.mjs';
import { startTiming } from './timing/lib/timing-service.mjs';

const { values } = commandLine(import.meta.url, {
  options: { secrets: { type: 'string', default: '600' }, seed: { type: 'string', default: '11' } },
});
const count = Number(values.secrets);
const seed = Number(values.seed);
/** A consolidation on a busy machine takes its time. */
const REQUEST_LIMIT_MS = 120_000;
/** Secrets of the run with --redact off, which must find them. */
const CONTROL_SECRETS = 60;

const SERVICES = {
  'memory-service': {
    places: MEMORY_PLACES,
    start: (folder, flags) =>
      startMemory(join(folder, 'data'), { logLevel: 'debug', flags: ['--contradiction-model', 'none', ...flags] }),
    // PRIVATE memories are those of the default agent, which asks.
    reads: ['/export', '/memories?limit=1000', '/working_memory', '/stats', '/health'],
    afterwards: async (client) => {
      await client.post('/consolidate', {});
      await client.post('/save');
    },
    backup: (folder) => ['backup', '--data-dir', join(folder, 'data')],
  },
  'timing-service': {
    places: TIMING_PLACES,
    start: (folder, flags) => startTiming(join(folder, 'timing.db'), { flags: ['--log-level', 'debug', ...flags] }),
    reads: ['/export?agent_id=*', '/events?agent_id=*&limit=1000', '/tasks?agent_id=*&limit=1000', '/stopwatches'],
    afterwards: async () => {},
    backup: (folder) => ['backup', '--db-path', join(folder, 'timing.db')],
  },
};

await runMain(async () => {
  for (const [name, service] of Object.entries(SERVICES)) {
    const report = createReport(`${name}: planted secrets`);
    const planted = plantedSecrets({ seed, count });
    const masked = await runOf(service, { name, planted, flags: [] });
    report.note(
      `${masked.sent} of ${planted.length} secrets sent to ${Object.keys(service.places).length} kinds of places`,
    );
    report.note(`searched: ${masked.searched}`);
    report.check(masked.sent >= Math.min(500, count), `at least ${Math.min(500, count)} secrets were sent`);
    report.checkNone(masked.leaks, 'no secret is anywhere');
    report.checkNone(masked.faults, 'no answer is a 5xx');
    const control = await runOf(service, {
      name,
      planted: plantedSecrets({ seed, count: CONTROL_SECRETS }),
      flags: ['--redact', 'off'],
    });
    report.check(
      control.leaks.length > CONTROL_SECRETS / 2,
      `with --redact off the search finds them (${control.leaks.length} times)`,
    );
    report.finish();
  }
});

async function runOf(service, { name, planted, flags }) {
  const folder = scratchFolder('withstand-secrets-');
  const running = await service.start(folder, flags);
  const log = [];
  running.child.stdout.on('data', (chunk) => log.push(chunk));
  running.child.stderr.on('data', (chunk) => log.push(chunk));
  const client = requester(running.url, { limitMs: REQUEST_LIMIT_MS });
  const { answers, faults, sent } = await plant(client, service.places, planted);
  await service.afterwards(client);
  for (const path of service.reads) answers.push({ place: path, text: (await client.get(path)).text });
  const backup = spawnSync(process.execPath, [join(root, 'apps', name, 'dist/main.js'), ...service.backup(folder)], {
    maxBuffer: 2 ** 30,
  });
  if (backup.status !== 0) throw new Error(`The backup failed: ${backup.stderr}`);
  // The log goes out every 250 ms.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await running.kill();
  client.close();
  const searched = [
    ...filesOf(folder).map((path) => ({ place: path.slice(folder.length), bytes: readFileSync(path) })),
    { place: 'log', bytes: Buffer.concat(log) },
    { place: 'backup', bytes: backup.stdout },
    ...answers.map(({ place, text }) => ({ place: `answer of ${place}`, bytes: Buffer.from(text) })),
  ];
  return { sent, faults, leaks: leaksIn(searched, planted), searched: summary(searched) };
}

/** Each secret at one place of each turn, so that all places get many kinds. */
async function plant(client, places, planted) {
  const names = Object.keys(places);
  const answers = [];
  const faults = [];
  let sent = 0;
  for (const [number, { text }] of planted.entries()) {
    const open = names.filter((place) => fitsName(text) || !NAME_PLACES.has(place));
    const place = open[number % open.length];
    const answer = await places[place](client, text, number);
    answers.push({ place, text: answer.text });
    if (answer.status >= 500) faults.push(`${place}: ${answer.status}`);
    sent++;
  }
  return { answers, faults, sent };
}

function leaksIn(searched, planted) {
  const leaks = [];
  for (const { place, bytes } of searched) {
    const text = bytes.toString('latin1');
    for (const { text: written, cores } of planted) {
      if (cores.some((core) => text.includes(core))) leaks.push(`${place}: ${JSON.stringify(written.slice(0, 120))}`);
    }
  }
  return leaks;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}

function summary(searched) {
  const bytes = searched.reduce((sum, one) => sum + one.bytes.length, 0);
  return `${searched.length} texts and files, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
