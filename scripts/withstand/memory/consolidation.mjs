#!/usr/bin/env node
// kill -9 at random moments of a consolidation, again and again: after each restart everything that was said is there, by its
// own id, in the memory that it became one with, or among the pruned; every semantic memory is whole, of sources that are
// there, and says no word that these do not; and in the end a run finds nothing more to do.
//   node scripts/withstand/memory/consolidation.mjs [--kills 20] [--subjects 60] [--model fast] [--seed 1]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, scratchFolder, startMemory } from './lib/memory-service.mjs';

const AGENTS = ['ann', 'bob'];
const FLAGS = ['--consolidate-cron', 'off'];
const OPTIONS = { keep_per_agent: 0 };
const LONG_AGO_MS = Date.UTC(2026, 0, 5, 10);
const MINUTE_MS = 60_000;
const LAST_RUNS = 3;
/** The kills are spread over at least this long. */
const LONGEST_LEAST_MS = 300;
const THINGS = 'ledger gateway importer scheduler kiosk billing search archive mailer router planner tracker'.split(
  ' ',
);
const PARTS = 'queue cache index token schema migration certificate replica webhook timeout backup session'.split(' ');

const { values } = commandLine(import.meta.url, {
  options: {
    kills: { type: 'string', default: '20' },
    subjects: { type: 'string', default: '60' },
    model: { type: 'string', default: 'fast' },
    seed: { type: 'string', default: '1' },
  },
});
const { model } = values;
const kills = Number(values.kills);

await runMain(async () => {
  const report = createReport(`kill -9 of a consolidation, ${kills} times, ${model}`);
  const dataDir = join(scratchFolder(), 'data');
  const random = seededRandom(Number(values.seed));
  const said = new Map();
  const faults = { lost: [], broken: [], words: [], twice: [] };
  let longestMs = 1_000;
  let done = 0;

  const open = async () => {
    const service = await startMemory(dataDir, { model, flags: FLAGS });
    return { service, client: requester(service.url, { limitMs: 120_000 }) };
  };
  for (let round = 0; round < kills; round++) {
    const { service, client } = await open();
    await check(client, said, { faults, round });
    await sayMore(client, said, { subjects: Math.ceil(Number(values.subjects) / kills), round });
    const began = performance.now();
    const run = client.post('/consolidate', OPTIONS).then(
      ({ status }) => {
        if (status !== 200) return;
        done += 1;
        longestMs = Math.max(LONGEST_LEAST_MS, performance.now() - began);
      },
      () => {},
    );
    await Promise.race([run, sleep(random() * longestMs)]);
    await service.kill();
    client.close();
    await run;
  }
  const { service, client } = await open();
  await check(client, said, { faults, round: kills });
  let last;
  for (let i = 0; i < LAST_RUNS && last?.changed !== false; i++) {
    last = (await client.post('/consolidate', OPTIONS)).body.report;
  }
  await check(client, said, { faults, round: kills + 1 });
  const { semantic, pruned } = await counts(client);
  report.note(
    `${said.size} messages, ${semantic} semantic memories, ${pruned} pruned; ${done} of ${kills} runs ended first`,
  );
  report.checkNone(faults.lost, 'everything that was said is there, merged, or among the pruned');
  report.checkNone(faults.broken, 'every semantic memory has at least two sources, and all of them are there');
  report.checkNone(faults.words, 'no semantic memory says a word that its sources do not');
  report.checkNone(faults.twice, 'no memory is in two clusters');
  report.check(semantic > 0 && pruned > 0, 'there was something to kill');
  report.check(last.changed === false, 'in the end a run changes nothing');
  report.check((await service.stop()) === 0, 'the last one stops cleanly');
  client.close();
  report.finish();
});

/** Clusters, a fact said by two agents, and small talk of long ago. */
async function sayMore(client, said, { subjects, round }) {
  for (let i = 0; i < subjects; i++) {
    const number = round * subjects + i;
    const thing = `${THINGS[number % THINGS.length]} ${PARTS[Math.floor(number / THINGS.length) % PARTS.length]}`;
    const session = `subject-${number}`;
    const lines = [
      `The ${thing} of team ${number} failed with error E${number} during the load test.`,
      `We traced error E${number} of team ${number} to a full ${thing}.`,
      `After the fix the ${thing} of team ${number} passed the load test without error E${number}.`,
    ];
    for (const content of lines) await say(client, said, { agent: 'ann', content, session });
    for (const agent of AGENTS)
      await say(client, said, { agent, content: `The ${thing} runs on host h${number}.`, session });
    const timestamp = new Date(LONG_AGO_MS + number * MINUTE_MS).toISOString();
    await say(client, said, {
      agent: 'bob',
      content: `Sounds fine, see you at ${number}!`,
      session,
      timestamp,
      importance: 0,
    });
  }
}

async function say(client, said, { agent, content, session, ...more }) {
  const { body } = await client.post('/ingest', { agent_id: agent, content, session_id: session, ...more });
  said.set(body.memory.id, content);
}

async function check(client, said, { faults, round }) {
  const at = `after kill ${round}:`;
  const pruned = new Set((await client.get('/pruned?limit=1000')).body.pruned.map(({ memory }) => memory.id));
  for (const [id, content] of said) {
    const { status, body } = await client.get(`/memory/${id}`);
    const isThere = status === 200 ? body.memory.content === content : pruned.has(id);
    if (!isThere) faults.lost.push(`${at} ${id} ${content}`);
  }
  const seen = new Set();
  for (const { id, gist, sources } of await semantics(client)) {
    const found = await Promise.all(sources.map((source) => client.get(`/memory/${source}`)));
    if (sources.length < 2 || found.some(({ status, body }, i) => status !== 200 || body.memory.id !== sources[i])) {
      faults.broken.push(`${at} ${id} of ${sources.join(', ')}`);
      continue;
    }
    const contents = found.map(({ body }) => body.memory.content);
    const strange = gist.split('\n').filter((line) => !contents.includes(line.slice(line.indexOf(': ') + 2)));
    faults.words.push(...strange.map((line) => `${at} ${id} ${line}`));
    for (const source of sources) {
      if (seen.has(source)) faults.twice.push(`${at} ${source}`);
      seen.add(source);
    }
  }
}

async function semantics(client) {
  return (await client.get('/memories?kind=semantic&limit=1000')).body.memories;
}

async function counts(client) {
  return { semantic: (await semantics(client)).length, pruned: (await client.get('/pruned')).body.total };
}
