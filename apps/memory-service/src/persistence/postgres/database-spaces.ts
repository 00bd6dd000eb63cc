import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Engine } from '../../domain/space/engine.ts';
import { spaceBytesWhenOpen } from '../../store/space-bytes.ts';
import { FAISS_FILE, MEMORIES_FILE, PACKED_FILE } from '../files/file-names.ts';
import { runLogFromJson } from '../files/run-log-json.ts';
import { openEmpty, openStore, type StoreOptions } from '../open-store.ts';
import type { SharedSpace } from './open-shared-space.ts';

const EXISTS = { name: 'memory-space-exists', text: 'SELECT 1 FROM memory.space WHERE name = $1' };
const NAMES = { name: 'memory-space-names', text: 'SELECT name FROM memory.space WHERE name <> $1 ORDER BY name' };
const AT_REST = {
  name: 'memory-space-at-rest',
  text: `SELECT run_log.body, run_log.head IS DISTINCT FROM space.head AS has_changed,
      EXISTS (SELECT FROM memory.lease WHERE space = $1 AND until > now()) AS is_taken
    FROM memory.space LEFT JOIN memory.run_log ON run_log.space = space.name WHERE space.name = $1`,
};

interface AtRestRow {
  readonly body: string | null;
  readonly has_changed: boolean;
  readonly is_taken: boolean;
}

const SIZES = {
  name: 'memory-checkpoint-sizes',
  text: `SELECT part.file, sum(octet_length(part.body)) AS bytes FROM memory.checkpoint part
    JOIN memory.space ON space.name = part.space AND space.checkpoint_id = part.id WHERE part.space = $1 GROUP BY part.file`,
};

/** The spaces of a database, which several processes may have open at once. One exists from its first change on. */
export async function openDatabaseSpaces({
  shared,
  ...options
}: Omit<StoreOptions, 'shared'> & { readonly shared: Omit<SharedSpace, 'space'> }): Promise<Engine> {
  const { postgres } = shared.database;
  return {
    keeps: true,
    empty: await openEmpty(options),
    exists: async (name) => (await postgres.query({ ...EXISTS, values: [name] })).rowCount === 1,
    names: async () => {
      const { rows } = await postgres.query<{ name: string }>({ ...NAMES, values: [DEFAULT_SPACE] });
      return [DEFAULT_SPACE, ...rows.map(({ name }) => name)];
    },
    bytesWhenOpen: async (name) => {
      const { rows } = await postgres.query<{ file: string; bytes: string }>({ ...SIZES, values: [name] });
      const bytesOf = (file: string) => Number(rows.find((row) => row.file === file)?.bytes ?? 0);
      return spaceBytesWhenOpen({
        memoriesFile: bytesOf(MEMORIES_FILE),
        packedFile: bytesOf(PACKED_FILE),
        vectorsFile: bytesOf(FAISS_FILE),
      });
    },
    open: async (space) => await openStore({ ...options, shared: { ...shared, space } }),
    atRest: async (name) => {
      const { rows } = await postgres.query<AtRestRow>({ ...AT_REST, values: [name] });
      const [row] = rows;
      if (!row) return { lastNight: null, isWritten: false, hasChanged: false, isTaken: false };
      const { body, has_changed: hasChanged, is_taken: isTaken } = row;
      return { lastNight: body === null ? null : runLogFromJson(body).lastNight, isWritten: true, hasChanged, isTaken };
    },
  };
}
