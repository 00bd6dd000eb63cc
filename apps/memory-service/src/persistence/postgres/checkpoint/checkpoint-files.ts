import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '../../files/data-directory-error.ts';
import { ENTITIES_FILE, MEMORIES_FILE, PACKED_FILE } from '../../files/file-names.ts';
import { openPacked, openPackedParts, type PackedRecords } from '../../snapshot/packed-file.ts';
import type { LogPosition } from '../log/change-log.ts';
import type { Client } from '../memory-database.ts';
import { type Part, PartReader } from './part-reader.ts';

export interface Checkpoint {
  /** Where the log continues. */
  readonly position: LogPosition;
  /** Epoch milliseconds. */
  readonly savedAtMs: number;
}

interface FileRow {
  readonly file: string;
  readonly parts: number;
  /** How many of its parts have a SHA-256. */
  readonly sums: number;
}

/** The files of a checkpoint, as one transaction sees them. */
export class CheckpointFiles implements Checkpoint {
  readonly id: string;
  readonly position: LogPosition;
  readonly savedAtMs: number;
  readonly #parts: PartReader;
  readonly #files: ReadonlyMap<string, FileRow>;

  private constructor(client: Client, of: Checkpoint & { space: string; id: string; files: readonly FileRow[] }) {
    this.id = of.id;
    this.position = of.position;
    this.savedAtMs = of.savedAtMs;
    this.#files = new Map(of.files.map((row) => [row.file, row]));
    const counts = new Map(of.files.map(({ file, parts }) => [file, parts]));
    this.#parts = new PartReader(client, { space: of.space, id: of.id, counts });
  }

  /** Those of the checkpoint of a space; null where there is none. */
  static async of(client: Client, space: string): Promise<CheckpointFiles | null> {
    const found = await client.query<{ checkpoint: string; token: string; id: string; saved_at: string }>(
      `SELECT checkpoint, checkpoint_token AS token, checkpoint_id AS id, saved_at FROM memory.space
       WHERE name = $1 AND checkpoint_id IS NOT NULL`,
      [space],
    );
    const [row] = found.rows;
    if (!row) return null;
    const { rows: files } = await client.query<FileRow>(
      `SELECT file, count(*)::int AS parts, count(sha256)::int AS sums
       FROM memory.checkpoint WHERE space = $1 AND id = $2 GROUP BY file`,
      [space, row.id],
    );
    const position = { sequence: Number(row.checkpoint), token: row.token };
    return new CheckpointFiles(client, { space, id: row.id, position, savedAtMs: Number(row.saved_at), files });
  }

  /** The bytes of one of them, 1 MiB at a time; none of one that is not there. */
  read(name: string): AsyncGenerator<Buffer> {
    return bodies(this.#parts.read(name));
  }

  /** Writes one of them into a folder, where it is there. */
  async copyTo(folder: string, name: string): Promise<void> {
    if (this.#files.has(name)) await writeFile(join(folder, name), this.read(name), { flag: 'wx', mode: 0o600 });
  }

  /**
   * The memories in the form that is read fastest, to be read once. Where there is another form too, which earlier versions have
   * written, and this one is not whole, the other is written into an empty folder, and null is returned.
   * @throws DataDirectoryError, perhaps while they are read, where they cannot be used and there is no other form
   */
  async memories(folder: string): Promise<PackedRecords | null> {
    const packed = await this.#packed(folder);
    if (typeof packed !== 'string') return packed;
    // Nothing to read is not a space without memories: the next checkpoint would make it one.
    if (!this.#files.has(MEMORIES_FILE)) throw unusable(packed);
    for (const name of [MEMORIES_FILE, ENTITIES_FILE]) await this.copyTo(folder, name);
    return null;
  }

  /** @returns why it cannot be used, in words for the operator, where it cannot */
  async #packed(folder: string): Promise<PackedRecords | string> {
    const file = this.#files.get(PACKED_FILE);
    const hasSums = file !== undefined && file.sums === file.parts;
    // Where there is another form, this one has to be known to be whole before it is used.
    if (hasSums && !this.#files.has(MEMORIES_FILE))
      return await openPackedParts(bodies(asWritten(this.#parts.read(PACKED_FILE))));
    await this.copyTo(folder, PACKED_FILE);
    return await openPacked(join(folder, PACKED_FILE));
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    await this.#parts.settled();
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
