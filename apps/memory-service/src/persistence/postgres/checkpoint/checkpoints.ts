import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Client } from '../memory-database.ts';
import { type Checkpoint, CheckpointFiles } from './checkpoint-files.ts';
import { contentParts } from './content-parts.ts';

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

/** A part of a checkpoint. */
interface PartName {
  readonly file: string;
  readonly part: number;
}

/** A part that the last checkpoint has, and where it stands in the next one. */
interface Moved {
  readonly from: PartName;
  readonly to: PartName;
}

interface LastParts {
  readonly id: string | null;
  /** By the SHA-256 of their bytes, in hexadecimal. */
  readonly parts: Map<string, PartName[]>;
}

/** The parts of a checkpoint, once all are in the database. */
interface Sent {
  /** Of all files. */
  readonly bytes: number;
  /** How many parts there are. */
  readonly count: number;
  /** Those of them that the last checkpoint has, which were not sent. */
  readonly moved: readonly Moved[];
}

/** A checkpoint that waits to be taken. */
interface Begun extends Omit<Sent, 'bytes'> {
  readonly id: string;
  /** The checkpoint that there was before. */
  readonly lastId: string | null;
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

/** For a space that never had a table: nothing is put or settled. */
const NO_TABLE: CheckpointVectors = { table: null, put: async () => {}, settle: async () => {} };

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
      const sent = await this.#send(folder, id, last);
      if (await this.#take(checkpoint, { ...sent, id, lastId: last.id, vectors })) return sent.bytes;
    }
  }

  /** Sends the parts of the files, but for those that the last checkpoint has. */
  async #send(folder: string, id: string, last: LastParts): Promise<Sent> {
    const moved: Moved[] = [];
    let [bytes, count] = [0, 0];
    for (const file of await readdir(folder)) {
      let part = 0;
      for await (const body of contentParts(join(folder, file))) {
        const to = { file, part: part++ };
        const sum = createHash('sha256').update(body).digest();
        const from = last.parts.get(sum.toString('hex'))?.pop();
        if (from) moved.push({ from, to });
        else await this.#postgres.query({ ...WRITE, values: [this.#space, id, file, to.part, sum, body] });
        bytes += body.length;
        count++;
      }
    }
    return { bytes, count, moved };
  }

  /** The parts of the checkpoint that there is, by the SHA-256 of their bytes. */
  async #last(): Promise<LastParts> {
    const { rows } = await this.#postgres.query<PartName & { id: string | null; sha256: string | null }>({
      ...LAST,
      values: [this.#space],
    });
    const parts = new Map<string, PartName[]>();
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
      const files = await CheckpointFiles.of(client, this.#space);
      try {
        return await work(files);
      } finally {
        await files?.settled();
      }
    });
  }
}
