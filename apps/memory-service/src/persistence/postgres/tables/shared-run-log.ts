import type { Postgres } from '@agent-faculties/postgres-kit';
import { STALE, untilTaken } from '../../../domain/concurrency/until-taken.ts';
import type { Report, Undoers } from '../../../domain/consolidation/report.ts';
import type { Night, RunLog } from '../../../domain/consolidation/run-log.ts';
import { EMPTY_RUN_LOG, type RunLogState, runLogFromJson, runLogToJson } from '../../files/run-log-json.ts';

/** The body only where it is another one than that of the mark. */
const READ = {
  name: 'memory-read-runs',
  text: `SELECT xmin::text AS mark, CASE WHEN xmin::text IS DISTINCT FROM $2 THEN body END AS body
    FROM memory.run_log WHERE space = $1`,
};
/** Nothing where another process has written since the mark: its note would be lost. */
const WRITE = {
  name: 'memory-write-runs',
  text: `INSERT INTO memory.run_log (space, body, head)
    VALUES ($1, $2, (SELECT head FROM memory.space WHERE name = $1))
    ON CONFLICT (space) DO UPDATE SET body = EXCLUDED.body, head = EXCLUDED.head
    WHERE run_log.xmin::text = $3 RETURNING xmin::text AS mark`,
};

/** The last runs of a space in a database, whichever process made them. */
export class SharedRunLog implements RunLog {
  readonly #postgres: Postgres;
  readonly #space: string;
  #noted: RunLogState = EMPTY_RUN_LOG;
  /** Of the row as it was read or written last; null: there was none. */
  #mark: string | null = null;

  private constructor({ postgres, space }: { postgres: Postgres; space: string }) {
    this.#postgres = postgres;
    this.#space = space;
  }

  static async open(where: { postgres: Postgres; space: string }): Promise<SharedRunLog> {
    const log = new SharedRunLog(where);
    await log.refresh();
    return log;
  }

  get last(): Report | null {
    return this.#noted.last;
  }

  get lastNight(): Night | null {
    return this.#noted.lastNight;
  }

  get undoers(): Undoers | null {
    return this.#noted.undoers;
  }

  async refresh(): Promise<void> {
    const values = [this.#space, this.#mark];
    const { rows } = await this.#postgres.query<{ mark: string; body: string | null }>({ ...READ, values });
    const [row] = rows;
    if (!row || row.body === null) return;
    this.#noted = runLogFromJson(row.body);
    this.#mark = row.mark;
  }

  async note(report: Report): Promise<void> {
    await this.#change({ last: report });
  }

  async noteNight(night: Night): Promise<void> {
    await this.#change({ lastNight: night });
  }

  async noteUndoers(undoers: Undoers): Promise<void> {
    await this.#change({ undoers });
  }

  async #change(change: Partial<RunLogState>): Promise<void> {
    try {
      await untilTaken(async () => {
        await this.refresh();
        return await this.#write({ ...this.#noted, ...change });
      });
    } catch (error) {
      this.#noted = { ...this.#noted, ...change };
      throw error;
    }
  }

  async #write(noted: RunLogState): Promise<typeof STALE | undefined> {
    const values = [this.#space, runLogToJson(noted), this.#mark];
    const { rows } = await this.#postgres.query<{ mark: string }>({ ...WRITE, values });
    const [row] = rows;
    if (!row) return STALE;
    this.#noted = noted;
    this.#mark = row.mark;
  }
}
