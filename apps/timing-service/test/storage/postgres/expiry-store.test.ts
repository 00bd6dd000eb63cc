import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PostgresExpiryStore } from '../../../src/storage/postgres/expiry-store.ts';
import { SpaceDatabase } from '../../../src/storage/postgres/space-database.ts';
import { openTimingDatabase, type TimingDatabase } from './timing-database.ts';

/** Says how many batches there were. */
class CountedTransactions extends SpaceDatabase {
  count = 0;

  override async transaction<Result>(work: Parameters<SpaceDatabase['transaction']>[0]): Promise<Result> {
    this.count++;
    return (await super.transaction(work)) as Result;
  }
}

(hasPostgres() ? describe : describe.skip)('a deletion in a database', () => {
  let database: TimingDatabase;

  beforeAll(async () => {
    database = await openTimingDatabase();
  });
  afterAll(async () => await database?.close());

  test('walks over what stays once, 500 rows at a time, and what lies behind it goes', async () => {
    const { postgres } = database;
    const insert = (text: string) => postgres.query({ text });
    await insert(`INSERT INTO timing.task (space, sequence, changed, correlation_id, agent_id, task_type, state, started_us)
      VALUES ('home', 1, 1, 'running', 'ann', 'build', 'active', 0)`);
    // Several share an instant, and the batches end among them.
    await insert(`INSERT INTO timing.event (space, sequence, id, agent_id, event_type, timestamp_us, correlation_id)
      SELECT 'home', n, 'kept' || n, 'ann', 'x', n / 7, 'running' FROM generate_series(1, 3000) n`);
    await insert(`INSERT INTO timing.event (space, sequence, id, agent_id, event_type, timestamp_us, correlation_id)
      SELECT 'home', 3000 + n, 'gone' || n, 'ann', 'x', 1000, CASE WHEN n % 2 = 0 THEN 'no task' END
      FROM generate_series(1, 600) n`);
    const space = new CountedTransactions(postgres, 'home');
    expect(await new PostgresExpiryStore(space).deleteBefore(10_000)).toEqual({ events: 600, tasks: 0 });
    const { rows } = await postgres.query<{ id: string }>({ text: 'SELECT id FROM timing.event' });
    expect([rows.length, rows.filter(({ id }) => id.startsWith('kept')).length]).toEqual([3_000, 3_000]);
    // One for the task, 3,600 events by 500, and one for the names.
    expect(space.count).toBe(10);
  });
});
