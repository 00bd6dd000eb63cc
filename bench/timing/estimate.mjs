#!/usr/bin/env node
import { lastDay, TASK_TYPES } from '../../scripts/demo/timing-history.mjs';
// Measures how good estimates are on the history of the demonstration, and prints the results as Markdown.
//   npm run bench:estimate [-- --risks]     --risks: the second table alone
// Estimates of unseen types: for each task type a service that knows everything but this type is asked for each of its tasks.
// Probabilities of missing a timeout: what several rules say from a few runs, against what the next run did.
import { requester, startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { median, table, title } from '../lib/markdown.mjs';

const NOON = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;
/** Days of history before the one that is asked about. */
const RISK_DAYS = 20;

const secondsOf = ({ started_at, ended_at }) => (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
const percent = (share) => `${(100 * share).toFixed(0)} %`;
const oks = (lines) => lines.filter(({ outcome }) => outcome === 'ok');

const lines = lastDay(NOON);

async function unseenTypes() {
  const rows = [];
  const all = { held: 0, promised: 0, off: [], tasks: 0 };
  for (const type of Object.keys(TASK_TYPES)) {
    const asked = oks(lines).filter(({ task_type }) => task_type === type);
    const known = lines.filter(({ task_type }) => task_type !== type);
    const service = await startTiming(':memory:');
    const request = requester(service.url);
    await request.post('/import', known.map((line) => JSON.stringify(line)).join('\n'));
    for (const said of [true, false]) rows.push(await askedFor(request, type, asked, said, all));
    request.close();
    await service.stop();
  }
  title('Estimates of task types never seen');
  table(['type left out', 'tasks', 'rests on', 'estimate / actual, median', 'interval promises', 'holds'], rows);
  console.log(
    `\nAll: the intervals promise ${percent(all.promised / all.tasks)} and hold ${percent(all.held / all.tasks)} of ${all.tasks} runs.`,
  );
}

async function askedFor(request, type, tasks, said, all) {
  const off = [];
  let held = 0;
  let promised = 0;
  const sources = new Set();
  for (const task of tasks) {
    const seconds = secondsOf(task);
    const query = new URLSearchParams({ agent_id: task.agent_id });
    if (said) query.set('estimated_seconds', String(task.estimated_seconds));
    const { estimate } = (await request.get(`/stats/estimate/${encodeURIComponent(type)}?${query}`)).body;
    const [low, high] = estimate.interval;
    sources.add(estimate.source);
    off.push(estimate.seconds / seconds);
    promised += estimate.coverage ?? 0;
    if (low !== null && low <= seconds && seconds <= high) held++;
  }
  all.held += held;
  all.promised += promised;
  all.tasks += tasks.length;
  return [
    type,
    tasks.length,
    [...sources].join(', '),
    median(off).toFixed(2),
    percent(promised / tasks.length),
    percent(held / tasks.length),
  ];
}

/** From m past runs that got as far as this one, k missed the timeout. */
const RULES = {
  'k / m': (k, m) => k / m,
  '(k + 1) / (m + 1)': (k, m) => (k + 1) / (m + 1),
  '(k + 1) / (m + 2), which is used': (k, m) => (k + 1) / (m + 2),
};
const HISTORIES = [3, 5, 10, 20, 50];

function risks() {
  const past = Array.from({ length: RISK_DAYS }, (_, day) => oks(lastDay(NOON - day * DAY_MS))).flat();
  const types = Object.keys(TASK_TYPES).map((type) =>
    past.filter(({ task_type }) => task_type === type).map(secondsOf),
  );
  const rows = HISTORIES.map((runs) => riskRow(runs, types));
  title('Probability of missing a timeout, from a few runs');
  const names = Object.keys(RULES);
  table(
    ['runs', 'missed', ...names.map((name) => `${name}: says`), ...names.map((name) => `${name}: Brier score`)],
    rows,
  );
}

function riskRow(runs, types) {
  const said = Object.fromEntries(Object.keys(RULES).map((name) => [name, { sum: 0, brier: 0 }]));
  let asked = 0;
  let missed = 0;
  for (const durations of types) {
    for (let next = runs; next < durations.length; next++) {
      const past = durations.slice(next - runs, next).sort((a, b) => a - b);
      const actual = durations[next];
      for (const [elapsed, timeout] of questionsOf(past)) {
        const longer = past.filter((seconds) => seconds > elapsed).length;
        if (actual <= elapsed || timeout <= elapsed || longer === 0) continue;
        const late = past.filter((seconds) => seconds > timeout).length;
        const happened = actual > timeout ? 1 : 0;
        asked++;
        missed += happened;
        for (const [name, rule] of Object.entries(RULES)) {
          const probability = rule(late, longer);
          said[name].sum += probability;
          said[name].brier += (probability - happened) ** 2;
        }
      }
    }
  }
  const rules = Object.values(said);
  return [
    runs,
    percent(missed / asked),
    ...rules.map(({ sum }) => percent(sum / asked)),
    ...rules.map(({ brier }) => (brier / asked).toFixed(3)),
  ];
}

/** Pairs of elapsed time and timeout that an agent may ask about. */
function questionsOf(past) {
  const middle = past[Math.floor(past.length / 2)];
  const longest = past.at(-1);
  return [
    [0, middle],
    [0, longest],
    [middle * 0.8, middle * 1.3],
    [middle, middle * 2],
    [middle * 0.5, longest * 1.2],
  ];
}

if (!process.argv.includes('--risks')) await unseenTypes();
risks();
