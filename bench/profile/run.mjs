#!/usr/bin/env node
// Profiles a service under a workload with the profiler of Node, and shows where its processor time goes.
//   npm run profile -- WORKLOAD [--seconds 10] [--connections 16] [--size 20000] [--model fast] [--corpus FILE] [--out FOLDER]
//                      [-- FLAGS OF THE SERVICE]
// Without a workload it lists them. Of each thread of the service it writes a flame graph (SVG) and the profile itself
// (.cpuprofile, which the developer tools of Chromium open), to a folder outside of the repository, and prints tables of self time.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { KnownFailure, runMain } from '../../scripts/lib/say.mjs';
import { childrenOf } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { scratchFolder } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { cpuSeconds, loadAverage, table, title, whole } from '../lib/markdown.mjs';
import { readCallTree, sums } from './call-tree.mjs';
import { flameGraph } from './flame-graph.mjs';
import { WORKLOADS } from './workloads.mjs';

const POLL_MS = 20;
const STATE_LIMIT_MS = 30_000;
const FUNCTIONS_SHOWN = 25;
/** Threads that did less than this share of the work are not shown. */
const LEAST_SHARE = 0.01;

async function profile() {
  const { values, positionals } = commandLine(import.meta.url, {
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', like: '16' },
      size: { type: 'string', like: '20000' },
      model: { type: 'string', default: 'fast' },
      corpus: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const [name, ...flags] = positionals;
  const workload = WORKLOADS[name];
  if (!workload) throw new KnownFailure(`Name a workload:\n${listed()}`);
  const out = folderFor(name, values.out);
  const { connections, size } = { ...workload.defaults, ...numbers(values, ['connections', 'size']) };
  const plan = { connections, size, seconds: Number(values.seconds), model: values.model, flags };
  const { service, work, end } = await workload.run({
    ...plan,
    corpus: values.corpus ?? null,
    folder: scratchFolder('profile-'),
    probe: {
      env: { PROFILE_FOLDER: out },
      nodeFlags: ['--import', fileURLToPath(new URL('probe.mjs', import.meta.url))],
    },
  });
  const before = cpuOf(service.pid);
  signal(out);
  await until(out, 'profiling');
  const began = performance.now();
  const { count } = await work();
  const seconds = (performance.now() - began) / 1_000;
  signal(out);
  await until(out, 'written');
  const cpu = cpuOf(service.pid) - before;
  end();
  await service.stop();

  title(`${name}: ${workload.about}`);
  const asked = `${connections} clients, ${whole(size)} ${name.startsWith('timing') ? 'tasks' : 'memories'} before`;
  console.log(`${asked}; ${whole(count)} requests or records in ${seconds.toFixed(1)} s.`);
  console.log(
    `Processor time of each, with that of the profiler: ${whole((cpu * 1e6) / count)} µs. Load: ${loadAverage()}.`,
  );
  showThreads(out, { name, count });
}

const listed = () =>
  Object.entries(WORKLOADS)
    .map(([name, { about }]) => `  ${name.padEnd(26)} ${about}`)
    .join('\n');

const numbers = (values, names) =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, Number(values[name])]));

function folderFor(name, wanted) {
  if (wanted === undefined) return mkdtempSync(join(tmpdir(), `profile-${name}-`));
  const folder = resolve(wanted);
  if (!relative(root, folder).startsWith('..')) {
    throw new KnownFailure(`${folder} lies in the repository: name a folder outside of it.`);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new KnownFailure(`${folder} is not empty.`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Of a service with its child processes, in seconds. */
function cpuOf(pid) {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (cpuSeconds(each) || 0), 0);
}

const filesOf = (folder, ending) => readdirSync(folder).filter((file) => file.endsWith(ending));

/** To every process of the service that the probe is in. */
function signal(folder) {
  const pids = new Set(filesOf(folder, '.state').map((file) => Number(file.split('-')[0])));
  for (const pid of pids) process.kill(pid, 'SIGWINCH');
}

/** Until all threads have come to a state. */
async function until(folder, state) {
  const late = () => filesOf(folder, '.state').filter((file) => readFileSync(join(folder, file), 'utf8') !== state);
  for (const began = performance.now(); late().length > 0; ) {
    if (performance.now() - began > STATE_LIMIT_MS) throw new Error(`not yet '${state}': ${late().join(', ')}`);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

function showThreads(out, { name, count }) {
  const threads = filesOf(out, '.cpuprofile').map((file) => ({ file, tree: readCallTree(join(out, file)) }));
  const all = threads.reduce((sum, { tree }) => sum + tree.total, 0);
  for (const { file, tree } of threads.sort((a, b) => b.tree.total - a.tree.total)) {
    if (tree.total < LEAST_SHARE * all) continue;
    const thread = file.replace('.cpuprofile', '');
    const svg = join(out, `${thread}.svg`);
    writeFileSync(svg, flameGraph(tree, `${name}, process and thread ${thread}: ${(tree.total / 1e3).toFixed(0)} ms`));
    title(`${thread}: ${((100 * tree.total) / all).toFixed(0)} % of the work, ${svg}`);
    sumTable('library', tree, { count, keyOf: ({ library }) => library });
    console.log('');
    sumTable('function', tree, { count, keyOf: (call) => call.name });
  }
}

function sumTable(what, tree, { count, keyOf }) {
  const most = sums(tree, keyOf).sort((a, b) => b.self - a.self);
  const shown = (time) => [`${((100 * time) / tree.total).toFixed(1)} %`, (time / count).toFixed(1)];
  table(
    [what, 'self', 'µs each', 'with what it calls', 'µs each'],
    most.slice(0, FUNCTIONS_SHOWN).map(({ key, self, total }) => [key, ...shown(self), ...shown(total)]),
  );
}

await runMain(profile);
