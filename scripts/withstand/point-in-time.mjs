#!/usr/bin/env node
// The backup of docs/scale.md: a base backup and the archived log of the database. Both services write before and after the base backup;
// then everything is deleted. A server that is set back to the moment before has what both services exported at that moment.
//   node scripts/withstand/point-in-time.mjs      POSTGRES_BIN_TEST: as in lib/database-pair.mjs
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../lib/command-line.mjs';
import { runMain } from '../lib/say.mjs';
import { startDatabasePair, until } from './lib/database-pair.mjs';
import { createReport } from './lib/report.mjs';
import { requester, scratchFolder } from './lib/service.mjs';
import { startMemory } from './memory/lib/memory-service.mjs';
import { startTiming } from './timing/lib/timing-service.mjs';

const WRITES = 20;

commandLine(import.meta.url, {});
await runMain(async () => {
  const report = createReport('PostgreSQL, set back to a moment from a base backup and the archived log');
  const pair = await startDatabasePair(scratchFolder());
  report.note(pair.version);
  const { first } = pair;
  const archive = first.archive();
  await first.kill('SIGINT');
  await first.start();
  await pair.untilBothHaveIt();

  const services = await startBoth(pair.url(pair.ports));
  await services.write('before');
  const base = first.baseBackup();
  await services.write('after');
  const exported = await services.exported();
  const moment = first.sql('SELECT now()');
  await services.deleteAll();
  report.check((await services.exported()).memories === 0, 'everything is deleted');
  const last = first.sql('SELECT pg_walfile_name(pg_current_wal_lsn())');
  first.sql('SELECT pg_switch_wal()');
  await until(() => existsSync(join(archive, last)), 'the last segment of the log');
  await services.stop();

  const restored = await pair.restoredTo(moment, { base, archive });
  await until(() => restored.sql('SELECT pg_is_in_recovery()') === 'f', 'the end of the recovery');
  const again = await startBoth(pair.url([restored.port, restored.port]));
  const found = await again.exported();
  report.note(`${found.memories} memories and ${found.tasks} lines of tasks and events`);
  report.check(found.memories === 2 * WRITES, 'every memory is back');
  report.check(found.text === exported.text, 'both services export what they exported at that moment');
  await again.write('later');
  report.check((await again.exported()).memories === 3 * WRITES, 'both services go on from there');
  await again.stop();
  await pair.stop();
  report.finish();
});

async function startBoth(url) {
  const flags = ['--contradiction-model', 'none', '--consolidate-cron', 'off'];
  const memory = await startMemory(null, { model: 'none', flags, env: { MEMORY_STORE: url } });
  const timing = await startTiming(null, { env: { TIMING_STORE: url } });
  const [memories, tasks] = [requester(memory.url), requester(timing.url)];
  const expect200 = async (request) => {
    const { status, text } = await request;
    if (status !== 200) throw new Error(`${status} ${text}`);
    return text;
  };
  const lines = (text) => text.split('\n').filter(Boolean);
  const exportedMemories = async () => await expect200(memories.get('/export'));
  const idsIn = (text) => lines(text).flatMap((line) => JSON.parse(line).id ?? []);
  return {
    write: async (name) => {
      for (let number = 0; number < WRITES; number++) {
        const task = { task_type: 'step', correlation_id: `${name}-${number}` };
        await expect200(memories.post('/ingest', { content: `Step ${number} ${name} the backup is done.` }));
        await expect200(tasks.post('/events/task-start', task));
        await expect200(tasks.post('/events/task-end', task));
      }
    },
    exported: async () => {
      // Strength fades with each moment.
      const told = (await exportedMemories()).replaceAll(/"strength":[\d.]+,?/g, '');
      const timed = await expect200(tasks.get('/export?agent_id=*'));
      return { text: told + timed, memories: idsIn(told).length, tasks: lines(timed).length };
    },
    deleteAll: async () => {
      for (const id of idsIn(await exportedMemories())) await expect200(memories.delete(`/memory/${id}`));
    },
    stop: async () => {
      for (const client of [memories, tasks]) client.close();
      for (const service of [memory, timing]) await service.stop();
    },
  };
}
