import { copiedRow } from '@agent-faculties/postgres-kit';
import { DataDirectoryError } from '../../files/data-directory-error.ts';
import type { Client } from '../memory-database.ts';

export interface Part {
  readonly body: Buffer;
  /** Of the bytes as they were written, in hexadecimal; null in a checkpoint of an earlier version. */
  readonly sha256: string | null;
}

/** Reads files of a checkpoint on one connection. The database reads the next part while the last one is dealt with. */
export class PartReader {
  readonly #client: Client;
  readonly #of: { readonly space: string; readonly id: string };
  readonly #counts: ReadonlyMap<string, number>;
  /** A connection does one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param of.counts how many parts each file has */
  constructor(client: Client, of: { space: string; id: string; counts: ReadonlyMap<string, number> }) {
    this.#client = client;
    this.#of = of;
    this.#counts = of.counts;
  }

  async *read(file: string): AsyncGenerator<Part> {
    const count = this.#counts.get(file) ?? 0;
    let next = count > 0 ? this.#ask(file, 0) : null;
    for (let part = 1; next; part++) {
      const read: Part = await next;
      next = part < count ? this.#ask(file, part) : null;
      yield read;
    }
  }

  /** Resolves when the connection is free again. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #ask(file: string, part: number): Promise<Part> {
    const { space, id } = this.#of;
    const asked = this.#last.then(async () => {
      const [ofSpace, ofId, ofFile] = [space, id, file].map((text) => this.#client.escapeLiteral(text));
      const [body, sha256 = null] =
        (await copiedRow(
          this.#client,
          `SELECT body, sha256 FROM memory.checkpoint
           WHERE space = ${ofSpace} AND id = ${ofId} AND file = ${ofFile} AND part = ${part}`,
        )) ?? [];
      if (!body) {
        throw new DataDirectoryError(
          `A part of ${file} in the database is missing: restore the database from a backup. Nothing was changed.`,
        );
      }
      return { body, sha256: sha256?.toString('hex') ?? null };
    });
    // Whoever takes the part is told of the error.
    this.#last = asked.catch(() => {});
    return asked;
  }
}
