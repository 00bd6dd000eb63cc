#!/usr/bin/env node
// What a power cut, a bad disk or a careless copy may do to a data directory: the last bytes of each file cut off or scrambled,
// a file gone, an older faiss.index or one of another dimension in its place. Each start on such a copy ends in the whole store
// or in a refusal that says what is wrong and touches nothing; --repair then starts and reports.
//   node scripts/withstand/memory/power-cut.mjs [--only PATTERN]
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, scratchFolder, startMemory } from './lib/memory-service.mjs';
import { sentenceSource } from './lib/sentences.mjs';

const CUTS = [1, 700];
const SCRAMBLED_BYTES = 48;
const VECTORS_LIMIT_MS = 30_000;
const DAMAGED = /\.damaged-/;
const { only } = commandLine(import.meta.url, { options: { only: { type: 'string', default: '' } } }).values;

/** One client that stores, edits and deletes, and what there was after each of its changes. */
class History {
  /** After each change: gist by id. */
  states = [new Map()];
  #sentence = sentenceSource(seededRandom(7));

  async live(url, changes) {
    const client = requester(url);
    for (let number = 0; number < changes; number++) {
      const state = new Map(this.states.at(-1));
      const [oldest] = state.keys();
      const answer =
        number % 10 === 7
          ? await client.put(`/memory/${oldest}`, { gist: `${this.#sentence()} (edited)` })
          : number % 10 === 9
            ? await client.delete(`/memory/${oldest}`)
            : await client.post('/ingest', { content: this.#sentence() });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      if (answer.body.deleted) state.delete(oldest);
      else state.set(answer.body.memory.id, answer.body.memory.gist);
      this.states.push(state);
    }
    client.close();
  }
}

await runMain(async () => {
  const report = createReport('damaged data directories');
  const scratch = scratchFolder();
  const bases = await makeBases(scratch);
  for (const base of bases) {
    for (const damage of damagesOf(base)) {
      const name = `${base.name}: ${damage.name}`;
      if (!name.includes(only)) continue;
      const dataDir = join(scratch, 'case');
      rmSync(dataDir, { recursive: true, force: true });
      cpSync(base.dataDir, dataDir, { recursive: true });
      damage.apply(dataDir);
      const { outcome, faults } = await start(dataDir, base, damage);
      report.checkNone(faults, `${name}: ${outcome}`);
    }
  }
  report.finish();
});

/** A clean stop; a kill -9 after further changes, so that the journal holds them; a clean stop after those. */
async function makeBases(scratch) {
  const growing = join(scratch, 'growing');
  const history = new History();
  const copyAs = (name, other = {}) => {
    const dataDir = join(scratch, name);
    cpSync(growing, dataDir, { recursive: true });
    rmSync(join(dataDir, 'lock'), { force: true });
    return { name, dataDir, states: history.states.slice(), ...other };
  };
  let service = await startMemory(growing);
  await history.live(service.url, 40);
  await service.stop();
  const saved = copyAs('saved');

  service = await startMemory(growing);
  await history.live(service.url, 30);
  await service.kill();
  const killed = copyAs('killed');

  service = await startMemory(growing);
  await service.stop();
  const later = copyAs('saved later', { onlySwaps: true, olderIndex: join(saved.dataDir, 'faiss.index') });

  const other = join(scratch, 'other');
  service = await startMemory(other, { model: 'accurate' });
  await new History().live(service.url, 40);
  await service.stop();
  const otherIndex = join(other, 'faiss.index');
  return [
    { ...saved, otherIndex },
    { ...killed, otherIndex },
    { ...later, otherIndex },
  ];
}

function damagesOf(base) {
  /** @type {{ name: string, file?: string, apply: (dataDir: string) => void }[]} */
  const damages = [{ name: 'nothing', apply: () => {} }];
  const add = (name, file, change) => {
    damages.push({ name: `${file} ${name}`, file, apply: (dataDir) => change(join(dataDir, file)) });
  };
  const rewrite = (change) => (path) => writeFileSync(path, change(readFileSync(path)));
  for (const file of base.onlySwaps ? [] : readdirSync(base.dataDir)) {
    for (const cut of CUTS)
      add(
        `without its last ${cut} bytes`,
        file,
        rewrite((bytes) => bytes.subarray(0, -cut)),
      );
    add(
      'cut in half',
      file,
      rewrite((bytes) => bytes.subarray(0, bytes.length / 2)),
    );
    add(
      'empty',
      file,
      rewrite(() => Buffer.alloc(0)),
    );
    add(
      'with a scrambled end',
      file,
      rewrite((bytes) => bytes.map((byte, at) => (at < bytes.length - SCRAMBLED_BYTES ? byte : byte ^ 0x5a))),
    );
    add(
      'with a scrambled middle',
      file,
      rewrite((bytes) => bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 1 : byte))),
    );
    add('gone', file, (path) => rmSync(path));
  }
  const swap = (from) => (path) => cpSync(from, path);
  if (base.olderIndex) add('of an older save', 'faiss.index', swap(base.olderIndex));
  add('of another dimension', 'faiss.index', swap(base.otherIndex));
  return damages;
}

async function start(dataDir, base, damage) {
  const before = bytesOf(dataDir);
  const service = await startMemory(dataDir).catch((error) => error);
  if (service instanceof Error) {
    const faults = refusalFaults(service.message, dataDir, damage);
    faults.push(...difference(before, bytesOf(dataDir)));
    const repaired = await startMemory(dataDir, { flags: ['--repair'] }).catch((error) => error);
    if (repaired instanceof Error) return { outcome: 'refused', faults: [...faults, `--repair: ${repaired.message}`] };
    const { kept, faults: wrong } = await repairFaults(repaired, dataDir, base);
    return { outcome: `refused; --repair keeps ${kept} of ${base.states.at(-1).size}`, faults: [...faults, ...wrong] };
  }
  const { faults, lost, words } = await storeFaults(service, base, damage);
  if ((await service.stop()) !== 0) faults.push('it did not stop cleanly');
  if (words.length === 0) return { outcome: 'starts', faults };
  const again = await startMemory(dataDir);
  const second = await storeFaults(again, { ...base, states: base.states.slice(0, base.states.length - lost) }, null);
  await again.stop();
  faults.push(...second.faults.map((fault) => `after another start: ${fault}`));
  if (second.words.length > 0) faults.push(`another start warns: ${second.words[0]}`);
  const how = `starts and says so (${summary(words[0])})`;
  return { outcome: lost > 0 ? `${how}, ${lost} torn changes dropped` : how, faults };
}

function refusalFaults(message, dataDir, { file }) {
  const faults = [];
  if (!/ended \(1\)/.test(message)) faults.push(`it did not end with 1: ${message}`);
  if (!message.includes(dataDir)) faults.push(`the refusal does not name the folder: ${message}`);
  if (!message.includes(file) && !message.includes('memories.json')) faults.push(`nor a file: ${message}`);
  if (!/--repair/.test(message)) faults.push(`nor what to do: ${message}`);
  return faults;
}

/** Whole, or without changes at the end of the journal that were damaged there, which it must say. */
async function storeFaults(service, { states }, damage) {
  const faults = [];
  const found = await gists(service.url);
  let lost = 0;
  while (lost < states.length && !isSame(found, states[states.length - 1 - lost])) lost++;
  const { words } = service;
  const isJournal = damage?.file?.startsWith('journal') ?? false;
  if (lost === states.length) faults.push(`${found.size} memories that are no state that the store ever had`);
  else if (lost > 0 && !isJournal) faults.push(`the last ${lost} changes are gone`);
  else if (lost > 0 && words.length === 0) faults.push(`the last ${lost} changes are gone, and nothing is said`);
  const state = states[states.length - 1 - lost];
  faults.push(...(await vectorFaults(service.url, state)));
  return { faults, lost, words: words.slice() };
}

/** Every memory gets its vector back, and is found by its own words. */
async function vectorFaults(url, state) {
  if (!state) return [];
  const client = requester(url);
  const until = performance.now() + VECTORS_LIMIT_MS;
  let health = (await client.get('/health')).body;
  while (health.embedding.pending > 0 && performance.now() < until) {
    await sleep(50);
    health = (await client.get('/health')).body;
  }
  const faults = [];
  if (health.vectors !== state.size) faults.push(`${health.vectors} vectors for ${state.size} memories`);
  for (const [id, gist] of [...state].slice(-3)) {
    const { body } = await client.post('/recall', { query: gist, strengthen: false });
    if (body.memories[0]?.id !== id) faults.push(`${id} is not found by its own words`);
  }
  client.close();
  return faults;
}

/** It serves, says what was lost, invents nothing, and keeps the damaged files. */
async function repairFaults(service, dataDir, { states }) {
  const faults = [];
  const found = await gists(service.url);
  const ever = new Set(states.flatMap((state) => [...state].map(([id, gist]) => `${id} ${gist}`)));
  for (const [id, gist] of found) if (!ever.has(`${id} ${gist}`)) faults.push(`${id} was never like this`);
  if (service.words.length === 0) faults.push('the repair says nothing');
  if (!readdirSync(dataDir).some((name) => DAMAGED.test(name))) faults.push('the damaged files were not kept');
  if ((await service.stop()) !== 0) faults.push('the repaired one did not stop cleanly');
  const again = await startMemory(dataDir);
  if (!isSame(await gists(again.url), found)) faults.push('a start after the repair finds something else');
  if (again.words.length > 0) faults.push(`a start after the repair warns: ${again.words[0]}`);
  await again.stop();
  return { kept: found.size, faults };
}

async function gists(url) {
  const client = requester(url);
  const { text } = await client.get('/export');
  client.close();
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ id, gist }) => [id, gist]),
  );
}

function isSame(a, b) {
  return a.size === b.size && [...a].every(([id, gist]) => b.get(id) === gist);
}

function bytesOf(dataDir) {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  return new Map(names.map((name) => [name, readFileSync(join(dataDir, name))]));
}

function difference(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => !before.get(name)?.equals(after.get(name) ?? Buffer.from('gone')))
    .map((name) => `the refusal changed ${basename(name)}`);
}

function summary(line) {
  try {
    return JSON.parse(line).msg.slice(0, 90);
  } catch {
    return line.slice(0, 90);
  }
}
