import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import { modelIn, storedModel } from '../directory/stored-model.ts';
import { runLogToJson } from '../files/run-log-json.ts';
import { changeFromWire } from '../journal/change-line.ts';
import { openStore } from '../open-store.ts';
import { Checkpoints } from '../postgres/checkpoint/checkpoints.ts';
import { inFolder } from '../postgres/checkpoint/passing-folder.ts';
import { ChangeLog } from '../postgres/log/change-log.ts';
import type { MemoryDatabase } from '../postgres/memory-database.ts';
import { keepPruned, prunedValues } from '../postgres/tables/pruned-table.ts';
import { dropTableOf } from '../postgres/vectors/table-of-space.ts';
import { writePassingFiles } from '../snapshot/snapshot.ts';
import { CopyError, type CopySource, type CopyTarget, type SpaceContents } from './copy-spaces.ts';
import type { CopyMachine } from './directory-copies.ts';
import { contentsOf, MOST_MEMORIES } from './store-contents.ts';

/** Pruned memories that one statement copies. */
const PRUNED_AT_ONCE = 500;

const POSITION = `SELECT space.token || ' ' || coalesce(md5(run_log.body), '') || ' ' || coalesce(
    (SELECT md5(string_agg(id || pruned_at, ',' ORDER BY id)) FROM memory.pruned WHERE pruned.space = space.name), ''
  ) AS position
  FROM memory.space LEFT JOIN memory.run_log ON run_log.space = space.name WHERE space.name = $1`;

/** A database that replicas may be using. */
export function copyFromDatabase(database: MemoryDatabase, { clock, process, log }: CopyMachine): CopySource {
  const { postgres } = database;
  return {
    name: nameOf(database),
    spaces: async () => {
      const { rows } = await postgres.query<{ name: string }>({ text: 'SELECT name FROM memory.space ORDER BY name' });
      return rows.map(({ name }) => name);
    },
    position: async (space) => {
      const { rows } = await postgres.query<{ position: string }>({ text: POSITION, values: [space] });
      return rows[0]?.position ?? null;
    },
    read: async (space, use) => {
      const model = await modelOf(database, space);
      const store = await openStore({
        dataDir: null,
        shared: { database, space, readsOnly: true },
        model,
        maxMemories: MOST_MEMORIES,
        repair: false,
        clock,
        log,
        process,
      });
      try {
        return await use(await contentsOf(store, { sequence: store.sequence(), model, folder: null }));
      } finally {
        await store.close();
      }
    },
  };
}

/** The model of the vectors of a space; null: there are none. */
async function modelOf({ postgres }: MemoryDatabase, space: string): Promise<VectorModel | null> {
  const saved = await inFolder(async (folder) => {
    return await new Checkpoints({ postgres, space }).reading(async (files) => {
      const packed = await files?.memories(folder);
      return packed ? { model: modelIn(packed.header) } : await storedModel(folder);
    });
  });
  if (saved?.model) return saved.model;
  const log = new ChangeLog({ postgres, space });
  const { checkpoint: sequence, checkpointToken: token } = await log.head();
  for await (const { body } of log.after({ sequence, token })) {
    const change = changeFromWire(JSON.parse(body));
    for (const one of change.op === 'group' ? change.changes : [change])
      if ('vectors' in one && one.vectors) return one.vectors.model;
  }
  return null;
}

/** A database in which no replica uses the spaces that are copied. */
export function copyToDatabase(database: MemoryDatabase, { clock }: CopyMachine): CopyTarget {
  const name = nameOf(database);
  return {
    name,
    copied: async (space) => {
      const text = `SELECT copy.source, copy.position, space.token IS NOT DISTINCT FROM copy.token AS is_ours
        FROM memory.space LEFT JOIN memory.copy ON copy.space = space.name WHERE space.name = $1`;
      const { rows } = await database.postgres.query<CopyRow>({ text, values: [space] });
      const [row] = rows;
      if (!row) return null;
      if (row.is_ours && row.source !== null) return { source: row.source, position: row.position };
      throw new CopyError(
        `The space '${space}' in ${name} holds memories ${row.source === null ? 'already' : 'that came after it was copied'}: choose another database, or delete its rows there.`,
      );
    },
    write: async (space, contents, { source, position }) => {
      const token = database.newToken();
      const copy = { database, space, contents, token };
      const id = database.newToken();
      await begin(copy, source);
      await writeCheckpoint(copy, { id, savedAtMs: Math.floor(clock.now()) });
      await finish(copy, position);
    },
  };
}

function nameOf({ postgres }: MemoryDatabase): string {
  return `postgres://${postgres.name}`;
}

/** A space that is being written. Its token shows a later run, and other processes, whose it is. */
interface Copy {
  readonly database: MemoryDatabase;
  readonly space: string;
  readonly contents: SpaceContents;
  readonly token: string;
}

/** Empties the space, and says that it is being copied. */
async function begin({ database, space, contents: { sequence }, token }: Copy, source: string): Promise<void> {
  await database.postgres.transaction(async (client) => {
    await client.query(
      `INSERT INTO memory.copy (space, source, token) VALUES ($1, $2, $3)
       ON CONFLICT (space) DO UPDATE SET position = NULL, token = EXCLUDED.token`,
      [space, source, token],
    );
    // No state of it is one that a replica could take for whole: the checkpoint comes next.
    await client.query(
      `INSERT INTO memory.space (name, head, token) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET head = $2, token = $3, checkpoint = 0, checkpoint_token = NULL, checkpoint_id = NULL`,
      [space, sequence, token],
    );
    await client.query('DELETE FROM memory.change WHERE space = $1', [space]);
    await client.query('DELETE FROM memory.checkpoint WHERE space = $1', [space]);
    await dropTableOf(client, { space });
  });
}

async function writeCheckpoint(
  { database: { postgres }, space, contents: { sequence, snapshot }, token }: Copy,
  { id, savedAtMs }: { id: string; savedAtMs: number },
): Promise<void> {
  await inFolder(async (folder) => {
    await writePassingFiles(folder, { sequence, savedAtMs }, snapshot);
    await new Checkpoints({ postgres, space }).write(folder, { position: { sequence, token }, savedAtMs }, id);
  });
}

/** Writes what is kept beside the checkpoint, and says that the copy is whole. @throws CopyError where another process copies too */
async function finish({ database, space, contents, token }: Copy, position: string): Promise<void> {
  const { sequence, pruned, noted } = contents;
  await database.postgres.transaction(async (client) => {
    await client.query('DELETE FROM memory.pruned WHERE space = $1', [space]);
    const keep = keepPruned({ space: '$1::text', first: 2 });
    for (let start = 0; start < pruned.length; start += PRUNED_AT_ONCE)
      await client.query(keep, [space, ...prunedValues(pruned.slice(start, start + PRUNED_AT_ONCE))]);
    await client.query(
      `INSERT INTO memory.run_log (space, body, head) VALUES ($1, $2, $3)
       ON CONFLICT (space) DO UPDATE SET body = EXCLUDED.body, head = EXCLUDED.head`,
      [space, runLogToJson(noted), sequence],
    );
    const done = 'UPDATE memory.copy SET position = $2 WHERE space = $1 AND token = $3';
    const { rowCount } = await client.query(done, [space, position, token]);
    if (rowCount !== 1)
      throw new CopyError(`Another process copies the space '${space}' to ${nameOf(database)} too: stop one.`);
  });
}

interface CopyRow {
  readonly source: string | null;
  readonly position: string | null;
  readonly is_ours: boolean;
}
