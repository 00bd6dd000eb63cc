// The vectors of a space that go into a table of pgvector: what takes them back into memory while others move them, and what has to hold
// in the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { requester, startMemory } from './memory-service.mjs';

const WAIT_MS = 600_000;
const LOOK_MS = 250;
/** Of a vector made anew: the model computes texts together that come together. */
const MOST_APART = 1e-4;
const TABLES = `SELECT coalesce(json_agg(json_build_object('name', c.relname, 'ready', t.ready) ORDER BY c.relname), '[]')
  FROM pg_class c LEFT JOIN memory.vector_table t ON c.relname = 'vector_' || t.number
  WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^vector_[0-9]+$'`;

/**
 * A replica without a model joins for a moment. Its checkpoint has no vectors, so that all are made anew, in memory, and moved once more.
 * @returns whether it came so far
 */
export async function goBackToMemory({ url, flags }) {
  let service = null;
  try {
    service = await startMemory(null, { model: 'none', flags, env: { MEMORY_STORE: url }, logLevel: 'error' });
    const client = requester(service.url);
    const { status } = await client.post('/save');
    client.close();
    return status === 200;
  } catch {
    // The database was away.
    return false;
  } finally {
    await service?.kill();
  }
}

/** Tables of vectors, with whether a checkpoint relies on each; null: it belongs to no space. @throws while the database is away */
function vectorTables(sql) {
  return JSON.parse(sql(TABLES));
}

/** Names of those that a checkpoint relies on; none while the database is away. */
export function tablesInUse(sql) {
  try {
    return vectorTables(sql).flatMap(({ name, ready }) => (ready ? name : []));
  } catch {
    return [];
  }
}

/** How many rows of any table are of a memory; none where a table was dropped meanwhile, or the database is away. */
export function rowsLeftOf(id, sql) {
  try {
    return vectorTables(sql).reduce(
      (sum, { name }) => sum + Number(sql(`SELECT count(*) FROM memory.${name} WHERE id = '${id}'`)),
      0,
    );
  } catch {
    return 0;
  }
}

/**
 * Resolves once every memory has its vectors and was compared, and all replicas have the vectors there: what goes on would change answers.
 * @returns whether it came to that
 */
export async function allSettled(clients, { vectorsIn }) {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(LOOK_MS)) {
    const states = await Promise.all(clients.map(async (client) => (await client.get('/health')).body));
    const isSettled = ({ embedding, contradictions, persistence }) =>
      embedding.pending === 0 && contradictions.pending === 0 && persistence.vectors_in === vectorsIn;
    if (states.every(isSettled)) return true;
  }
  return false;
}

/**
 * What the tables hold beside what an export with vectors says; a list of faults.
 * @param memories of the export
 */
export function faultsOfTables(memories, sql) {
  const tables = vectorTables(sql);
  if (tables.length !== 1 || tables[0].ready !== true) return [`there are the tables ${JSON.stringify(tables)}`];
  const rows = sql(`SELECT id, count(*), count(DISTINCT digest) FROM memory.${tables[0].name} GROUP BY id`).split('\n');
  const chunksOf = new Map(memories.map(({ id, vectors }) => [id, vectors?.length ?? 0]));
  const faults = rows.flatMap((row) => {
    const [id, count, texts] = row.split('|');
    const chunks = chunksOf.get(id);
    chunksOf.delete(id);
    if (chunks === undefined) return [`${id} is gone, and has ${count} rows`];
    return Number(count) === chunks && texts === '1'
      ? []
      : [`${id} has ${count} rows of ${texts} texts for ${chunks} vectors`];
  });
  return [...faults, ...[...chunksOf.keys()].map((id) => `${id} has no rows`)];
}

/** Memories of an export whose vectors are not those that the model makes of their texts; a list of faults. */
export async function vectorsOfOtherTexts(memories, { model, flags }) {
  const service = await startMemory(null, { model, flags: [...flags, '--max-memories', '1000000'] });
  const client = requester(service.url, { limitMs: WAIT_MS });
  const lines = memories.map(({ vectors: _, embedding_model: __, ...rest }) => `${JSON.stringify(rest)}\n`);
  const merged = await client.post('/merge', lines.join(''), { agentId: 'all' });
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(LOOK_MS)) {
    if ((await client.get('/health')).body.embedding.pending === 0) break;
  }
  const { text } = await client.get('/export?vectors=true', { agentId: 'all' });
  client.close();
  await service.kill();
  const madeAnew = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((one) => [one.id, one.vectors]),
  );
  if (merged.status !== 200 || madeAnew.size !== memories.length)
    return [`${madeAnew.size} were made anew: ${merged.text}`];
  return memories.flatMap(({ id, vectors }) => {
    const apart = farthest(vectors ?? [], madeAnew.get(id) ?? []);
    return apart <= MOST_APART ? [] : [`${id}: ${apart}`];
  });
}

/** The largest difference of two values in the same place; infinite where there are not as many. */
function farthest(some, others) {
  if (some.length !== others.length || some.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(
    ...some.map((vector, chunk) => {
      const [one, other] = [valuesOf(vector), valuesOf(others[chunk])];
      return one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0);
    }),
  );
}

function valuesOf(base64) {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
