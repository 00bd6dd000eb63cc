import type { Change } from '../../domain/change-feed.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import type { Stopwatch, StopwatchName, StopwatchStore } from '../../domain/stopwatch.ts';
import { type StopwatchRow, stopwatchOf } from '../tables/rows.ts';
import { STOPWATCH_COLUMNS } from './columns.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase, SpaceTransaction } from './space-database.ts';

/** That of the project itself, else the newest of those that are seen in it. */
const MEANT = `SELECT ${STOPWATCH_COLUMNS} FROM timing.stopwatch
  WHERE space = $1 AND agent_id = $2 AND name = $3 AND ($4::text IS NULL OR project IN ('', $4))
  ORDER BY project = coalesce($4, '') DESC, stopwatch.sequence DESC LIMIT 1`;

/** The number is taken first: it locks the space, so that no two replicas decide at the same time. */
export class PostgresStopwatchStore implements StopwatchStore {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async start(stopwatch: Stopwatch, limit: number): Promise<'started' | 'restarted' | 'full'> {
    const { agentId, name, project } = stopwatch;
    const key = [agentId, name, project ?? ''];
    const startedUs = toMicroseconds(stopwatch.startedMs);
    return await this.#space.transaction(async (space) => {
      const number = await space.takeNumbers(1);
      const restarted = await space.rows(
        `UPDATE timing.stopwatch SET started_us = $5, stopped_us = NULL
         WHERE space = $1 AND agent_id = $2 AND name = $3 AND project = $4 RETURNING name`,
        [...key, startedUs],
      );
      if (restarted.length === 0) {
        const [others] = await space.rows<{ count: number }>(
          'SELECT count(*)::float8 AS count FROM timing.stopwatch WHERE space = $1 AND agent_id = $2',
          [agentId],
        );
        if ((others?.count ?? 0) >= limit) return 'full';
        await space.rows(
          `INSERT INTO timing.stopwatch (space, agent_id, name, project, started_us, sequence) VALUES ($1, $2, $3, $4, $5, $6)`,
          [...key, startedUs, number],
        );
        await space.rows('INSERT INTO timing.agent VALUES ($1, $2) ON CONFLICT DO NOTHING', [agentId]);
      }
      const restart = { ...stopwatch, startedMs: startedUs / 1000, stoppedMs: null };
      await space.tell(number, [changeOf(restart)]);
      return restarted.length > 0 ? 'restarted' : 'started';
    });
  }

  async find(which: StopwatchName): Promise<Stopwatch | null> {
    const row = await this.#space.row<StopwatchRow>(MEANT, keyOf(which));
    return row && stopwatchOf(row);
  }

  async stop(which: StopwatchName, stoppedMs: number): Promise<Stopwatch | null> {
    return await this.#change(which, async (space, number, meant) => {
      const stoppedUs = meant.stoppedUs ?? Math.max(meant.startedUs, toMicroseconds(stoppedMs));
      await space.rows('UPDATE timing.stopwatch SET stopped_us = $3 WHERE space = $1 AND sequence = $2', [
        meant.sequence,
        stoppedUs,
      ]);
      const stopped = stopwatchOf({ ...meant, stoppedUs });
      await space.tell(number, [changeOf(stopped)]);
      return stopped;
    });
  }

  async delete(which: StopwatchName): Promise<Stopwatch | null> {
    return await this.#change(which, async (space, number, meant) => {
      await space.rows('DELETE FROM timing.stopwatch WHERE space = $1 AND sequence = $2', [meant.sequence]);
      const deleted = stopwatchOf(meant);
      const { agentId, project, name } = deleted;
      await space.tell(number, [{ kind: 'stopwatch-deleted', agentId, project, name }]);
      return deleted;
    });
  }

  async list({ agentId, project }: { agentId: string; project: string | null }): Promise<Stopwatch[]> {
    const where = new Conditions().equal('agent_id', agentId).seenIn(project);
    const rows = await this.#space.rows<StopwatchRow>(
      `SELECT ${STOPWATCH_COLUMNS} FROM timing.stopwatch WHERE space = $1${where.text} ORDER BY stopwatch.sequence`,
      where.values,
    );
    return rows.map(stopwatchOf);
  }

  async #change(
    which: StopwatchName,
    work: (space: SpaceTransaction, number: number, meant: StopwatchRow) => Promise<Stopwatch>,
  ): Promise<Stopwatch | null> {
    // Nothing is numbered where there is nothing to change, and no space is locked.
    if (!(await this.find(which))) return null;
    return await this.#space.transaction(async (space) => {
      const number = await space.takeNumbers(1);
      const [meant] = await space.rows<StopwatchRow>(MEANT, keyOf(which));
      return meant ? await work(space, number, meant) : null;
    });
  }
}

function keyOf({ agentId, name, project }: StopwatchName): unknown[] {
  return [agentId, name, project];
}

function changeOf(stopwatch: Stopwatch): Change {
  return { kind: 'stopwatch', agentId: stopwatch.agentId, project: stopwatch.project, stopwatch };
}
