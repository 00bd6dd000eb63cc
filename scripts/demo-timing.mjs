// Three simulated agents at work for half a minute against a running timing-service, so that its dashboard has something
// to show. First it imports a believable last day. Everything that looks random comes from one seed, and the ids of the
// imported tasks depend on the day only: a second run imports nothing twice.

const BASE_URL = (process.env.TIMING_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
const WORK_MS = Number(process.env.TIMING_DEMO_SECONDS ?? 30) * 1000;
const SEED = 20_251;
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
  plan: { median: 34, spread: 0.5, metadata: { model: 'large' } },
  'tool:web/search': { median: 1.4, spread: 0.6, metadata: { query: 'sqlite wal checkpoint' } },
  'review pull request': { median: 280, spread: 0.65, metadata: { pull_request: 118 } },
  'edit file': { median: 0.35, spread: 0.5, metadata: { path: 'src/app.ts' } },
  build: { median: 22, spread: 0.3, metadata: null },
  lint: { median: 6, spread: 0.25, metadata: null },
  'run tests': { median: 48, spread: 0.45, metadata: { branch: 'main' } },
  'deploy preview': { median: 140, spread: 0.35, metadata: null },
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
        atMs = endedMs + 5000 + random() * 420_000;
      }
    }
  }
  return lines;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Works on one task after the other; a task of minutes is played in seconds, one in eight is left running. */
async function work(agent, { types, stopwatch }, random, untilMs) {
  await call('POST', `/stopwatch/${encodeURIComponent(stopwatch)}/start`, { agent });
  await call('POST', '/events', { agent, body: { event_type: 'agent_ready', metadata: { stopwatch } } });
  let ended = 0;
  while (Date.now() < untilMs) {
    const type = pick(random, types);
    const seconds = durationSeconds(random, TASK_TYPES[type]);
    const estimate = Number((TASK_TYPES[type].median * (0.7 + random() * 0.6)).toFixed(1));
    const { correlation_id } = await call('POST', '/events/task-start', {
      agent,
      body: { task_type: type, estimated_seconds: estimate, metadata: TASK_TYPES[type].metadata },
    });
    console.log(`  ${agent.padEnd(15)} starts ${type}`);
    if (seconds > 10 && random() < 0.2) {
      await wait(500);
      continue;
    }
    await wait(Math.min(seconds * 1000, 1500 + random() * 3500));
    const result = outcome(random);
    const end = { task_type: type, correlation_id, outcome: result };
    const answer = await call('POST', '/events/task-end', { agent, body: end });
    ended += 1;
    console.log(`  ${agent.padEnd(15)} ends   ${type}: ${result} after ${answer.duration_seconds.toFixed(1)} s`);
    if (random() < 0.25)
      await call('POST', '/events', {
        agent,
        body: { event_type: 'commit', metadata: { files: 1 + Math.floor(random() * 6) } },
      });
    await wait(300 + random() * 1200);
  }
  if (agent === 'tester-ci') await call('POST', `/stopwatch/${encodeURIComponent(stopwatch)}/stop`, { agent });
  return ended;
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
  const ended = await Promise.all(
    Object.entries(AGENTS).map(([agent, job], i) => work(agent, job, seeded(SEED + i + report.duplicates), untilMs)),
  );
  console.log(`Done: ${ended.reduce((sum, count) => sum + count, 0)} tasks ended, a few were left running on purpose.`);
  console.log(`The dashboard: ${BASE_URL}/dashboard`);
}

await main();
