// The turns of a service's event loop, as loop-probe.mjs notes them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The probe has noted the turn that wrote an answer after this time. */
const NOTED_WITHIN_MS = 30;

/** @param folder of which the probe makes a file */
export function loopWatch(folder) {
  const file = join(folder, 'turns.txt');
  const turns = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : []);
  return {
    env: { LOOP_PROBE_FILE: file },
    nodeFlags: ['--import', fileURLToPath(new URL('loop-probe.mjs', import.meta.url))],
    /** Does something and tells the longest turn meanwhile, in milliseconds; 0 when none was long. */
    longestTurn: async (work) => {
      const began = turns().length;
      const result = await work();
      await sleep(NOTED_WITHIN_MS);
      const lengths = turns()
        .slice(began)
        .map((line) => Number(line.split(' ')[1]));
      return { longest: Math.max(0, ...lengths), result };
    },
  };
}
