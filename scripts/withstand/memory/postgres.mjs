#!/usr/bin/env node
// Replicas over one database, while replicas, servers and connections fail (lib/replicas-under-faults.mjs says how). Clients write, read
// at another replica what was answered, send one idempotency key to two replicas at once, edit with If-Match, and delete.
// Then: nothing that was answered is missing, nothing deleted is back, no key was taken twice, no read was from the past, and all
// replicas, and one that starts anew, answer the same to the byte.
//   node scripts/withstand/memory/postgres.mjs [--rounds 20] [--clients 16] [--pause 60] [--model none] [--seed 1] [--pooler transaction]
//     [--vectors-in-database-above 100]
// With the last option and a model, vectors go into a table of the database, are lost to a replica without a model now and then, made anew
// and moved once more. No table is left over, and each vector is that of the text. POSTGRES_BIN_TEST has to name a server with pgvector.
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../lib/command-line.mjs';
import { KnownFailure, runMain } from '../../lib/say.mjs';
import { seededRandom } from '../../lib/seeded-random.mjs';
import { OPTIONS, REPLICAS, startReplicasUnderFaults } from '../lib/replicas-under-faults.mjs';
import { createReport } from '../lib/report.mjs';
import { startMemory } from './lib/memory-service.mjs';
import { sentenceSource } from './lib/sentences.mjs';
import {
  allSettled,
  faultsOfTables,
  goBackToMemory,
  rowsLeftOf,
  tablesInUse,
  vectorsOfOtherTexts,
} from './lib/vectors-in-database.mjs';

const QUESTIONS = 200;
const SAVE_EVERY_MS = 7_000;
const BACK_TO_MEMORY_EVERY_MS = 15_000;
/** Characters that are shown on both sides of a difference. */
const SHOWN = 80;
/** From so many memories on, a client deletes some of its own. */
const MANY = 5;

const { values } = commandLine(import.meta.url, {
  options: {
    ...OPTIONS,
    model: { type: 'string', default: 'none' },
    'vectors-in-database-above': { type: 'string', like: '100' },
  },
});
const above = values['vectors-in-database-above'];
const seed = Number(values.seed);

await runMain(async () => {
  if (above && values.model === 'none')
    throw new KnownFailure('Name a model whose vectors go into the database: --model fast.');
  const report = createReport(`memory-service over PostgreSQL, ${values.rounds} faults, seed ${seed}`);
  const flags = ['--contradiction-model', 'none', '--consolidate-cron', 'off'];
  const replicas = await startReplicasUnderFaults({
    start: (url) =>
      startMemory(null, {
        model: values.model,
        flags: above ? [...flags, '--vectors-in-database-above', above] : flags,
        env: { MEMORY_STORE: url },
        logLevel: 'error',
      }),
    // The name of a statement, and the words of one that has none.
    markers: ['memory-append', 'INSERT INTO memory.change', 'COMMIT', 'CREATE INDEX CONCURRENTLY'],
    seed,
    pauseSeconds: Number(values.pause),
    pooler: values.pooler,
    extension: above ? 'vector' : null,
  });
  const { insist, slots } = replicas;
  report.note(replicas.database);
  const random = seededRandom(seed + 1);
  const say = sentenceSource(seededRandom(7));

  const told = { acknowledged: 0, fromThePast: [], edits: 0, deletes: 0, erased: 0, keys: 0 };
  const rowsLeft = [];
  const moved = new Set();
  let timesBack = 0;
  /** Ids that were answered with 200 and not deleted, with what they say. */
  const kept = new Map();
  const deleted = new Set();
  /** Ids by words that were sent more than once. */
  const sentAgain = new Map();
  /** Deletes whose answer never came. */
  const inDoubt = new Set();
  let isOver = false;

  const readElsewhere = async (at, id, isThere) => {
    const { answer } = await insist((client) => client.get(`/memory/${id}`, { agentId: 'reader' }), at + 1);
    if ((answer.status === 200) !== isThere) told.fromThePast.push(`${id}: ${answer.status}`);
  };
  let number = 0;
  const remember = async (me, draw) => {
    const content = `${++number}: ${say()}`;
    const body = { content, idempotency_key: `own-${number}` };
    const { answer, at, attempts } = await insist((client) => client.post('/ingest', body, { agentId: me }), draw);
    if (answer.status !== 200) throw new Error(`ingest: ${answer.text}`);
    if (attempts > 1) sentAgain.set(content, answer.body.memory.id);
    told.acknowledged++;
    kept.set(answer.body.memory.id, me);
    await readElsewhere(at, answer.body.memory.id, true);
  };
  const shareKey = async () => {
    const key = `shared-${++number}`;
    const answers = await Promise.all(
      [0, 1].map(async (at) => {
        const body = { content: `${key} as replica ${at} heard it: ${say()}`, idempotency_key: key };
        return (await insist((client) => client.post('/ingest', body, { agentId: 'all' }), at)).answer;
      }),
    );
    told.acknowledged++;
    told.keys++;
    // Whoever comes second is told that the key stands for other words.
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 200 ? body.memory.id : [])));
    for (const id of ids) kept.set(id, 'all');
    if (ids.size !== 1) told.fromThePast.push(`${key}: ${ids.size} memories, ${answers.map(({ status }) => status)}`);
  };
  const oneOf = (me) => {
    const mine = [...kept].filter(([, agent]) => agent === me);
    return { id: mine[Math.floor(random() * mine.length)]?.[0], count: mine.length };
  };
  const edit = async (me, draw) => {
    const { id } = oneOf(me);
    if (!id) return;
    const path = `/memory/${id}`;
    const read = await insist((client) => client.get(path, { agentId: me }), draw);
    if (read.answer.status !== 200) return told.fromThePast.push(`${id}: ${read.answer.status} before an edit`);
    const importance = Math.round(random() * 1e6) / 1e6;
    const gist = `In other words: ${say()}`;
    // An attempt that a replica takes up when it runs again would undo what came after it.
    const options = { agentId: me, headers: { 'if-match': read.answer.etag } };
    const { answer, at } = await insist((client) => client.put(path, { importance, gist }, options), draw);
    // 412: an attempt before this one did it, and its answer was lost.
    if (answer.status !== 200 && answer.status !== 412) {
      return told.fromThePast.push(`edit of ${id}: ${answer.status} ${answer.text}`);
    }
    told.edits++;
    const again = await insist((client) => client.get(path, { agentId: me }), at + 1);
    const { memory } = again.answer.body ?? {};
    if (memory?.importance !== importance || memory.gist !== gist)
      told.fromThePast.push(`${id}: edited and read as before (${answer.status})`);
  };
  const forget = async (me, draw) => {
    const { id, count } = oneOf(me);
    if (!id || count < MANY) return;
    kept.delete(id);
    inDoubt.add(id);
    const isErased = random() < 0.5;
    const path = `/memory/${id}?erase=${isErased}`;
    const { answer, at } = await insist((client) => client.delete(path, { agentId: me }), draw);
    if (isErased && answer.status === 200) {
      told.erased++;
      if (above && rowsLeftOf(id, replicas.sql) > 0) rowsLeft.push(id);
    }
    // 404: an attempt before this one did it, and its answer was lost.
    if (answer.status !== 200 && answer.status !== 404) return;
    inDoubt.delete(id);
    deleted.add(id);
    told.deletes++;
    await readElsewhere(at, id, false);
  };
  const client = async (me) => {
    while (!isOver) {
      const draw = Math.floor(random() * REPLICAS);
      const kind = random();
      if (kind < 0.6) await remember(me, draw);
      else if (kind < 0.75) await shareKey();
      else if (kind < 0.92) await edit(me, draw);
      else await forget(me, draw);
    }
  };
  const clients = Array.from({ length: Number(values.clients) }, (_, n) => client(`agent-${n}`));
  const saves = (async () => {
    while (!isOver) {
      await sleep(SAVE_EVERY_MS);
      await slots[Math.floor(random() * REPLICAS)].client.post('/save').catch(() => {});
    }
  })();
  const movesBack = (async () => {
    while (above && !isOver) {
      await sleep(BACK_TO_MEMORY_EVERY_MS);
      for (const name of tablesInUse(replicas.sql)) moved.add(name);
      if (await goBackToMemory({ url: replicas.url(), flags })) timesBack++;
    }
  })();
  await replicas.suffer(Number(values.rounds));
  isOver = true;
  await Promise.all([...clients, saves, movesBack]);

  await replicas.startNew();
  replicas.describe(report);
  report.note(
    `${told.acknowledged} ingests acknowledged (${told.keys} keys told to two), ${told.edits} edits, ${told.deletes} deletes`,
  );
  const { sql } = replicas;
  const vectorsIn = above ? 'database' : 'memory';
  report.check(
    await allSettled(
      slots.map(({ client: one }) => one),
      { vectorsIn },
    ),
    `all vectors are made and in the ${vectorsIn}, all memories are compared`,
  );
  // Recalls are written a little later than they are answered.
  for (const { client: one } of slots) await one.post('/save');
  const texts = await Promise.all(
    slots.map(async ({ client: one }) =>
      withoutFading((await one.get(`/export?vectors=${Boolean(above)}`, { agentId: 'all' })).text),
    ),
  );
  const memories = texts[0]
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id);
  const ids = new Set(memories.map(({ id }) => id));
  report.checkNone(
    [...kept.keys()].filter((id) => !ids.has(id)),
    'every acknowledged memory is there',
  );
  report.checkNone(
    [...deleted].filter((id) => ids.has(id)),
    'no deleted memory is back',
  );
  const untold = memories.filter(({ id }) => !kept.has(id) && !inDoubt.has(id));
  // A delete makes the key free, for an attempt too that the client gave up before and that a replica takes up later.
  const late = untold.filter(({ content }) => deleted.has(sentAgain.get(content)));
  if (late.length > 0) report.note(`${late.length} stored by an attempt that arrived after the delete`);
  report.checkNone(
    untold.filter((memory) => !late.includes(memory)).map(({ id, content }) => `${id}: ${content}`),
    'nothing is there that was not told',
  );
  if (above) {
    report.note(
      `in ${moved.size} tables one after the other, ${timesBack} times back to memory; ${told.erased} erased`,
    );
    report.checkNone(rowsLeft, 'no table had a row of an erased memory when that was answered');
    report.checkNone(
      faultsOfTables(memories, sql),
      'the one table holds the vectors that are exported, and nothing else',
    );
    report.checkNone(
      await vectorsOfOtherTexts(memories, { model: values.model, flags }),
      'each vector is that which the model makes of the text',
    );
  }
  const shared = memories.flatMap(({ content }) => /^shared-\d+/.exec(content ?? '')?.[0] ?? []);
  report.checkNone(
    shared.filter((key, at) => shared.indexOf(key) !== at),
    'no idempotency key was taken twice',
  );
  report.checkNone(told.fromThePast, 'no answer is from the past');
  const [first, ...others] = texts.map((text) => text.split('\n'));
  const unlike = others.flatMap((lines, at) => {
    const line = Math.max(lines.length, first.length) - 1;
    const differing = Array.from({ length: line + 1 }, (_, n) => n).find((n) => lines[n] !== first[n]);
    return differing === undefined
      ? []
      : [`replica ${at + 1}, line ${differing}: ${lines[differing]} and ${first[differing]}`];
  });
  report.checkNone(unlike, 'all replicas, and one that starts now, export the same bytes');
  const question = sentenceSource(seededRandom(7));
  const unequal = [];
  // With all that decided about each memory. What is said of "yesterday" is that of one moment, whenever a replica comes to answer.
  const now = new Date().toISOString();
  for (let n = 0; n < QUESTIONS; n++) {
    const body = { query: question(), strengthen: false, top_k: 20, explain: true, now };
    const found = await Promise.all(
      slots.map(({ client: one }) => one.post('/recall', body, { agentId: `asker-${n}` })),
    );
    const answers = found.map(({ text }) => withoutFading(text).replace(/"took_ms":[\d.]+/, ''));
    if (new Set(answers).size > 1) unequal.push(`${body.query}: ${firstDifference(answers)}`);
  }
  report.checkNone(unequal, `${QUESTIONS} recalls are answered alike to the byte by ${slots.length} replicas`);
  await replicas.stop();
  report.finish();
});

/**
 * Strength fades with each moment, and so does the share of it in a score, and no two replicas answer in the same one; what they are
 * computed from stays in the text.
 */
function withoutFading(text) {
  return text.replaceAll(/"(?:strength|recency)":[\d.e-]+,?/g, '');
}

function firstDifference(texts) {
  const [first, ...others] = texts;
  const other = others.find((text) => text !== first);
  let at = 0;
  while (at < first.length && first[at] === other[at]) at++;
  return [first, other].map((text) => text.slice(Math.max(0, at - SHOWN), at + SHOWN)).join(' and ');
}
