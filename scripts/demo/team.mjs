// A team's memory of a quarter, to try the dashboard on: eight agents, four projects, sessions on every day, facts that change,
// agents that disagree, closures that end. The words are made here, the same at every run.
//   npm run demo:team -- [--memories 20000] [--seed 7] [--until 2026-11-22] [--no-consolidation]
// against a running memory-service (MEMORY_URL, else this machine's at MEMORY_PORT, default 7832); better one for trying:
//   MEMORY_DATA_DIR=/tmp/team-memory npm run start:memory
// Ids are made of the seed and the day: a second run with the same options adds nothing.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../lib/command-line.mjs';
import { seededRandom } from '../lib/seeded-random.mjs';
import { plans, subjects, talk, team, thingsOf } from './team-words.mjs';

const { MEMORY_URL, MEMORY_PORT = 7832 } = process.env;
const BASE_URL = (MEMORY_URL ?? `http://127.0.0.1:${MEMORY_PORT}`).replace(/\/+$/, '');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const QUARTER_DAYS = 91;
const LOOK_EVERY_MS = 10_000;
/** Records of one request. */
const BATCH = 1_000;
/** Of 100 memories, how many say a fact that has one value at a time. */
const FACTS = 6;

const { values: options } = commandLine(import.meta.url, {
  options: {
    memories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '7' },
    until: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    'no-consolidation': { type: 'boolean', default: false },
  },
});

function numberOf(name, least, most) {
  const value = Number(options[name]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}.`);
}

/** The records of the quarter, oldest first. */
function quarter({ memories, seed, endMs }) {
  const random = seededRandom(seed);
  const number = (below) => Math.floor(random() * below);
  const pick = (list) => list[number(list.length)];
  const id = (kind) => `${kind}${kind === '' ? '' : '-'}${(number(0xefff) + 0x1000).toString(16)}`;
  const records = [];
  const startMs = endMs - (QUARTER_DAYS - 1) * DAY_MS;
  const days = Array.from({ length: QUARTER_DAYS }, (_, day) => day);
  // Weekends are quiet, and the team grows.
  const weightOf = (day, { from, share }) => {
    const weekday = new Date(startMs + day * DAY_MS).getUTCDay();
    const mood = 0.55 + 0.9 * Math.abs(Math.sin(day * 1.7 + share * 2.3));
    return day < from
      ? 0
      : share * mood * (weekday === 0 || weekday === 6 ? 0.12 : 1) * (0.7 + 0.6 * (day / QUARTER_DAYS));
  };
  const total = days.reduce((sum, day) => sum + team.reduce((more, one) => more + weightOf(day, one), 0), 0);
  /** By fact, its values in the order in which they were drawn, and which records say so. */
  const statements = new Map();
  let owed = 0;

  const idOf = (place) => {
    const digits = createHash('sha256').update(`${seed} ${endMs} ${place}`).digest('hex');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
  };

  for (const day of days) {
    for (const one of team) {
      owed += (memories * weightOf(day, one)) / total;
      while (owed >= 1) owed -= session(day, one, Math.min(Math.round(owed), 4 + number(22)));
    }
  }
  for (const { agent, project, told, say } of plans) {
    const one = team.find((member) => member.agent === agent);
    const at = endMs - told * DAY_MS + 9 * 60 * MINUTE_MS;
    const message = { content: say(dayAhead), importance: 0.8, tags: ['plan'] };
    records.push({ ...recordOf(message, { at, one, project, sessionId: null }), scope: 'TEAM' });
  }
  records.sort(byTime);
  // Of today only what has been.
  const now = new Date().toISOString();
  const hasBeen = ({ created_at }) => created_at <= now;
  for (const said of statements.values()) succeed(said.map(({ record }) => record).filter(hasBeen));
  return records.filter(hasBeen);

  function byTime(a, b) {
    return a.created_at < b.created_at ? -1 : 1;
  }

  /** Each statement of a fact in the place of the one before it. Sessions overlap: the next one drawn may have been said earlier. */
  function succeed(drawn) {
    const contents = drawn.map(({ content }) => content);
    const said = drawn.toSorted(byTime);
    for (const [place, record] of said.entries()) {
      record.content = contents[place];
      const replaced = said[place - 1];
      if (!replaced) continue;
      replaced.superseded_by = record.id;
      replaced.supersession = { agent_id: record.agent_id, at: record.created_at, reason: 'The value changed.' };
      replaced.updated_at = record.created_at;
    }
  }

  /** Such as "Thursday 3 December", so many days behind the last one. */
  function dayAhead(days) {
    const form = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' };
    return new Date(endMs + days * DAY_MS).toLocaleDateString('en-GB', /** @type {any} */ (form)).replace(',', '');
  }

  /** One sitting of one agent; returns how many messages it had. */
  function session(day, one, length) {
    const project = pick(one.projects);
    const sessionId = `${project ?? 'team'}-${new Date(startMs + day * DAY_MS).toISOString().slice(5, 10)}-${1 + number(89)}`;
    let at = startMs + day * DAY_MS + (7 + random() * 10) * 60 * MINUTE_MS;
    const count = Math.max(1, length);
    for (let place = 0; place < count; place += 1) {
      at += (0.3 + random() * 6) * MINUTE_MS;
      const isFact = number(100) < FACTS;
      const message = isFact
        ? fact(project, one)
        : { content: pick(talk)({ thing: pick(thingsOf(project)), pick, id }) };
      records.push(recordOf(message, { at, one, project, sessionId }));
      if (isFact) records.at(-1).told?.(records.at(-1));
    }
    return count;
  }

  /** A fact: said for the first time, said anew in the place of what held, or said otherwise by another agent. */
  function fact(project, one) {
    const fitting = subjects.filter((subject) => subject.project === project);
    if (fitting.length === 0) return { content: `The team handbook is at version ${2 + number(60)}.${number(900)}.` };
    const subject = pick(fitting);
    const said = statements.get(subject) ?? [];
    statements.set(subject, said);
    const known = said.at(-1);
    if (!known) return saying(subject, number(subject.values), said);
    const isDisagreement = known.record.agent_id !== one.agent && random() < 0.18;
    const value = known.value + 1 + number(subject.values - 1);
    if (isDisagreement) return { content: subject.say(value), importance: 0.7, tags: ['fact'] };
    return saying(subject, value, said);
  }

  function saying(subject, value, said) {
    const told = (record) => said.push({ value, record });
    return { content: subject.say(value), importance: 0.75, tags: ['fact'], told };
  }

  function recordOf(/** @type {any} */ { content, importance, tags = [], told }, { at, one, project, sessionId }) {
    const created = new Date(at).toISOString();
    const scope = random() < 0.04 ? 'PRIVATE' : random() < 0.06 ? 'SHARED' : 'TEAM';
    const byPerson = one.name !== null && random() < 0.3;
    const recalls = random() < 0.3 ? Math.floor(-Math.log(random()) * 4) + 1 : 0;
    const recalledAt = recalls === 0 ? null : new Date(at + random() * (endMs + DAY_MS / 2 - at)).toISOString();
    const isPassing = !told && random() < 0.03;
    const record = {
      id: idOf(records.length),
      content: isPassing ? `${content.replace(/[.?]$/, '')}, for the time being.` : content,
      agent_id: one.agent,
      session_id: sessionId,
      project,
      scope: told ? 'TEAM' : scope,
      role: byPerson ? 'user' : 'assistant',
      name: byPerson ? one.name : null,
      source: byPerson ? 'user' : random() < 0.15 ? 'tool' : 'assistant',
      created_at: created,
      updated_at: created,
      importance: importance ?? Math.round(random() * 60) / 100,
      tags: [...tags, ...(random() < 0.2 ? [pick(['review', 'incident', 'decision', 'customer', 'later'])] : [])],
      recall_count: recalls,
      last_recalled_at: recalledAt,
      stability_days: Math.round((2 + recalls * 9 * random() + random() * 8) * 10) / 10,
      ...(isPassing && { valid_until: new Date(at + (3 + random() * 40) * DAY_MS).toISOString() }),
    };
    if (told) Object.defineProperty(record, 'told', { value: told });
    return record;
  }
}

/** @returns {Promise<any>} the answer */
async function call(
  method,
  path,
  /** @type {{ agent?: string, body?: string, type?: string }} */ { agent, body, type = 'application/json' } = {},
) {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: { 'Content-Type': type, 'X-Agent-ID': agent ?? 'planner' },
    ...(body !== undefined && { body }),
  }).catch((error) => {
    throw new Error(`no memory-service answers at ${BASE_URL} (${error.cause?.code ?? error.message}): run npm start`);
  });
  const answer = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.detail}`);
  return answer;
}

/** A PRIVATE record is taken from its own agent only, so each agent sends its own. */
async function store(records) {
  let added = 0;
  for (const { agent } of team) {
    const own = records.filter((record) => record.agent_id === agent);
    for (let start = 0; start < own.length; start += BATCH) {
      const body = own
        .slice(start, start + BATCH)
        .map((record) => JSON.stringify(record))
        .join('\n');
      const { report } = await call('POST', '/merge', { agent, body, type: 'application/x-ndjson' });
      if (report.rejected_count > 0)
        throw new Error(`${report.rejected_count} records rejected: ${report.rejected[0].reason}`);
      added += report.added;
    }
    console.log(`${agent}: ${own.length} memories`);
  }
  return added;
}

/** A few edits and ends, so that there is a history to look at. */
async function correct(records) {
  const seen = records.filter(
    ({ scope, superseded_by, valid_until }) => scope === 'TEAM' && !superseded_by && !valid_until,
  );
  for (let place = 0; place < 24; place += 1) {
    const { id, content } = seen[Math.floor((seen.length * (place + 0.5)) / 24)];
    const agent = team[place % team.length].agent;
    if (place % 4 === 3) {
      await call('POST', `/memory/${id}/invalidate`, {
        agent,
        body: JSON.stringify({ reason: 'It was tried again and no longer holds.' }),
      });
    } else {
      const gist = content.replace(/\d+/, (digits) => String(Number(digits) + 1)).replace(/\.$/, ', as checked again.');
      await call('PUT', `/memory/${id}`, { agent, body: JSON.stringify({ gist }) });
    }
  }
}

/** Without vectors memories are gathered by their words alone: of 20,000 some 80 were derived, and some 2,700 with them. */
async function vectorsAreMade() {
  for (;;) {
    const { embedding } = await call('GET', '/health');
    if (embedding.pending === 0) return;
    console.log(`waiting for ${embedding.pending} vectors …`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function demo() {
  const endMs = Date.parse(`${options.until}T00:00:00Z`);
  if (Number.isNaN(endMs)) throw new Error('--until must be a day, such as 2026-11-22.');
  const records = quarter({ memories: numberOf('memories', 100, 200_000), seed: numberOf('seed', 1, 2 ** 31), endMs });
  console.log(`${records.length} memories of a quarter into ${BASE_URL}`);
  const added = await store(records);
  if (added > 0) await correct(records);
  if (added > 0 && !options['no-consolidation']) {
    await vectorsAreMade();
    console.log('consolidating …');
    const { report } = await call('POST', '/consolidate', { body: '{}' });
    console.log(
      `${report.semantic_created} derived, ${report.deduplicated} made one, ${report.pruned} put into the archive`,
    );
  }
  console.log(`${added} were new. Look at ${BASE_URL}/dashboard`);
}

demo().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
