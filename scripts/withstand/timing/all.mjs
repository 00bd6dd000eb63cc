#!/usr/bin/env node
// Everything that the timing-service must withstand, one after the other: load, kill -9, damaged files, a full disk, replicas over one
// database, copies to it and back, generated requests.
//   npm run withstand:timing [-- --full]     about 7 minutes; --full takes about 30
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../lib/command-line.mjs';

const { full } = commandLine(import.meta.url, { options: { full: { type: 'boolean', default: false } } }).values;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;
/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ['load', node, [here('load.mjs'), '--seconds', full ? '60' : '15']],
  ['kill -9', node, [here('kill.mjs'), '--kills', full ? '20' : '5']],
  ['stalls', node, [here('stalls.mjs'), '--lines', full ? '300000' : '30000']],
  ['damaged files', node, [here('damage.mjs'), '--damages', full ? '200' : '48', '--tasks', full ? '300' : '150']],
  ['full disk', node, [here('full-disk.mjs')]],
  [
    'replicas over PostgreSQL',
    node,
    [here('postgres.mjs'), '--rounds', full ? '100' : '10', '--pause', full ? '60' : '30'],
  ],
  ['copies', node, [here('copy.mjs'), '--kills', full ? '40' : '6']],
  ['generated requests', here('../schemathesis.sh'), ['timing', full ? '180' : '60']],
];

const failed = steps.filter(([, command, args]) => spawnSync(command, args, { stdio: 'inherit' }).status !== 0);
for (const step of steps) console.log(`${failed.includes(step) ? 'FAILED' : 'ok    '} ${step[0]}`);
process.exitCode = failed.length > 0 ? 1 : 0;
