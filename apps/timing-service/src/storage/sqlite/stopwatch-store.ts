import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import { toMicroseconds } from '../../domain/instant.ts';
import type { Stopwatch, StopwatchName, StopwatchStore } from '../../domain/stopwatch.ts';
import { stopwatchOf } from '../tables/rows.ts';
import { agents, stopwatches } from '../tables/schema.ts';
import { type Db, guarded, transactions } from './faults.ts';
import { seenIn } from './seen-in.ts';

export class SqliteStopwatchStore implements StopwatchStore {
  readonly #db: Db;
  readonly #inTransaction: ReturnType<typeof transactions>;

  constructor(db: Db) {
    this.#db = db;
    this.#inTransaction = transactions(db);
  }

  async start(stopwatch: Stopwatch, limit: number): Promise<'started' | 'restarted' | 'full'> {
    const { agentId, project, name } = stopwatch;
    const startedUs = toMicroseconds(stopwatch.startedMs);
    return this.#inTransaction(() => {
      const restarted = this.#db
        .update(stopwatches)
        .set({ startedUs, stoppedUs: null })
        .where(and(named(stopwatch), eq(stopwatches.project, project ?? '')))
        .run();
      if (restarted.changes > 0) return 'restarted';
      const others = this.#db
        .select({ count: count() })
        .from(stopwatches)
        .where(eq(stopwatches.agentId, agentId))
        .get();
      if ((others?.count ?? 0) >= limit) return 'full';
      this.#db
        .insert(stopwatches)
        .values({ agentId, name, project: project ?? '', startedUs })
        .run();
      this.#db.insert(agents).values({ agentId }).onConflictDoNothing().run();
      return 'started';
    });
  }

  async find(which: StopwatchName): Promise<Stopwatch | null> {
    const row = guarded(this.#db, () => this.#meant(which));
    return row ? stopwatchOf(row) : null;
  }

  async stop(which: StopwatchName, stoppedMs: number): Promise<Stopwatch | null> {
    const row = this.#inTransaction(() => {
      const meant = this.#meant(which);
      if (!meant || meant.stoppedUs !== null) return meant;
      const stoppedUs = Math.max(meant.startedUs, toMicroseconds(stoppedMs));
      this.#db.update(stopwatches).set({ stoppedUs }).where(eq(stopwatches.sequence, meant.sequence)).run();
      return { ...meant, stoppedUs };
    });
    return row ? stopwatchOf(row) : null;
  }

  async delete(which: StopwatchName): Promise<Stopwatch | null> {
    const row = this.#inTransaction(() => {
      const meant = this.#meant(which);
      if (meant) this.#db.delete(stopwatches).where(eq(stopwatches.sequence, meant.sequence)).run();
      return meant;
    });
    return row ? stopwatchOf(row) : null;
  }

  async list({ agentId, project }: { agentId: string; project: string | null }): Promise<Stopwatch[]> {
    const rows = guarded(this.#db, () =>
      this.#db
        .select()
        .from(stopwatches)
        .where(and(eq(stopwatches.agentId, agentId), seenIn(stopwatches.project, project)))
        .orderBy(asc(stopwatches.sequence))
        .all(),
    );
    return rows.map(stopwatchOf);
  }

  /** That of the project itself, else the newest of those that are seen in it. */
  #meant(which: StopwatchName) {
    return this.#db
      .select()
      .from(stopwatches)
      .where(and(named(which), seenIn(stopwatches.project, which.project)))
      .orderBy(sql`${stopwatches.project} = ${which.project ?? ''} DESC`, desc(stopwatches.sequence))
      .limit(1)
      .get();
  }
}

function named({ agentId, name }: StopwatchName) {
  return and(eq(stopwatches.agentId, agentId), eq(stopwatches.name, name));
}
