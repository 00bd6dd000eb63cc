#!/usr/bin/env node
// What open spaces on PostgreSQL ask of the database while nobody uses them: statements a second, as the database counts them.
//   node bench/memory/idle-spaces.mjs [--spaces 1,100,1000] [--seconds 10]
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, {
  options: { spaces: { type: 'string', default: '1,100,1000' }, seconds: { type: 'string', default: '10' } },
});
const SECONDS = Number(values.seconds);
/** Until the server has added up what its processes have done. */
const SETTLED_MS = 2_000;

const from = (path) => import(new URL(`../../apps/memory-service/dist/${path}`, import.meta.url).href);
const kit = (path) => import(new URL(`../../packages/${path}/dist/index.js`, import.meta.url).href);
const { openStore } = await from('persistence/open-store.js');
const { NO_METERS, openMemoryDatabase } = await from('persistence/postgres/memory-database.js');
const { openPostgres, parseStoreUrl } = await kit('postgres-kit');
const { createLog, systemClock } = await kit('service-kit');

const log = createLog({ name: 'bench', level: 'silent' });
const MEMORY = {
  id: randomUUID(),
  gist: 'The release moved to Friday',
  content: 'The release moved to Friday',
  gistEdited: false,
  tags: [],
  importance: 0.5,
  agentId: 'ann',
  sessionId: null,
  scope: 'TEAM',
  project: null,
  kind: 'episodic',
  role: null,
  name: null,
  source: 'tool',
  entities: [],
  createdAt: systemClock.now(),
  updatedAt: systemClock.now(),
  sources: [],
  consolidatedInto: null,
  supersededBy: null,
  supersession: null,
  validFrom: null,
  validUntil: null,
  invalidation: null,
  expiresAt: null,
  metadata: null,
  idempotencyKey: null,
};

const server = await startPostgres();
const rows = [];
for (const count of values.spaces.split(',').map(Number)) {
  const url = parseStoreUrl(await server.newDatabase(`spaces_${count}`));
  // Counts from another database, so that it does not count itself.
  const watcher = await openPostgres({
    url: parseStoreUrl(server.url('postgres')),
    log,
    applicationName: 'bench',
  });
  const transactions = async () => {
    const { rows: found } = await watcher.query({
      text: 'SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = $1',
      values: [`spaces_${count}`],
    });
    return found[0].count;
  };
  const database = await openMemoryDatabase({
    url,
    log,
    newToken: randomUUID,
    random: Math.random,
    meters: NO_METERS,
  });
  const open = [];
  for (let n = 1; n <= count; n++) {
    const shared = { database, space: `space-${n}` };
    const space = await openStore({ dataDir: null, shared, clock: systemClock, model: null, log });
    await space.store.changeTogether({ expected: [], changes: [{ op: 'add', memory: MEMORY, vectors: [] }] });
    open.push(space);
  }
  await pause(SETTLED_MS);
  const [before, cpu] = [await transactions(), process.cpuUsage()];
  await pause(SECONDS * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = ((await transactions()) - before) / SECONDS;
  rows.push([count.toLocaleString('en'), perSecond.toFixed(1), `${((user + system) / 1_000 / SECONDS).toFixed(1)} ms`]);
  for (const space of open) await space.close();
  await database.postgres.close();
  await watcher.close();
}
await server.remove();
table(['open spaces', 'statements a second', 'processor of the process a second'], rows);
