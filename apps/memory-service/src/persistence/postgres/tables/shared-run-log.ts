import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Report } from '../../../domain/consolidation/report.ts';
import type { Night, RunLog } from '../../../domain/consolidation/run-log.ts';
import { type RunLogState, runLogFromJson, runLogToJson } from '../../files/run-log-json.ts';

const READ = { name: 'memory-read-runs', text: 'SELECT body FROM memory.run_log WHERE space = $1' };
const WRITE = {
  name: 'memory-write-runs',
  text: `INSERT INTO memory.run_log (space, body, head)
    VALUES ($1, $2, (SELECT head FROM memory.space WHERE name = $1))
    ON CONFLICT (space) DO UPDATE SET body = EXCLUDED.body, head = EXCLUDED.head`,
};

/** The last runs of a space in a database, whichever process made them. */
export class SharedRunLog implements RunLog {
  readonly #postgres: Postgres;
  readonly #space: string;
  #noted: RunLogState = { last: null, lastNight: null };

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

  /** Reads what others have noted. */
  async refresh(): Promise<void> {
    const { rows } = await this.#postgres.query<{ body: string }>({ ...READ, values: [this.#space] });
    const [row] = rows;
    if (row) this.#noted = runLogFromJson(row.body);
  }

  async note(report: Report): Promise<void> {
    await this.#change({ last: report });
  }

  async noteNight(night: Night): Promise<void> {
    await this.#change({ lastNight: night });
  }

  async #change(change: Partial<RunLogState>): Promise<void> {
    this.#noted = { ...this.#noted, ...change };
    await this.#postgres.query({ ...WRITE, values: [this.#space, runLogToJson(this.#noted)] });
  }
}
