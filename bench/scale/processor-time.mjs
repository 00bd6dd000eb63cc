// Processor time of programs of several processes, from /proc.
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { TICKS_PER_SECOND } from '../lib/markdown.mjs';

/** Seconds of a process, of its children that run, and of those that have ended; NaN on a system without /proc. */
export function withChildren(pid) {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + seconds(one), 0);
}

function seconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    // utime, stime, cutime, cstime
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
