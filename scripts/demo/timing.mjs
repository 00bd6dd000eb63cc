// Three simulated agents at work for half a minute against a running timing-service, so that its dashboard has something
// to show. First it imports a believable last day. Everything that looks random comes from one seed, and the ids of the
// imported tasks depend on the day only: a second run imports nothing twice.
//   npm run demo:timing        TIMING_URL says where the service is, else TIMING_PORT of this machine (8080); TIMING_DEMO_SECONDS=30
import { commandLine } from '../lib/command-line.mjs';
import { seededRandom } from '../lib/seeded-random.mjs';
import { AGENTS, durationSeconds, lastDay, outcome, pick, SEED, TASK_TYPES } from './timing-history.mjs';

const { TIMING_URL, TIMING_PORT = 8080, TIMING_DEMO_SECONDS = 30 } = process.env;
const BASE_URL = (TIMING_URL ?? `http://127.0.0.1:${TIMING_PORT}`).replace(/\/+$/, '');
const WORK_MS = Number(TIMING_DEMO_SECONDS) * 1000;
/** A task that would end later than this after the demo is left running. */
const LONGEST_OVERTIME_MS = 8000;
const MOST_IN_BACKGROUND = 1;

/** @returns {Promise<any>} the answer */
async function call(
  method,
  path,
  /** @type {{ body?: any, agent?: string, contentType?: string }} */ {
    body,
    agent,
    contentType = 'application/json',
  } = {},
) {
  const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`;
  const response = await fetch(`${BASE_URL}${path}${query}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': contentType }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer.detail}`);
  return answer;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One task of the length that it takes; one that would outlast the demo by far is left running. */
async function runTask(agent, type, random, untilMs) {
  const { median, metadata } = TASK_TYPES[type];
  const milliseconds = durationSeconds(random, TASK_TYPES[type]) * 1000;
  const started = await call('POST', '/events/task-start', {
    agent,
    body: { task_type: type, estimated_seconds: Number((median * (0.7 + random() * 0.6)).toFixed(1)), metadata },
  });
  console.log(`  ${agent.padEnd(15)} starts ${type}`);
  if (Date.now() + milliseconds > untilMs + LONGEST_OVERTIME_MS) return 'left running';
  await wait(milliseconds);
  const body = { task_type: type, correlation_id: started.correlation_id, outcome: outcome(random) };
  const { duration_seconds } = await call('POST', '/events/task-end', { agent, body });
  console.log(`  ${agent.padEnd(15)} ends   ${type}: ${body.outcome} after ${duration_seconds.toFixed(1)} s`);
  return 'ended';
}

/** One task after the other; now and then a long one runs in the background. */
async function work(agent, { types, stopwatch }, random, untilMs) {
  const path = `/stopwatch/${encodeURIComponent(stopwatch)}`;
  await call('POST', `${path}/start`, { agent });
  await call('POST', '/events', { agent, body: { event_type: 'agent_ready', metadata: { stopwatch } } });
  const results = [];
  let inBackground = 0;
  while (Date.now() < untilMs) {
    const type = pick(random, types);
    const task = runTask(agent, type, random, untilMs);
    results.push(task);
    if (TASK_TYPES[type].median > 5 && inBackground < MOST_IN_BACKGROUND) {
      inBackground += 1;
      void task.finally(() => {
        inBackground -= 1;
      });
    } else await task;
    if (random() < 0.2) {
      const metadata = { files: 1 + Math.floor(random() * 6) };
      await call('POST', '/events', { agent, body: { event_type: 'commit', metadata } });
    }
    await wait(300 + random() * 1500);
  }
  const ended = (await Promise.all(results)).filter((result) => result === 'ended').length;
  if (agent === 'tester-ci') await call('POST', `${path}/stop`, { agent });
  return { ended, leftRunning: results.length - ended };
}

async function main() {
  try {
    await call('GET', '/health');
  } catch (error) {
    console.error(`No timing-service answers at ${BASE_URL} (${error.cause?.code ?? error.message}).`);
    console.error(
      'Start it with `npm run start:timing`, or say where it is: TIMING_URL=http://host:port npm run demo:timing',
    );
    process.exitCode = 1;
    return;
  }
  const lines = lastDay(Date.now());
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const report = await call('POST', '/import', { body, contentType: 'application/x-ndjson' });
  console.log(`A day of work: ${report.imported} tasks imported, ${report.duplicates} were there already.`);
  if (report.rejected_count > 0)
    throw new Error(`${report.rejected_count} lines were rejected: ${report.rejected[0].reason}`);
  console.log(`Three agents work for ${WORK_MS / 1000} s. Watch them: ${BASE_URL}/dashboard`);
  const untilMs = Date.now() + WORK_MS;
  const results = await Promise.all(
    Object.entries(AGENTS).map(([agent, job], i) =>
      work(agent, job, seededRandom(SEED + i + report.duplicates), untilMs),
    ),
  );
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const left = total('leftRunning');
  console.log(`Done: ${total('ended')} tasks ended${left > 0 ? `, ${left} left running on purpose` : ''}.`);
  console.log(`The dashboard: ${BASE_URL}/dashboard`);
}

commandLine(import.meta.url, {});
await main();
