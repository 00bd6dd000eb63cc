#!/usr/bin/env node
// Measures what hooks add to a prompt, and prints it as Markdown.
//   npm run bench:hooks [-- --quick] [--size 20000] [--model fast]
// Each prompt goes to both services at once, as Claude Code sends it; no two prompts are the same. The hook program takes turns with
// node alone, both with running and with stopped services.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { requester, scratchFolder, startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { describeMachine, loadAverage, ms, table, title, whole } from '../lib/markdown.mjs';
import { textSource } from '../memory/texts.mjs';
import { startWorkers } from '../memory/workers.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    quick: { type: 'boolean', default: false },
    size: { type: 'string', default: '20000' },
    model: { type: 'string', default: 'fast' },
  },
});
const { quick, model } = values;
const size = Number(values.size);
const WARM_UP = quick ? 100 : 500;
const PROMPTS = quick ? 200 : 1_000;
const STARTS = quick ? 15 : 60;
const COMMANDS = 20;
const PROGRAM = join(root, 'packages/cli/bin/agent-faculties-hook.mjs');
/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';

describeMachine([['memories', `${whole(size)}, model ${model}`]]);
const folder = scratchFolder('hooks-bench-');
const workers = startWorkers();
const [dataDir] = await workers.once('fill.mjs', { folder, model, sizes: [size], corpus: null });
workers.end();
const memory = await startMemory(dataDir, { model });
const timing = await startTiming(join(folder, 'timing.db'));
try {
  await habits();
  await prompts();
  await programs();
} finally {
  await Promise.all([memory.stop(), timing.stop()]);
}
console.log(`\nLoad average after: ${loadAverage()}`);

function payload(event, fields) {
  return { hook_event_name: event, session_id: 'bench', cwd: '/bench', ...fields };
}

/** Records tasks, so that the temporal line has habits to name. */
async function habits() {
  const { post } = requester(timing.url);
  for (let call = 0; call < COMMANDS * 5; call++) {
    const tool_input = { command: `make target${String.fromCharCode(97 + (call % COMMANDS))}` };
    const fields = { tool_name: 'Bash', tool_input, tool_use_id: `call-${call}`, duration_ms: 6_000 + call };
    await post('/hooks/claude-code', payload('PostToolUse', fields));
  }
}

async function prompts() {
  const { ask } = textSource({ corpus: null, seed: 3 });
  const services = [memory, timing].map(({ url }) => requester(url));
  const took = { memory: [], timing: [], both: [] };
  let withContext = 0;
  for (let index = -WARM_UP; index < PROMPTS; index++) {
    const body = payload('UserPromptSubmit', { prompt_id: `p-${index}`, prompt: `${ask()} (${index})?` });
    const began = performance.now();
    const each = await Promise.all(
      services.map(async ({ post }) => {
        const answer = await post('/hooks/claude-code', body);
        return { answer, ms: performance.now() - began };
      }),
    );
    if (index < 0) continue;
    took.memory.push(each[0].ms);
    took.timing.push(each[1].ms);
    took.both.push(performance.now() - began);
    if (each[0].answer.body?.hookSpecificOutput) withContext++;
  }
  title('What hooks add to a prompt');
  table(
    ['', 'p50', 'p95', 'p99'],
    Object.entries(took).map(([name, list]) => [name, ...[0.5, 0.95, 0.99].map((p) => ms(quantile(list, p)))]),
  );
  console.log(`\n${whole(PROMPTS)} prompts, one after the other; ${whole(withContext)} of them were given a context.`);
}

async function programs() {
  const there = { MEMORY_URL: memory.url, TIMING_URL: timing.url };
  const away = { MEMORY_URL: NOWHERE, TIMING_URL: NOWHERE };
  const variants = {
    'node alone': () => started(['-e', '0'], {}),
    'the program, services there': (n) => started([PROGRAM, 'codex', 'UserPromptSubmit'], there, n),
    'the program, services away': (n) => started([PROGRAM, 'codex', 'UserPromptSubmit'], away, n),
  };
  const took = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let time = 0; time < STARTS; time++) {
    for (const [name, run] of Object.entries(variants)) took[name].push(await run(time));
  }
  title('The program for hosts that start commands');
  const alone = quantile(took['node alone'], 0.5);
  table(
    ['', 'p50', 'p95', 'beyond node alone, p50'],
    Object.entries(took).map(([name, list]) => [
      name,
      ...[0.5, 0.95].map((p) => ms(quantile(list, p))),
      ms(quantile(list, 0.5) - alone),
    ]),
  );
}

async function started(args, env, number = 0) {
  const state = mkdtempSync(join(tmpdir(), 'hooks-bench-state-'));
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, XDG_STATE_HOME: state, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(
    JSON.stringify(payload('UserPromptSubmit', { turn_id: `t-${number}`, prompt: `What now (${number})?` })),
  );
  await new Promise((resolve) => child.on('close', resolve));
  return performance.now() - began;
}

function quantile(list, p) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * p), sorted.length - 1)];
}
