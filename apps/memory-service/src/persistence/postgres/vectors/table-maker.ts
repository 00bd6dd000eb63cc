import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Clock, Logger } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { MemoryIndexes } from '../../../store/indexes/memory-indexes.ts';
import type { Client } from '../memory-database.ts';
import type { CapturedRows } from './fill-table.ts';
import { dropTableOf, newTable } from './table-of-space.ts';
import { vectorExtension } from './vector-extension.ts';
import { VectorTable } from './vector-table.ts';

/** After a table could not be made. */
const TRY_AGAIN_MS = 60_000;

export interface TableMakerOptions {
  readonly postgres: Postgres;
  readonly space: string;
  /** Null without embeddings. */
  readonly model: VectorModel | null;
  readonly indexes: MemoryIndexes;
  /** The vectors of a space with more memories go into a table. */
  readonly above: number;
  /** Whether this process does the jobs of the space: a table takes minutes, and one process is enough for it. */
  readonly isOwner: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Who uses the table. */
interface TableUser {
  readonly isClosed: () => boolean;
  /** Puts rows into a table. */
  readonly fill: (table: VectorTable, rows: CapturedRows) => Promise<void>;
  /** Told of a table that is filled and has its index. */
  readonly made: (table: VectorTable) => void;
}

/** Makes the table of a space that has become large, in the background, and drops one that is no good to anybody. */
export class TableMaker {
  /** Whether there was a table, at the last look, that no checkpoint relies on. */
  isLeftOver = false;
  readonly #options: TableMakerOptions;
  readonly #user: TableUser;
  #making: Promise<void> | null = null;
  #makeAfterMs = Number.NEGATIVE_INFINITY;
  #wasRefused = false;

  constructor(options: TableMakerOptions, user: TableUser) {
    this.#options = options;
    this.#user = user;
  }

  /** For a space that uses no table. Does not wait until it is made, which may take minutes. */
  async makeIfDue(): Promise<void> {
    const { indexes, above, isOwner, clock, log } = this.#options;
    const isLarge = indexes.vectors !== null && indexes.records.size > above;
    if (this.#making !== null || clock.now() < this.#makeAfterMs) return;
    if (!(isLarge || this.isLeftOver) || !(await isOwner())) return;
    this.#making = (isLarge ? this.#make() : this.#dropLeftOver())
      .catch((err) => {
        this.#makeAfterMs = clock.now() + TRY_AGAIN_MS;
        const what = isLarge
          ? 'the vectors of a large space stay in memory'
          : 'a table of vectors that nobody uses stays';
        if (!this.#user.isClosed()) log.error({ err }, `${what} for now`);
      })
      .finally(() => {
        this.#making = null;
      });
  }

  /** Makes a table and fills it. One that no checkpoint comes to rely on is made anew. */
  async #make(): Promise<void> {
    const { postgres, space, model, indexes, above, clock, log } = this.#options;
    const { vectors } = indexes;
    const extension = await vectorExtension(postgres);
    const memories = indexes.records.size;
    if (extension.schema === null || extension.refusal !== null || !model || !vectors) {
      if (!this.#wasRefused)
        log.warn({ space, memories, above, why: extension.refusal }, 'the vectors of a large space stay in memory');
      this.#wasRefused = true;
      this.#makeAfterMs = Number.POSITIVE_INFINITY;
      return;
    }
    await vectors.matrix.whole();
    const table = await makeTable(postgres, { space, model, schema: extension.schema });
    // Another process has made one, which the next look at the head shows; or it is of another model, until the next checkpoint.
    if (!table) {
      this.#makeAfterMs = clock.now() + TRY_AGAIN_MS;
      return;
    }
    log.info({ space, memories }, 'the vectors of a large space go into the database');
    await this.#user.fill(table, { held: vectors.held });
    await table.createIndex();
    this.#user.made(table);
  }

  /** Of a space that needs none any more, after a change of the model, or with a higher limit. */
  async #dropLeftOver(): Promise<void> {
    const { postgres, space } = this.#options;
    await postgres.transaction((client) => dropUnannounced(client, space));
    this.isLeftOver = false;
  }
}

/**
 * Makes the table of a space, empty, in the place of one that no checkpoint has announced.
 * @returns null where a checkpoint has announced one meanwhile
 */
async function makeTable(
  postgres: Postgres,
  { space, model, schema }: { readonly space: string; readonly model: VectorModel; readonly schema: string },
): Promise<VectorTable | null> {
  return await postgres.transaction(async (client) => {
    await dropUnannounced(client, space);
    const number = await newTable(client, { space, model });
    if (number === null) return null;
    const table = new VectorTable(postgres, { schema, number, dimension: model.dimension });
    await table.create(client);
    return table;
  });
}

/** Drops the table of a space that no checkpoint relies on. */
async function dropUnannounced(client: Client, space: string): Promise<void> {
  // Behind a checkpoint that is being taken.
  await client.query('SELECT FROM memory.space WHERE name = $1 FOR UPDATE', [space]);
  await dropTableOf(client, { space, unlessReady: true });
}
