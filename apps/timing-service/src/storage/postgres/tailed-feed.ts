import { type Change, ChangeFeed } from '../../domain/change-feed.ts';
import { type EventRow, eventOf, type TaskRow, taskOf } from '../tables/rows.ts';
import { EVENT_COLUMNS, TASK_COLUMNS } from './columns.ts';
import type { SpaceDatabase } from './space-database.ts';

/** How often a space with listeners is looked at for what other replicas have written. */
const LOOK_EVERY_MS = 200;
/** Whoever is farther behind reloads everything. */
const MOST_BEHIND = 5_000;

/** What happened to a space, in the order of its numbers. */
interface NumberedChanges {
  readonly number: number;
  readonly changes: readonly Change[];
}

/**
 * Tells of what every replica has written: by reading on in the database, in the order of the commits, while somebody listens. What this process
 * writes itself only makes it look at once.
 */
export class TailedFeed extends ChangeFeed {
  readonly #space: SpaceDatabase;
  readonly #onFault: (error: unknown) => void;
  /** Everything up to it was told. */
  #number = 0;
  /** The last of those that are no event. */
  #notice = 0;
  #looking: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(space: SpaceDatabase, onFault: (error: unknown) => void) {
    super();
    this.#space = space;
    this.#onFault = onFault;
  }

  override get isShared(): boolean {
    return true;
  }

  override get unnumbered(): number {
    return this.#notice;
  }

  override subscribe(listener: (change: Change) => void): () => void {
    const end = super.subscribe(listener);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => {
      end();
      if (this.listeners > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Where nobody listened, it starts at what is stored now. */
  override async ready(): Promise<void> {
    await this.#looking;
    if (this.listeners > 0) return;
    const row = await this.#space.row<{ head: number; notice: number }>(
      `SELECT head::float8 AS head,
         coalesce((SELECT max(number) FROM timing.notice WHERE notice.space = $1), 0)::float8 AS notice
       FROM timing.space WHERE name = $1`,
    );
    if (this.listeners > 0) return;
    this.#number = row?.head ?? 0;
    this.#notice = row?.notice ?? 0;
  }

  override spread(): void {
    if (this.listeners > 0) this.#look();
  }

  /** One look at a time; a change during one makes it look again. */
  #look(): void {
    this.#again = this.#looking !== null;
    this.#looking ??= this.#tail()
      .catch(this.#onFault)
      .finally(() => {
        this.#looking = null;
        if (this.#again && this.listeners > 0) this.#look();
      });
  }

  async #tail(): Promise<void> {
    const row = await this.#space.row<{ head: number }>(
      'SELECT head::float8 AS head FROM timing.space WHERE name = $1',
      [],
      'timing_head',
    );
    const [from, head] = [this.#number, row?.head ?? 0];
    if (head === from) return;
    // Behind a database that was put back, too.
    const isLost = head < from || head - from > MOST_BEHIND;
    const told = isLost ? [{ number: head, changes: [{ kind: 'reset' as const }] }] : await this.#between(from, head);
    for (const { number, changes } of told) {
      for (const change of changes) {
        if (change.kind !== 'timing') this.#notice = number;
        super.spread(change);
      }
    }
    this.#number = head;
  }

  /** Numbers are in the order of the commits, so everything up to the head is there. */
  async #between(from: number, head: number): Promise<NumberedChanges[]> {
    const range = 'space = $1 AND event.sequence > $2 AND event.sequence <= $3';
    const [events, notices] = await Promise.all([
      this.#space.rows<EventRow>(`SELECT ${EVENT_COLUMNS} FROM timing.event WHERE ${range}`, [from, head]),
      this.#space.rows<{ number: number; change: string }>(
        'SELECT number::float8 AS number, change FROM timing.notice WHERE space = $1 AND number > $2 AND number <= $3',
        [from, head],
      ),
    ]);
    const ids = events.flatMap(({ correlationId }) => correlationId ?? []);
    const rows = await this.#space.rows<TaskRow>(
      `SELECT ${TASK_COLUMNS} FROM timing.task WHERE space = $1 AND correlation_id = ANY($2)`,
      [ids],
    );
    const tasks = new Map(rows.map((row) => [row.correlationId, taskOf(row)]));
    const told: NumberedChanges[] = notices.map(({ number, change }) => ({
      number,
      changes: JSON.parse(change) as Change[],
    }));
    for (const row of events) {
      const event = eventOf(row);
      const task = event.correlationId === null ? null : (tasks.get(event.correlationId) ?? null);
      const { agentId, project, sequence } = event;
      told.push({ number: sequence, changes: [{ kind: 'timing', agentId, project, event, task }] });
    }
    return told.sort((one, other) => one.number - other.number);
  }
}
