import { UnavailableError } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { DistantVectors, MemoryText } from '../../../search/vectors/distant-vectors.ts';
import { type SavedVectors, tableOf, whyOfAnotherModel } from '../../snapshot/saved-vectors.ts';
import type { CheckpointVectors } from '../checkpoint/checkpoints.ts';
import type { LogHead } from '../log/change-log.ts';
import type { Client } from '../memory-database.ts';
import { type CapturedRows, type Follower, fillTable } from './fill-table.ts';
import { MissedVectors } from './missed-vectors.ts';
import { TableMaker, type TableMakerOptions } from './table-maker.ts';
import { lockedTable, setReady, tableWithCheckpoint } from './table-of-space.ts';
import { VectorChanges } from './vector-changes.ts';
import { vectorExtension } from './vector-extension.ts';
import { isNoSuchTable, isTableThere, type OutdatedVectors, takeOut, VectorTable } from './vector-table.ts';

/** Vectors that only the log and the memory of the replicas have, before a checkpoint puts them into the table: 150 MB. */
const MOST_HERE = 100_000;
/** Memories that are taken out of a table in one statement: 10 ms of the event loop, and 60 to 100 ms in which nobody writes. */
const TAKEN_OUT_AT_ONCE = 10_000;

/**
 * The vectors of a space that several processes share, once there are too many for their memory: in a table of the database, which
 * belongs to the checkpoint. Each checkpoint puts those into the table that came since the last one; then each process lets go of
 * these rows. What came later is in the log and in the memory of each.
 */
export class SharedVectors {
  readonly #options: TableMakerOptions;
  #follower: Follower | null = null;
  /** The table in use; null: every row is here. */
  #table: VectorTable | null = null;
  /** Whether a checkpoint says so. */
  #isAnnounced = false;
  #isClosed = false;
  /** The last one that was looked at. */
  #checkpointId: string | null = null;
  #lettingGo: Promise<void> = Promise.resolve();
  readonly #maker: TableMaker;
  readonly #changes: VectorChanges;
  readonly #missed: MissedVectors;
  readonly #distant: DistantVectors;

  constructor(options: TableMakerOptions) {
    this.#options = options;
    this.#maker = new TableMaker(options, {
      isClosed: () => this.#isClosed,
      fill: async (table, rows) => await this.#fill(table, rows),
      made: (table) => this.#useUnannounced(table),
    });
    this.#changes = new VectorChanges(options.indexes);
    this.#missed = new MissedVectors(options.indexes);
    this.#distant = {
      fetch: async (texts) => (await this.#table?.fetch(texts)) ?? new Map(),
      nearest: async (query, count) => (await this.#table?.nearest(query, count)) ?? [],
      nearestAmong: async (ids, query, count) => (await this.#table?.nearestAmong(ids, query, count)) ?? [],
      missed: (id) => this.#missed.note(id),
    };
  }

  follow(follower: Follower): void {
    this.#follower = follower;
  }

  get areElsewhere(): boolean {
    return this.#table !== null && this.#isAnnounced;
  }

  /** Whether a checkpoint should be made for their sake. */
  get isDue(): boolean {
    const here = this.#options.indexes.vectors?.matrix.length ?? 0;
    return this.#table !== null && (!this.#isAnnounced || here > MOST_HERE);
  }

  /** Of a checkpoint that leaves its vectors to a table. @returns why they cannot be used; null where they can */
  async find(saved: SavedVectors): Promise<string | null> {
    const { vectors } = this.#options.indexes;
    const table = await this.#tableOf(saved);
    if (typeof table === 'string') return table;
    vectors?.beginAfter(saved.rows, this.#distant);
    this.#use(table);
    return null;
  }

  /** The vectors of texts of a checkpoint that leaves its vectors to a table, by memory. */
  async read(saved: SavedVectors, texts: readonly MemoryText[]): Promise<ReadonlyMap<string, readonly Float32Array[]>> {
    const table = await this.#tableOf(saved);
    return typeof table === 'string' ? new Map() : await table.fetch(texts);
  }

  /** @returns why it cannot be used, in words for the operator, where it cannot */
  async #tableOf(saved: SavedVectors): Promise<VectorTable | string> {
    const { postgres, model } = this.#options;
    const number = tableOf(saved) as number;
    const why = model ? whyOfAnotherModel(saved, model) : 'there is no model';
    if (why !== null || !model) return why as string;
    const table = (await isTableThere(postgres, number)) ? await this.#open(number, model) : null;
    return table ?? `the table with the vectors is not in the database ${postgres.name}`;
  }

  /** Null where the extension is gone. */
  async #open(number: number, { dimension }: VectorModel): Promise<VectorTable | null> {
    const { postgres } = this.#options;
    const { schema } = await vectorExtension(postgres);
    return schema === null ? null : new VectorTable(postgres, { schema, number, dimension });
  }

  #use(table: VectorTable): void {
    this.#table = table;
    this.#isAnnounced = true;
  }

  /** The next checkpoint announces it. */
  #useUnannounced(table: VectorTable): void {
    if (this.#isClosed || this.#table) return;
    this.#table = table;
    this.#isAnnounced = false;
  }

  /** The indexes were brought to a checkpoint: of another history, perhaps. @param saved null: it holds its vectors, and all are here */
  async wasReadAnew(saved: SavedVectors | null): Promise<void> {
    const { indexes } = this.#options;
    const { vectors } = indexes;
    this.#changes.forgetRows();
    this.#checkpointId = null;
    await this.#lettingGo;
    const table = saved && (await this.#tableOf(saved));
    if (table && typeof table !== 'string') {
      if (this.#table) this.#use(table);
      return;
    }
    this.#table = null;
    // Until none of them has its rows there any more, whoever asks for some finds that they are gone.
    await indexes.loseVectors(({ first }) => first < this.#first);
    vectors?.keepHere();
  }

  /**
   * Takes note of what a look at the head has shown, and lets go of rows that are in the table by now.
   * @returns false where the table in use is not that of the checkpoint, as after a failover that has lost its last checkpoint
   */
  async seen({ checkpoint, checkpointId }: LogHead): Promise<boolean> {
    const sequence = this.#follower?.position.sequence ?? 0;
    this.#changes.note(sequence, { isExact: sequence === checkpoint });
    this.#changes.settledUpTo(checkpoint);
    if (checkpointId === this.#checkpointId) return true;
    const isSame = await this.#look();
    if (isSame) this.#checkpointId = checkpointId;
    return isSame;
  }

  /** Looks which table the checkpoint has. @returns false where another one, or none, has taken the place of that in use */
  async #look(): Promise<boolean> {
    const { postgres, space, model, indexes } = this.#options;
    const { vectors } = indexes;
    if (this.#isClosed) return true;
    const found = await tableWithCheckpoint(postgres, space);
    this.#maker.isLeftOver = found?.isReady === false;
    if (!model || !vectors) return true;
    const isThere = found?.isReady === true && found.model === model.id;
    if (this.#table && this.#isAnnounced && !(isThere && found.number === this.#table.number)) return false;
    if (!isThere) return true;
    const table = this.#table?.number === found.number ? this.#table : await this.#open(found.number, model);
    if (!table) return true;
    this.#use(table);
    const upTo = this.#changes.takeRowsAt(found.checkpoint);
    this.#lettingGo = this.#lettingGo
      .then(async () => (this.#isClosed ? undefined : await vectors.keepElsewhere(upTo, this.#distant)))
      .catch((err) => this.#options.log.warn({ err }, 'vectors stay in memory until the next checkpoint'));
    return true;
  }

  /** What has to be done now and then: looks for vectors that are gone, and moves those of a space that has become large. */
  async keepUp(): Promise<void> {
    await this.#repair();
    if (!this.#isClosed && this.#table === null) await this.#maker.makeIfDue();
  }

  /** Memories whose vectors are gone get new ones, as if they had none. */
  async #repair(): Promise<void> {
    const catchUp = async () => await this.#follower?.catchUp();
    const memories = await this.#missed.loseGone({ catchUp, fetch: this.#distant.fetch });
    if (memories === 0) return;
    this.#options.log.error(
      { memories },
      'vectors are made again in the background: the table of the database lacks them',
    );
  }

  /** The first row that is here. */
  get #first(): number {
    return this.#options.indexes.vectors?.first ?? 0;
  }

  /** At the moment of the capture. */
  begin(): CheckpointVectors {
    const { indexes } = this.#options;
    const table = this.#table;
    const sequence = this.#follower?.position.sequence ?? 0;
    this.#changes.note(sequence, { isExact: true });
    const { outdated } = this.#changes;
    const { vectors } = indexes;
    const captured = vectors && { held: vectors.held, length: vectors.length };
    let texts: readonly OutdatedVectors[] = [];
    return {
      table: table?.number ?? null,
      put: async () => {
        texts = await this.#changes.textsOf(outdated);
        if (table && captured) await this.#fill(table, captured).catch((error) => this.#giveUp(table, error));
      },
      settle: async (client) => await this.#settle(client, { table, outdated: texts }),
    };
  }

  async #fill(table: VectorTable, captured: CapturedRows): Promise<void> {
    const { space, indexes } = this.#options;
    const follower = this.#follower as Follower;
    await fillTable(table, captured, { space, indexes, follower, isClosed: () => this.#isClosed });
  }

  async #settle(
    client: Client,
    { table, outdated }: { table: VectorTable | null; outdated: readonly OutdatedVectors[] },
  ): Promise<void> {
    const { space, model } = this.#options;
    const present = await lockedTable(client, space);
    if (table && present?.number !== table.number) this.#giveUp(table, new TableGoneError());
    // Another replica has moved the vectors meanwhile.
    if (!table && present?.isReady && present.model === model?.id) throw new TableGoneError();
    if (!present) return;
    const { number } = present;
    await setReady(client, { space, isReady: table !== null });
    for (let start = 0; start < outdated.length; start += TAKEN_OUT_AT_ONCE)
      await takeOut(client, { number, outdated: outdated.slice(start, start + TAKEN_OUT_AT_ONCE) });
  }

  /** A table that was never announced may have been dropped by the process that does the jobs now. @throws the error, always */
  #giveUp(table: VectorTable, error: unknown): never {
    const isGone = error instanceof TableGoneError || isNoSuchTable(error);
    if (isGone && !this.#isAnnounced && this.#table === table) this.#table = null;
    throw isGone ? new TableGoneError({ cause: error }) : error;
  }

  /** Resolves when what a look at the head has shown is done. An index that is being built, which may take minutes, is not waited for. */
  async settled(): Promise<void> {
    await this.#lettingGo;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lettingGo;
  }
}

/** The vectors are in another table, or in none, by now: the save is to be made anew from what the head shows. */
export class TableGoneError extends UnavailableError {
  constructor(options?: ErrorOptions) {
    super('Another replica has moved the vectors of this space meanwhile: send it again in a moment.', options);
  }
}
