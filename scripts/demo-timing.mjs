// Three simulated agents at work for half a minute against a running timing-service, so that its dashboard has something
// to show. First it imports a believable last day. Everything that looks random comes from one seed, and the ids of the
// imported tasks depend on the day only: a second run imports nothing twice.

const { TIMING_URL, TIMING_PORT = 8080, TIMING_DEMO_SECONDS = 30 } = process.env;
const BASE_URL = (TIMING_URL ?? `http://127.0.0.1:${TIMING_PORT}`).replace(/\/+$/, '');
const WORK_MS = Number(TIMING_DEMO_SECONDS) * 1000;
const SEED = 20_251;
/** A task that would end later than this after the demo is left running. */
const LONGEST_OVERTIME_MS = 8000;
const MOST_IN_BACKGROUND = 1;
const HOUR_MS = 3_600_000;
const PAST_MS = 24 * HOUR_MS;
/** Of the imported tasks; the rest ended ok. */
const OUTCOME_SHARES = [
  ['error', 0.06],
  ['timeout', 0.025],
  ['cancelled', 0.015],
];

/** Median in seconds, and spread of the logarithm: durations of real work are skewed to the right. */
const TASK_TYPES = {
  plan: { median: 6, spread: 0.5, metadata: { model: 'large' } },
  'tool:web/search': { median: 1.4, spread: 0.6, metadata: { query: 'sqlite wal checkpoint' } },
  'review pull request': { median: 45, spread: 0.65, metadata: { pull_request: 118 } },
  'edit file': { median: 0.35, spread: 0.5, metadata: { path: 'src/app.ts' } },
  build: { median: 4.5, spread: 0.3, metadata: null },
  lint: { median: 2, spread: 0.25, metadata: null },
  'run tests': { median: 9, spread: 0.45, metadata: { branch: 'main' } },
  'deploy preview': { median: 25, spread: 0.35, metadata: null },
};
const AGENTS = {
  'planner-claude': {
    types: ['plan', 'tool:web/search', 'tool:web/search', 'review pull request'],
    stopwatch: 'whole feature',
  },
  'coder-codex': { types: ['edit file', 'edit file', 'build', 'lint', 'run tests'], stopwatch: 'since last commit' },
  'tester-ci': { types: ['run tests', 'run tests', 'build', 'deploy preview'], stopwatch: 'nightly run' },
};

/** mulberry32 (public domain, Tommy Ettinger): numbers from 0 to 1, the same for the same seed. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Log-normal, by Box and Muller's transform. */
function durationSeconds(random, { median, spread }) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0.01, median * Math.exp(spread * normal));
}

function outcome(random) {
  let left = random();
  for (const [name, share] of OUTCOME_SHARES) {
    left -= share;
    if (left < 0) return name;
  }
  return 'ok';
}

async function call(method, path, { body, agent, contentType = 'application/json' } = {}) {
  const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`;
  const response = await fetch(`${BASE_URL}${path}${query}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': contentType }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer.detail}`);
  return answer;
}

/** One line a task, as GET /export gives them. */
function lastDay(nowMs) {
  const lines = [];
  // Whole hours of the clock make the same tasks in every run within the hour, and the hours before keep their ids.
  const firstHour = Math.ceil((nowMs - PAST_MS) / HOUR_MS);
  for (const [agentIndex, [agent, { types }]] of Object.entries(AGENTS).entries()) {
    for (let hour = firstHour; hour * HOUR_MS < nowMs; hour += 1) {
      const random = seeded(SEED + hour * 31 + agentIndex * 7919);
      let atMs = hour * HOUR_MS + random() * 240_000;
      for (let number = 0; ; number += 1) {
        const type = pick(random, types);
        const seconds = durationSeconds(random, TASK_TYPES[type]);
        const endedMs = atMs + Math.round(seconds * 1000);
        if (endedMs >= Math.min((hour + 1) * HOUR_MS, nowMs)) break;
        lines.push({
          kind: 'task',
          correlation_id: `demo-${agent}-${hour}-${number}`,
          agent_id: agent,
          task_type: type,
          state: 'ended',
          outcome: outcome(random),
          started_at: new Date(atMs).toISOString(),
          ended_at: new Date(endedMs).toISOString(),
          estimated_seconds: Number((TASK_TYPES[type].median * (0.6 + random() * 0.5)).toFixed(1)),
          metadata: TASK_TYPES[type].metadata,
        });
        atMs = endedMs + 5000 + random() * 800_000;
      }
    }
  }
  return lines;
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
    Object.entries(AGENTS).map(([agent, job], i) => work(agent, job, seeded(SEED + i + report.duplicates), untilMs)),
  );
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`Done: ${total('ended')} tasks ended, ${total('leftRunning')} left running on purpose.`);
  console.log(`The dashboard: ${BASE_URL}/dashboard`);
}

await main();
