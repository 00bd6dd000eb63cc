#!/usr/bin/env node
// Nothing holds the event loop of the timing-service up: imports of broken lines, bodies of many fields, long names.
//   node scripts/withstand/timing/stalls.mjs [--lines 300000]
import { join } from 'node:path';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { loopWatch } from '../lib/loop-watch.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, scratchFolder, startTiming } from './lib/timing-service.mjs';

/** The most work in one turn. */
const LONGEST_TURN_MS = 50;
const { values } = commandLine(import.meta.url, { options: { lines: { type: 'string', default: '300000' } } });
const BROKEN_LINES = Number(values.lines);
/** As many as the limit of a body allows. */
const FIELDS = 12_000;
const LIMIT_MS = 120_000;

await runMain(async () => {
  const report = createReport('stalls: the longest turn of the event loop');
  const folder = scratchFolder();
  const watch = loopWatch(folder);
  const { env, nodeFlags } = watch;
  const service = await startTiming(join(folder, 'timing.db'), { env, nodeFlags });
  const client = requester(service.url, { limitMs: LIMIT_MS });
  const step = async (name, wanted, ask) => {
    const { longest, result } = await watch.longestTurn(ask);
    const isAnswered = wanted.includes(result.status);
    report.check(
      longest < LONGEST_TURN_MS && isAnswered,
      `${name}: ${result.status}, the longest turn ${longest.toFixed(0)} ms`,
      isAnswered ? '' : result.text.slice(0, 200),
    );
  };
  await client.post('/import', '{}\n');
  for (const line of ['x', '', '{}', '[]', '{"kind":"task"}', '\u0001', '{"kind":1e999}']) {
    const lines = `${line}\n`.repeat(BROKEN_LINES);
    await step(`import of ${BROKEN_LINES} lines of ${JSON.stringify(line)}`, [200], () =>
      client.post('/import', lines),
    );
  }
  const fields = Object.fromEntries(Array.from({ length: FIELDS }, (_, number) => [`f${number}`, number]));
  const start = (body) => client.post('/events/task-start', body);
  await step(`a task of ${FIELDS} unknown fields`, [400, 422], () => start({ task_type: 'a', ...fields }));
  await step(`metadata of ${FIELDS} fields`, [400, 422], () => start({ task_type: 'a', metadata: fields }));
  await step('a task type of 200,000 characters', [400, 422], () =>
    start({ task_type: `${'a'.repeat(200_000)}\u0001` }),
  );
  await step('export', [200], () => client.get('/export'));
  client.close();
  await service.stop();
  report.finish();
});
