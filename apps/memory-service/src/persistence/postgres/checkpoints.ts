import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Postgres } from '@agent-faculties/postgres-kit';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { ENTITIES_FILE, MEMORIES_FILE, PACKED_FILE } from '../files/file-names.ts';
import { openPacked, openPackedParts, type PackedRecords } from '../snapshot/packed-file.ts';
import type { LogPosition } from './change-log.ts';
import { contentParts } from './content-parts.ts';
import type { Client } from './memory-database.ts';
import { type Part, PartReader } from './part-reader.ts';

/** How often a checkpoint is compared with the last one, which others may make meanwhile; after that it is sent whole. */
const ATTEMPTS = 5;

const WRITE = {
  name: 'memory-write-part-sum',
  text: 'INSERT INTO memory.checkpoint (space, id, file, part, sha256, body) VALUES ($1, $2, $3, $4, $5, $6)',
};
// The bytes of a part lie apart from its row, and stay where they are.
const MOVE = `UPDATE memory.checkpoint part SET id = $2, file = moved.new_file, part = moved.new_part
  FROM unnest($4::text[], $5::int[], $6::text[], $7::int[]) moved(file, part, new_file, new_part)
  WHERE part.space = $1 AND part.id = $3 AND part.file = moved.file AND part.part = moved.part`;
/** A row where the history of the space has a position, which is not before its checkpoint. */
const KNOWN = `SELECT FROM memory.space WHERE name = $1
  AND ((head, token) = ($2, $3) OR (checkpoint, checkpoint_token) = ($2, $3)
    OR EXISTS (SELECT FROM memory.change WHERE space = $1 AND (seq, token) = ($2, $3)))`;
const LAST = {
  name: 'memory-last-parts',
  text: `SELECT space.checkpoint_id AS id, part.file, part.part, encode(part.sha256, 'hex') AS sha256
    FROM memory.space LEFT JOIN memory.checkpoint part
      ON part.space = space.name AND part.id = space.checkpoint_id AND part.sha256 IS NOT NULL
    WHERE space.name = $1`,
};

export interface Checkpoint {
  /** Where the log continues. */
  readonly position: LogPosition;
  /** Epoch milliseconds. */
  readonly savedAtMs: number;
}

/** Where a part stands in a checkpoint. */
interface PartPlace {
  readonly file: string;
  readonly part: number;
}

/** A part that the last checkpoint has, and where it stands in the next one. */
interface Moved {
  readonly from: PartPlace;
  readonly to: PartPlace;
}

interface LastParts {
  readonly id: string | null;
  /** By the SHA-256 of their bytes, in hexadecimal. */
  readonly parts: Map<string, PartPlace[]>;
}

/** Parts that were sent for a checkpoint, and what comes with it. */
interface Begun {
  readonly id: string;
  /** The checkpoint that there was before. */
  readonly lastId: string | null;
  readonly count: number;
  readonly moved: readonly Moved[];
  readonly vectors: CheckpointVectors;
}

/** What a checkpoint does about the vectors of the moment at which it was captured. */
export interface CheckpointVectors {
  /** The number of the table that has them; null: they are in the files of the checkpoint. */
  readonly table: number | null;
  /** Puts those into the table that it lacks; before `settle`. */
  put(): Promise<void>;
  /** In the transaction of the checkpoint: takes out of the table of the space what was left until the capture. @throws UnavailableError */
  settle(client: Client): Promise<void>;
}

/** Of a space that never had a table. */
const NO_TABLE: CheckpointVectors = { table: null, put: async () => {}, settle: async () => {} };

/** The files of a checkpoint. */
export interface CheckpointFiles extends Checkpoint {
  readonly id: string;
  /** The bytes of one of them, 1 MiB at a time; none of one that is not there. */
  read(name: string): AsyncGenerator<Buffer>;
  /** Writes one of them into a folder, where it is there. */
  copyTo(folder: string, name: string): Promise<void>;
  /**
   * The memories in the form that is read fastest, to be read once. Where there is another form too, which earlier versions have
   * written, and this one is not whole, the other is written into an empty folder, and null is returned.
   * @throws DataDirectoryError, perhaps while they are read, where they cannot be used and there is no other form
   */
  memories(folder: string): Promise<PackedRecords | null>;
}

/** The files of a save, kept in the database in parts. */
export class Checkpoints {
  readonly #postgres: Postgres;
  readonly #space: string;

  constructor({ postgres, space }: { postgres: Postgres; space: string }) {
    this.#postgres = postgres;
    this.#space = space;
  }

  /**
   * Takes the files of a folder for the checkpoint of the space, and deletes the log up to there and the checkpoint before it. What
   * that one has too is taken over as it is. Where another process was quicker with a later one, that stays.
   * @param id that no checkpoint had before @param vectors absent: those are in the files @returns the bytes of the files
   */
  async write(folder: string, checkpoint: Checkpoint, id: string, vectors = NO_TABLE): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const last = await this.#last();
      if (attempt >= ATTEMPTS) last.parts.clear();
      await vectors.put();
      const parts = { bytes: 0, count: 0, moved: [] as Moved[] };
      for (const file of await readdir(folder)) {
        let part = 0;
        for await (const body of contentParts(join(folder, file))) {
          const to = { file, part: part++ };
          const sum = createHash('sha256').update(body).digest();
          const from = last.parts.get(sum.toString('hex'))?.pop();
          if (from) parts.moved.push({ from, to });
          else await this.#postgres.query({ ...WRITE, values: [this.#space, id, file, to.part, sum, body] });
          parts.bytes += body.length;
          parts.count++;
        }
      }
      if (await this.#take(checkpoint, { ...parts, id, lastId: last.id, vectors })) return parts.bytes;
    }
  }

  /** The parts of the checkpoint that there is, by the SHA-256 of their bytes. */
  async #last(): Promise<LastParts> {
    const { rows } = await this.#postgres.query<PartPlace & { id: string | null; sha256: string | null }>({
      ...LAST,
      values: [this.#space],
    });
    const parts = new Map<string, PartPlace[]>();
    for (const { file, part, sha256 } of rows) {
      if (sha256 === null) continue;
      const alike = parts.get(sha256);
      if (alike) alike.push({ file, part });
      else parts.set(sha256, [{ file, part }]);
    }
    return { id: rows[0]?.id ?? null, parts };
  }

  /**
   * Puts the parts into the place of the last checkpoint and of all that others have begun, which may hold what was deleted since.
   * @returns false, and nothing of it is left, where the last checkpoint is another one by now, or that happened to these parts
   */
  async #take(
    { position: { sequence, token }, savedAtMs }: Checkpoint,
    { id, lastId, count, moved, vectors }: Begun,
  ): Promise<boolean> {
    return await this.#postgres.transaction(async (client) => {
      const about = 'FROM memory.checkpoint WHERE space = $1 AND id = $2';
      const before = await client.query<{ id: string | null; checkpoint: string }>(
        'SELECT checkpoint_id AS id, checkpoint FROM memory.space WHERE name = $1 FOR UPDATE',
        [this.#space],
      );
      const there = await client.query<{ n: number }>(`SELECT count(*)::int AS n ${about}`, [this.#space, id]);
      const known = await client.query(KNOWN, [this.#space, sequence, token]);
      const [{ id: last, checkpoint }] = before.rows as [{ id: string | null; checkpoint: string }];
      const isWhole = there.rows[0]?.n === count - moved.length;
      // Where the database was set back, this would delete changes that came since.
      const isLater = Number(checkpoint) <= sequence && known.rowCount === 1;
      const isOfLast = (moved.length === 0 && vectors.table === null) || last === lastId;
      if (!(isLater && isWhole && isOfLast)) {
        await client.query(`DELETE ${about}`, [this.#space, id]);
        return !isLater;
      }
      await vectors.settle(client);
      await client.query(MOVE, [
        ...[this.#space, id, last],
        ...[moved.map(({ from }) => from.file), moved.map(({ from }) => from.part)],
        ...[moved.map(({ to }) => to.file), moved.map(({ to }) => to.part)],
      ]);
      await client.query(
        'UPDATE memory.space SET checkpoint = $2, checkpoint_token = $3, checkpoint_id = $4, saved_at = $5 WHERE name = $1',
        [this.#space, sequence, token, id, savedAtMs],
      );
      await client.query('DELETE FROM memory.change WHERE space = $1 AND seq <= $2', [this.#space, sequence]);
      await client.query('DELETE FROM memory.checkpoint WHERE space = $1 AND id <> $2', [this.#space, id]);
      return true;
    });
  }

  /** Lends the files of the checkpoint, null where there is none; while the work with them lasts they stay, whatever others write. */
  async reading<Result>(work: (files: CheckpointFiles | null) => Promise<Result>): Promise<Result> {
    return await this.#postgres.transaction(async (client) => {
      // One state throughout, while others may make the next checkpoint.
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const found = await client.query<{ checkpoint: string; token: string; id: string; saved_at: string }>(
        `SELECT checkpoint, checkpoint_token AS token, checkpoint_id AS id, saved_at FROM memory.space
         WHERE name = $1 AND checkpoint_id IS NOT NULL`,
        [this.#space],
      );
      const [row] = found.rows;
      if (!row) return await work(null);
      const files = await client.query<{ file: string; parts: number; sums: number }>(
        `SELECT file, count(*)::int AS parts, count(sha256)::int AS sums
         FROM memory.checkpoint WHERE space = $1 AND id = $2 GROUP BY file`,
        [this.#space, row.id],
      );
      const counts = new Map(files.rows.map(({ file, parts }) => [file, parts]));
      const parts = new PartReader(client, { space: this.#space, id: row.id, counts });
      const read = (name: string) => bodies(parts.read(name));
      const copyTo = async (folder: string, name: string) => {
        if (counts.has(name)) await writeFile(join(folder, name), read(name), { flag: 'wx', mode: 0o600 });
      };
      const memories = async (folder: string) => {
        const hasSums = files.rows.some(({ file, parts, sums }) => file === PACKED_FILE && sums === parts);
        // Where there is another form, this one has to be known to be whole before it is used.
        const isReadAtOnce = hasSums && !counts.has(MEMORIES_FILE);
        if (!isReadAtOnce) await copyTo(folder, PACKED_FILE);
        const packed = isReadAtOnce
          ? await openPackedParts(bodies(asWritten(parts.read(PACKED_FILE))))
          : await openPacked(join(folder, PACKED_FILE));
        if (typeof packed !== 'string') return packed;
        // Nothing to read is not a space without memories: the next checkpoint would make it one.
        if (!counts.has(MEMORIES_FILE)) throw unusable(packed);
        for (const name of [MEMORIES_FILE, ENTITIES_FILE]) await copyTo(folder, name);
        return null;
      };
      const position = { sequence: Number(row.checkpoint), token: row.token };
      try {
        return await work({ id: row.id, position, savedAtMs: Number(row.saved_at), read, copyTo, memories });
      } finally {
        await parts.settled();
      }
    });
  }
}

async function* bodies(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  for await (const { body } of parts) yield body;
}

/** Looks at each part before it is used. @throws DataDirectoryError for one that is not as it was written */
async function* asWritten(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of parts) {
    const { body, sha256 } = part;
    if (createHash('sha256').update(body).digest('hex') !== sha256) throw unusable('is damaged');
    yield part;
  }
}

/** @param why in words for the operator */
function unusable(why: string): DataDirectoryError {
  return new DataDirectoryError(
    `${PACKED_FILE} in the database ${why}: restore the database from a backup, or start the version that wrote it. Nothing was changed.`,
  );
}
