// Prints results as the Markdown of docs/benchmarks.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/lib/root.mjs';

/** Clock ticks per second in /proc, on every Linux that Node supports. */
export const TICKS_PER_SECOND = 100;

export function title(text) {
  console.log(`\n### ${text}\n`);
}

export function table(head, rows) {
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}

/** A table of the machine, with rows of the caller in the middle. */
export function describeMachine(rows) {
  table(
    ['machine', ''],
    [
      ['processor', `${os.cpus()[0].model}, ${os.availableParallelism()} cores`],
      ['memory', `${(os.totalmem() / 2 ** 30).toFixed(1)} GiB`],
      ['system', `${os.type()} ${os.release()}`],
      ['Node', process.version],
      ...rows,
      ['date', new Date().toISOString().slice(0, 10)],
      ['load average before', loadAverage()],
    ],
  );
}

/** Versions of packages as installed in a folder of the workspace: 'express 5.3.0, autocannon 9.0.0'. */
export function versions(folder, names) {
  const versionOf = (name) =>
    JSON.parse(readFileSync(join(root, folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  return names.map((name) => `${name} ${versionOf(name)}`).join(', ');
}

export function loadAverage() {
  return os
    .loadavg()
    .map((load) => load.toFixed(2))
    .join(', ');
}

export function whole(number) {
  return Math.round(number).toLocaleString('en');
}

export function ms(milliseconds) {
  return `${milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(1)} ms`;
}

export function ratio(number) {
  return `${number.toFixed(2)}x`;
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Processor time of a process so far, with all its threads; NaN on a system without /proc. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
