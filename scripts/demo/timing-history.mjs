// A believable last day of three agents: what timing.mjs imports and bench/timing/estimate.mjs measures with.

import { seededRandom } from '../lib/seeded-random.mjs';

export const SEED = 20_251;
const HOUR_MS = 3_600_000;
const PAST_MS = 24 * HOUR_MS;
/** Of the imported tasks; the rest ended ok. */
/** @type {[name: string, share: number][]} */
const OUTCOME_SHARES = [
  ['error', 0.06],
  ['timeout', 0.025],
  ['cancelled', 0.015],
];

/** Median in seconds, and spread of the logarithm: durations of real work are skewed to the right. */
export const TASK_TYPES = {
  plan: { median: 6, spread: 0.5, metadata: { model: 'large' } },
  'tool:web/search': { median: 1.4, spread: 0.6, metadata: { query: 'sqlite wal checkpoint' } },
  'review pull request': { median: 45, spread: 0.65, metadata: { pull_request: 118 } },
  'edit file': { median: 0.35, spread: 0.5, metadata: { path: 'src/app.ts' } },
  build: { median: 4.5, spread: 0.3, metadata: null },
  lint: { median: 2, spread: 0.25, metadata: null },
  'run tests': { median: 9, spread: 0.45, metadata: { branch: 'main' } },
  'deploy preview': { median: 25, spread: 0.35, metadata: null },
};
export const AGENTS = {
  'planner-claude': {
    types: ['plan', 'tool:web/search', 'tool:web/search', 'review pull request'],
    stopwatch: 'whole feature',
  },
  'coder-codex': { types: ['edit file', 'edit file', 'build', 'lint', 'run tests'], stopwatch: 'since last commit' },
  'tester-ci': { types: ['run tests', 'run tests', 'build', 'deploy preview'], stopwatch: 'nightly run' },
};

export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Log-normal, by Box and Muller's transform. */
export function durationSeconds(random, { median, spread }) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0.01, median * Math.exp(spread * normal));
}

export function outcome(random) {
  let left = random();
  for (const [name, share] of OUTCOME_SHARES) {
    left -= share;
    if (left < 0) return name;
  }
  return 'ok';
}

/** One line a task, as GET /export gives them. */
export function lastDay(nowMs) {
  const lines = [];
  // Whole hours of the clock make the same tasks in every run within the hour, and the hours before keep their ids.
  const firstHour = Math.ceil((nowMs - PAST_MS) / HOUR_MS);
  for (const [agentIndex, [agent, { types }]] of Object.entries(AGENTS).entries()) {
    for (let hour = firstHour; hour * HOUR_MS < nowMs; hour += 1) {
      const random = seededRandom(SEED + hour * 31 + agentIndex * 7919);
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
