#!/usr/bin/env node
// A second service on the same data directory is refused with the process id of the first, which serves on.
//   node scripts/withstand/memory/second-process.mjs
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { createReport } from '../lib/report.mjs';
import { requester, scratchFolder, startMemory } from './lib/memory-service.mjs';

const MODEL = { model: 'none' };

commandLine(import.meta.url, {});
await runMain(async () => {
  const report = createReport('two processes on one data directory');
  const scratch = scratchFolder();
  const dataDir = join(scratch, 'data');
  const first = await startMemory(dataDir, MODEL);
  const link = join(scratch, 'link');
  symlinkSync(dataDir, link);

  for (const path of [dataDir, link]) {
    const second = await startMemory(path, MODEL).catch((error) => error);
    report.check(
      /ended \(1\)/.test(second.message),
      `a second process on ${path.slice(scratch.length)} ends with 1`,
      second.message,
    );
    if (!(second instanceof Error)) await second.kill();
    else
      report.check(second.message.includes(String(first.pid)), `it names the first one, ${first.pid}`, second.message);
  }
  const both = await Promise.allSettled([
    startMemory(join(scratch, 'race'), MODEL),
    startMemory(join(scratch, 'race'), MODEL),
  ]);
  const won = both.filter((end) => end.status === 'fulfilled');
  report.check(won.length === 1, 'of two that start at once, one gets the directory', `${won.length} did`);
  for (const { value } of won) await value.stop();

  const client = requester(first.url);
  const { status } = await client.post('/ingest', { content: 'still here' });
  report.check(status === 200, 'the first one serves on');
  client.close();
  await first.kill();
  const next = await startMemory(dataDir, MODEL);
  const again = requester(next.url);
  const { body } = await again.get('/health');
  report.check(body.memories === 1, 'after a kill -9 of the first, the next one starts without being told to');
  again.close();
  await next.stop();
  report.finish();
});
