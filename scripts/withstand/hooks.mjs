// Sends both services payloads that no host would send, and holds every answer against what the host reads: 200, and a form of the
// host's own, whatever comes. Both must answer as quickly afterwards as before.
//   node --import tsx scripts/withstand/hooks.mjs [--payloads 10000] [--seed 1] [--hosts codex,gemini]
import { join } from 'node:path';
import fc from 'fast-check';
import { isAnswerOf, mutated } from '../../packages/agent-hooks/test/mutated-payloads.ts';
import { SAMPLES } from '../../packages/agent-hooks/test/payloads.ts';
import { commandLine } from '../lib/command-line.mjs';
import { scratchFolder, startMemory } from './memory/lib/memory-service.mjs';
import { startTiming } from './timing/lib/timing-service.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    payloads: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    hosts: { type: 'string' },
  },
});
const payloads = Number(values.payloads);
const AT_ONCE = 8;

const folder = scratchFolder('hooks-withstand-');
const memory = await startMemory(null, { model: 'none', logLevel: 'silent', flags: ['--contradiction-model', 'none'] });
const timing = await startTiming(join(folder, 'timing.db'), { flags: ['--log-level', 'silent'] });
let faults = 0;
try {
  const hosts = /** @type {any[]} */ (values.hosts?.split(',')) ?? new Set(SAMPLES.map((sample) => sample.host));
  for (const host of hosts) {
    const all = fc.sample(mutated(host), { numRuns: payloads, seed: Number(values.seed) });
    for (const [service, { url }] of Object.entries({ memory, timing })) {
      const found = await sendAll({ url, host, all });
      faults += found.faults;
      console.log(
        `${service.padEnd(6)} ${host.padEnd(11)} ${payloads} payloads, ${found.faults} faults, ${JSON.stringify(found.kinds)}`,
      );
    }
  }
} finally {
  await Promise.all([memory.stop(), timing.stop()]);
}
process.exitCode = faults === 0 ? 0 : 1;

async function sendAll({ url, host, all }) {
  const kinds = { '{}': 0, context: 0 };
  let failed = 0;
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const { event, body } = all[next++];
      const answer = await fetch(`${url}/hooks/${host}?event=${encodeURIComponent(event)}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      const text = await answer.text();
      if (answer.status === 200 && isAnswerOf(host, text)) kinds[text === '{}' ? '{}' : 'context']++;
      else if (failed++ < 3)
        console.error(`${host} ${event}: ${answer.status} ${text.slice(0, 300)}\n  ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { faults: failed, kinds };
}
