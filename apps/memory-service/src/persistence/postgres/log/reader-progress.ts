import type { Postgres } from '@agent-faculties/postgres-kit';
import type { ReaderProgress } from '../../../domain/space/stored-space.ts';
import type { PostgresJournal } from './postgres-journal.ts';

const READ = {
  name: 'memory-read-place',
  text: 'SELECT place FROM memory.reader WHERE space = $1 AND name = $2',
};
// Whoever lost its lease may write late.
const WRITE = {
  name: 'memory-write-place',
  text: `INSERT INTO memory.reader AS known (space, name, place) VALUES ($1, $2, $3)
    ON CONFLICT (space, name) DO UPDATE SET place = greatest(known.place, EXCLUDED.place)`,
};

/** How far readers of a space have come, whichever process they were in. */
export function readerProgress(
  journal: PostgresJournal,
  { postgres, space }: { postgres: Postgres; space: string },
): ReaderProgress {
  return {
    lastChange: () => journal.sequence,
    read: async (reader) => {
      // What the reader has taken elsewhere has to be known here.
      await journal.catchUp();
      const { rows } = await postgres.query<{ place: string }>({ ...READ, values: [space, reader] });
      return rows[0] ? Number(rows[0].place) : null;
    },
    write: async (reader, change) => {
      await postgres.query({ ...WRITE, values: [space, reader, change] });
    },
  };
}
