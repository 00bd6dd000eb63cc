#!/usr/bin/env node
// Replicas over one database, while replicas, servers and connections fail (lib/replicas-under-faults.mjs says how). Clients start and
// end tasks of a few ids that they share, and read at another replica what was answered; listeners move from replica to replica.
// Then: nothing that was answered is missing, no id was taken twice, no duration counts twice, no read was from the past, streams have
// told of each event once and in order, and all replicas, and one that starts anew, answer the same to the byte.
//   node scripts/withstand/timing/postgres.mjs [--rounds 20] [--clients 16] [--pause 60] [--seed 1] [--pooler transaction]
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventReader } from '../../../packages/testing/dist/index.js';
import { commandLine } from '../../lib/command-line.mjs';
import { runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { OPTIONS, REPLICAS, startReplicasUnderFaults } from '../lib/replicas-under-faults.mjs';
import { createReport } from '../lib/report.mjs';
import { startTiming } from './lib/timing-service.mjs';

const SPACES = ['default', 'shop'];
const TASK_TYPES = 3;
/** Then a listener goes on at the next replica. */
const EVENTS_AT_ONE = 100;
const RECONNECT_MS = 100;
/** By then a listener has heard of the last event. */
const HEARD_MS = 2_000;

const { values } = commandLine(import.meta.url, { options: OPTIONS });
const seed = Number(values.seed);
const clients = Number(values.clients);

await runMain(async () => {
  const report = createReport(`timing-service over PostgreSQL, ${values.rounds} faults, seed ${seed}`);
  const replicas = await startReplicasUnderFaults({
    start: (url) => startTiming(null, { env: { TIMING_STORE: url } }),
    // Names of statements, and the words of those that have none.
    markers: ['timing_start', 'timing_record', 'AS sequence FROM won', 'COMMIT'],
    seed,
    pauseSeconds: Number(values.pause),
    pooler: values.pooler,
  });
  const { insist, slots } = replicas;
  report.note(replicas.database);
  const random = seededRandom(seed + 1);
  const ledger = { started: new Map(), ended: new Map(), twice: [], fromThePast: [] };
  /** Ends of a space and type that were answered, which every later summary counts. */
  const endsOf = new Map();
  let isOver = false;

  const noteOnce = (known, key, id) => {
    const before = known.get(key);
    if (before !== undefined && before !== id) ledger.twice.push(`${key}: ${before} and ${id}`);
    known.set(key, id);
    return before === undefined;
  };
  const anyReplica = () => Math.floor(random() * REPLICAS);
  /** @returns the replica that answered */
  const tell = async (known, kind, { space, ...task }) => {
    const path = `/events/task-${kind}?space=${space}`;
    const { answer, at } = await insist((client) => client.post(path, task), anyReplica());
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    const isFirst = noteOnce(known, `${space}/${task.correlation_id}`, answer.body.event.id);
    if (kind === 'end' && isFirst) {
      const counted = `${space}/${task.task_type}`;
      endsOf.set(counted, (endsOf.get(counted) ?? 0) + 1);
    }
    return at;
  };
  const readElsewhere = async (at, { space, correlation_id: id }, states) => {
    const { answer } = await insist((client) => client.get(`/tasks/${id}?space=${space}`), at + 1);
    if (!states.includes(answer.body?.task?.state)) {
      ledger.fromThePast.push(`${space}/${id}: ${answer.status} ${answer.body?.task?.state} instead of ${states}`);
    }
  };
  const countElsewhere = async (at, { space, task_type: type }) => {
    const known = endsOf.get(`${space}/${type}`);
    const { answer } = await insist((client) => client.get(`/stats/durations/${type}?space=${space}`), at + 1);
    const count = answer.body?.summary?.count ?? 0;
    if (count < known) ledger.fromThePast.push(`${space}/${type}: counts ${count} of ${known} ends`);
  };
  // Two clients share each id, so both start and end it, at whichever replica.
  const client = async (number) => {
    const name = number % Math.ceil(clients / 2);
    for (let run = 0; !isOver; run++) {
      const space = SPACES[run % SPACES.length];
      const task = { space, task_type: `work-${name % TASK_TYPES}`, correlation_id: `${name}-${run}` };
      const at = await tell(ledger.started, 'start', task);
      await readElsewhere(at, task, ['active', 'ended']);
      const endedAt = await tell(ledger.ended, 'end', task);
      await readElsewhere(endedAt, task, ['ended']);
      await countElsewhere(endedAt, task);
    }
  };
  const listeners = SPACES.map((space) => ({
    space,
    told: [],
    resets: 0,
    last: '0',
    isClosed: false,
    close: () => {},
  }));
  const listen = async (listener) => {
    for (let at = 0; !listener.isClosed; at++) {
      try {
        const path = `/events/stream?agent_id=*&space=${listener.space}`;
        const port = Number(new URL(slots[at % REPLICAS].process.url).port);
        const reader = await openEventReader({ port, path, headers: { 'last-event-id': listener.last } });
        listener.close = () => reader.close();
        for (let count = 0; count < EVENTS_AT_ONE && !listener.isClosed; count++) {
          const { id, event, data } = await reader.next();
          if (id) listener.last = id;
          if (event === 'timing') listener.told.push(data.event.id);
          if (event === 'reset') listener.resets++;
        }
        reader.close();
      } catch {
        await sleep(RECONNECT_MS);
      }
    }
  };
  const listening = listeners.map(listen);
  const work = Array.from({ length: clients }, (_, number) => client(number));
  await replicas.suffer(Number(values.rounds));
  isOver = true;
  await Promise.all(work);
  await sleep(HEARD_MS);
  for (const listener of listeners) {
    listener.isClosed = true;
    listener.close();
  }
  await Promise.all(listening);

  await replicas.startNew();
  replicas.describe(report);
  report.note(`${ledger.started.size} starts and ${ledger.ended.size} ends acknowledged`);
  const missing = [];
  const streams = [];
  for (const { space, told, resets } of listeners) {
    const { text } = await slots[0].client.get(`/export?agent_id=*&space=${space}`);
    const items = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const tasks = new Map(items.filter(({ kind }) => kind === 'task').map((task) => [task.correlation_id, task]));
    const events = items.filter(({ kind }) => kind === 'event');
    const ids = events.map(({ id }) => id);
    const kept = (known) => [...known].filter(([key]) => key.startsWith(`${space}/`));
    for (const [key, id] of kept(ledger.started)) {
      if (!tasks.has(key.slice(space.length + 1)) || !ids.includes(id)) missing.push(`start ${key}`);
    }
    for (const [key, id] of kept(ledger.ended)) {
      if (tasks.get(key.slice(space.length + 1))?.state !== 'ended' || !ids.includes(id)) missing.push(`end ${key}`);
    }
    for (const type of ['task_start', 'task_end']) {
      const of = events.filter(({ event_type }) => event_type === type).map(({ correlation_id }) => correlation_id);
      if (new Set(of).size !== of.length) ledger.twice.push(`${space}: a task has two events ${type}`);
    }
    report.note(`${space}: ${told.length} events told to a listener, ${resets} resets, ${ids.length} events stored`);
    if (resets === 0 && told.join() !== ids.join()) streams.push(`${space}: ${firstUnlike(told, ids)}`);
  }
  report.checkNone(missing, 'what was acknowledged is there');
  report.checkNone(ledger.twice, 'no id was taken twice');
  report.checkNone(ledger.fromThePast, 'no answer is from the past');
  report.checkNone(streams, 'listeners were told of every event once, in the order in which it was stored');
  const unlike = [];
  for (const path of ['/stats/durations?agent_id=*', '/tasks?limit=1000&state=ended', '/export?agent_id=*']) {
    for (const space of SPACES) {
      const answers = await Promise.all(slots.map(({ client }) => client.get(`${path}&space=${space}`)));
      if (answers.some(({ status }) => status !== 200)) unlike.push(`${path} in ${space}: ${answers[0].status}`);
      if (new Set(answers.map(({ text }) => text)).size > 1) unlike.push(`${path} in ${space}`);
    }
  }
  report.checkNone(unlike, `all replicas, and one that starts now, answer alike to the byte`);
  await replicas.stop();
  report.finish();
});

function firstUnlike(told, stored) {
  const at = stored.findIndex((id, index) => told[index] !== id);
  return `event ${at === -1 ? stored.length : at}: told ${told[at]}, stored ${stored[at]}`;
}
