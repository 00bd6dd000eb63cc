// Spaces of one size in a database: the first is merged over the service and saved, the others are copies of its rows.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/lib/root.mjs';
import { requester } from '../../scripts/withstand/lib/service.mjs';
import { whole } from '../lib/markdown.mjs';
import { merge, writeLines } from '../memory/merge-request.mjs';

/** The services' own driver. */
const { Client } = createRequire(join(root, 'packages/postgres-kit/package.json'))('pg');
export const MIB = 2 ** 20;
/** A save of a large space. */
const PATIENCE_MS = 600_000;
/** What belongs to a process, not to the data. */
const NOT_COPIED = ['lease'];
const TABLES = `SELECT table_name AS table, array_agg(column_name::text) AS columns,
    bool_or(column_name = 'space') AS "isOfSpace"
  FROM information_schema.columns WHERE table_schema = 'memory' AND is_identity = 'NO' GROUP BY table_name`;

/** @param startReplica of memory-service on the database of the URL */
export async function fillSpaces({ name, spaces, memories, url, folder, startReplica }) {
  const replica = await startReplica();
  const headers = { 'x-space': `${name}-0` };
  const file = join(folder, 'lines.ndjson');
  await writeLines(file, replica.url, { memories, corpus: null, withVectors: true });
  const began = performance.now();
  const { report } = await merge(replica.url, file, { space: `${name}-0` });
  const seconds = (performance.now() - began) / 1_000;
  const client = requester(replica.url, { limitMs: PATIENCE_MS });
  const saved = await client.post('/save', undefined, { headers });
  client.close();
  await replica.stop();
  if (saved.status !== 200) throw new Error(saved.text);
  const copies = Array.from({ length: spaces - 1 }, (_, n) => `${name}-${n + 1}`);
  await inDatabase(url, (database) => copySpace(database, `${name}-0`, copies));
  console.log(`- ${whole(report.added)} of ${whole(memories)} memories were merged in ${seconds.toFixed(1)} s.`);
}

async function copySpace(database, from, copies) {
  const { rows } = await database.query(TABLES);
  await database.query('SET synchronous_commit = off');
  for (const { table, columns, isOfSpace } of rows) {
    const key = isOfSpace ? 'space' : 'name';
    if (!columns.includes(key) || NOT_COPIED.includes(table)) continue;
    const rest = columns.filter((column) => column !== key).map((column) => `, "${column}"`);
    const copy = `INSERT INTO memory."${table}" (${key}${rest.join('')})
      SELECT $1${rest.join('')} FROM memory."${table}" WHERE ${key} = $2`;
    for (const to of copies) await database.query(copy, [to, from]);
  }
  // Else the database does it by itself, and what it writes then counts as that of whatever is measured.
  await database.query('VACUUM');
  await database.query('CHECKPOINT');
}

/** Rows of a table: bytes of all spaces of a size, and of each. */
export async function databaseSizes(url, sizes) {
  return await inDatabase(url, async (database) => {
    const { rows } = await database.query('SELECT pg_database_size(current_database())::float8 AS bytes');
    const parts = await database.query(
      `SELECT regexp_replace(space, '-\\d+$', '') AS name, sum(octet_length(body))::float8 AS bytes FROM memory.checkpoint GROUP BY 1`,
    );
    const ofSize = ({ name, spaces, memories }) => {
      const bytes = parts.rows.find((row) => row.name === name)?.bytes ?? 0;
      return [
        `checkpoints of ${whole(spaces)} spaces of ${whole(memories)}`,
        `${whole(bytes / MIB)} MiB`,
        `${(bytes / MIB / spaces).toFixed(1)} MiB`,
      ];
    };
    return [...sizes.map(ofSize), ['the whole database', `${whole(rows[0].bytes / MIB)} MiB`, '']];
  });
}

/** Bytes of the write-ahead log so far. */
export async function writtenAhead(url) {
  return await inDatabase(url, async (database) => {
    const { rows } = await database.query("SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes");
    return rows[0].bytes;
  });
}

async function inDatabase(url, work) {
  const database = new Client({ connectionString: url });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
