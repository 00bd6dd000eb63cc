import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Postgres } from '@agent-faculties/postgres-kit';
import { FAISS_FILE, HISTORY_FILE, PACKED_FILE } from '../files/file-names.ts';
import { openPacked } from '../snapshot/packed-file.ts';
import type { LogPosition } from './change-log.ts';

const PART_BYTES = 1024 ** 2;
/** Parts of a checkpoint that was not finished after this time never will be. */
const LEFT_BEHIND = '1 hour';

const WRITE = {
  name: 'memory-write-part',
  text: 'INSERT INTO memory.checkpoint (space, id, file, part, body) VALUES ($1, $2, $3, $4, $5)',
};
/** In base64: a third more bytes on the wire, where the driver would ask for hexadecimal, which is twice as many and slower to read. */
const READ = {
  name: 'memory-read-part-base64',
  text: "SELECT encode(body, 'base64') AS body FROM memory.checkpoint WHERE space = $1 AND id = $2 AND file = $3 AND part = $4",
};
/** What a space is loaded from; the other files are the same in a form for other programs and earlier versions. */
const QUICK_FILES = [PACKED_FILE, FAISS_FILE, HISTORY_FILE];

export interface Checkpoint {
  /** Where the log continues. */
  readonly position: LogPosition;
  /** Epoch milliseconds. */
  readonly savedAtMs: number;
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
   * Takes the files of a folder for the checkpoint of the space, and deletes the log up to there and the checkpoint before it. Where
   * another process was quicker with a later one, that stays.
   * @param id that no checkpoint had before @returns the bytes of the files
   */
  async write(folder: string, { position, savedAtMs }: Checkpoint, id: string): Promise<number> {
    let bytes = 0;
    let parts = 0;
    for (const file of await readdir(folder)) {
      let part = 0;
      for await (const body of createReadStream(join(folder, file), { highWaterMark: PART_BYTES })) {
        await this.#postgres.query({ ...WRITE, values: [this.#space, id, file, part++, body] });
        bytes += (body as Buffer).length;
        parts++;
      }
    }
    await this.#postgres.transaction(async (client) => {
      const about = 'FROM memory.checkpoint WHERE space = $1 AND id = $2';
      const before = await client.query<{ id: string | null; checkpoint: string; head: string }>(
        'SELECT checkpoint_id AS id, checkpoint, head FROM memory.space WHERE name = $1 FOR UPDATE',
        [this.#space],
      );
      const there = await client.query<{ n: number }>(`SELECT count(*)::int AS n ${about}`, [this.#space, id]);
      const [{ id: last, checkpoint, head }] = before.rows as [{ id: string | null; checkpoint: string; head: string }];
      const { sequence, token } = position;
      const isWhole = there.rows[0]?.n === parts;
      const isLater = Number(checkpoint) <= sequence && sequence <= Number(head);
      if (isWhole && isLater) {
        await client.query(
          'UPDATE memory.space SET checkpoint = $2, checkpoint_token = $3, checkpoint_id = $4, saved_at = $5 WHERE name = $1',
          [this.#space, sequence, token, id, savedAtMs],
        );
        await client.query('DELETE FROM memory.change WHERE space = $1 AND seq <= $2', [this.#space, sequence]);
        await client.query(`DELETE ${about}`, [this.#space, last]);
      } else {
        await client.query(`DELETE ${about}`, [this.#space, id]);
      }
      await client.query(
        `DELETE FROM memory.checkpoint part USING memory.space
         WHERE part.space = $1 AND space.name = $1 AND part.id IS DISTINCT FROM space.checkpoint_id
           AND part.made_at < now() - interval '${LEFT_BEHIND}'`,
        [this.#space],
      );
    });
    return bytes;
  }

  /**
   * Writes the files of the checkpoint into an empty folder: those that are read fastest, where they are enough; else all.
   * @returns null where there is no checkpoint
   */
  async read(folder: string): Promise<Checkpoint | null> {
    return await this.#postgres.transaction(async (client) => {
      // One state throughout, while others may make the next checkpoint.
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const found = await client.query<{ checkpoint: string; token: string; id: string; saved_at: string }>(
        `SELECT checkpoint, checkpoint_token AS token, checkpoint_id AS id, saved_at FROM memory.space
         WHERE name = $1 AND checkpoint_id IS NOT NULL`,
        [this.#space],
      );
      const [row] = found.rows;
      if (!row) return null;
      const files = await client.query<{ file: string; parts: number }>(
        'SELECT file, count(*)::int AS parts FROM memory.checkpoint WHERE space = $1 AND id = $2 GROUP BY file',
        [this.#space, row.id],
      );
      const isQuick = ({ file }: { file: string }) => QUICK_FILES.includes(file);
      const fetch = async ({ file, parts }: { file: string; parts: number }) => {
        const target = await open(join(folder, file), 'wx', 0o600);
        try {
          for (let part = 0; part < parts; part++) {
            const values = [this.#space, row.id, file, part];
            const { rows } = await client.query<{ body: string }>({ ...READ, values });
            await target.writeFile(Buffer.from((rows[0] as { body: string }).body, 'base64'));
          }
        } finally {
          await target.close();
        }
      };
      for (const file of files.rows.filter(isQuick)) await fetch(file);
      const isEnough = typeof (await openPacked(join(folder, PACKED_FILE))) !== 'string';
      for (const file of isEnough ? [] : files.rows.filter((one) => !isQuick(one))) await fetch(file);
      const position = { sequence: Number(row.checkpoint), token: row.token };
      return { position, savedAtMs: Number(row.saved_at) };
    });
  }
}
