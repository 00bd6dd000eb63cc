#!/usr/bin/env node
// Everything that the memory-service must withstand, one after the other: load, kill -9, also in a merge and a copy, damaged files, a full disk, a second
// process, generated requests, saves while it serves, replicas over one database.
//   npm run withstand:memory [-- --full]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../lib/command-line.mjs';

const { full } = commandLine(import.meta.url, { options: { full: { type: 'boolean', default: false } } }).values;
const steps = [
  ['load', 'load.mjs', '--seconds', full ? '60' : '15'],
  ['kill -9', 'kill.mjs', '--kills', full ? '50' : '6'],
  ['kill -9 in a merge', 'merge.mjs', '--memories', full ? '100000' : '20000'],
  ['kill -9 of a consolidation', 'consolidation.mjs', '--kills', full ? '50' : '8'],
  ['kill -9 of copies', 'copy.mjs', '--kills', full ? '40' : '6'],
  ['damaged files', 'power-cut.mjs', ...(full ? [] : ['--only', 'killed'])],
  ['stalls', 'stalls.mjs', '--model', full ? 'accurate' : 'fast'],
  ['full disk', 'full-disk.mjs'],
  ['second process', 'second-process.mjs'],
  ['planted secrets, of both services', '../secrets.mjs'],
  ['generated requests', '../schemathesis.sh', 'memory', full ? '180' : '60'],
  ['replicas over PostgreSQL', 'postgres.mjs', '--rounds', full ? '100' : '10', '--pause', full ? '60' : '30'],
  ['save while serving', 'save-while-serving.mjs', '--memories', full ? '100000' : '20000'],
];

const failed = steps.filter(([, script, ...args]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command, ...first] = script.endsWith('.sh') ? [path] : [process.execPath, path];
  return spawnSync(command, [...first, ...args], { stdio: 'inherit' }).status !== 0;
});
for (const step of steps) console.log(`${failed.includes(step) ? 'FAILED' : 'ok    '} ${step[0]}`);
process.exitCode = failed.length > 0 ? 1 : 0;
