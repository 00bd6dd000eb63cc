import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { toMicroseconds } from '../domain/instant.ts';
import type { Stopwatch, StopwatchStore } from '../domain/stopwatch.ts';
import { type Db, guarded, transactions } from './faults.ts';
import { stopwatchOf } from './rows.ts';
import { agents, stopwatches } from './schema.ts';

export class SqliteStopwatchStore implements StopwatchStore {
  readonly #db: Db;
  readonly #inTransaction: ReturnType<typeof transactions>;

  constructor(db: Db) {
    this.#db = db;
    this.#inTransaction = transactions(db);
  }

  async start(stopwatch: Stopwatch, limit: number): Promise<'started' | 'restarted' | 'full'> {
    const { agentId, name } = stopwatch;
    const startedUs = toMicroseconds(stopwatch.startedMs);
    return this.#inTransaction(() => {
      const restarted = this.#db
        .update(stopwatches)
        .set({ startedUs, stoppedUs: null })
        .where(named(agentId, name))
        .run();
      if (restarted.changes > 0) return 'restarted';
      const others = this.#db
        .select({ count: count() })
        .from(stopwatches)
        .where(eq(stopwatches.agentId, agentId))
        .get();
      if ((others?.count ?? 0) >= limit) return 'full';
      this.#db.insert(stopwatches).values({ agentId, name, startedUs }).run();
      this.#db.insert(agents).values({ agentId }).onConflictDoNothing().run();
      return 'started';
    });
  }

  async find(agentId: string, name: string): Promise<Stopwatch | null> {
    const row = guarded(this.#db, () => this.#db.select().from(stopwatches).where(named(agentId, name)).get());
    return row ? stopwatchOf(row) : null;
  }

  async stop(agentId: string, name: string, stoppedMs: number): Promise<Stopwatch | null> {
    const row = this.#inTransaction(() => {
      this.#db
        .update(stopwatches)
        .set({ stoppedUs: sql`max(${stopwatches.startedUs}, ${toMicroseconds(stoppedMs)})` })
        .where(and(named(agentId, name), isNull(stopwatches.stoppedUs)))
        .run();
      return this.#db.select().from(stopwatches).where(named(agentId, name)).get();
    });
    return row ? stopwatchOf(row) : null;
  }

  async delete(agentId: string, name: string): Promise<boolean> {
    return this.#inTransaction(() => this.#db.delete(stopwatches).where(named(agentId, name)).run().changes > 0);
  }

  async list(agentId: string): Promise<Stopwatch[]> {
    const rows = guarded(this.#db, () =>
      this.#db
        .select()
        .from(stopwatches)
        .where(eq(stopwatches.agentId, agentId))
        .orderBy(asc(stopwatches.sequence))
        .all(),
    );
    return rows.map(stopwatchOf);
  }
}

function named(agentId: string, name: string) {
  return and(eq(stopwatches.agentId, agentId), eq(stopwatches.name, name));
}
