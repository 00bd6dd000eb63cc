import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { hasPostgres, openTestDatabases, startPostgres } from '../src/index.ts';

(hasPostgres() ? describe : describe.skip)('openTestDatabases', () => {
  test('makes databases that know nothing of each other', async () => {
    const databases = await openTestDatabases();
    const clients = [await databases.create(), await databases.create()].map(
      (connectionString) => new pg.Client({ connectionString }),
    );
    await Promise.all(clients.map((client) => client.connect()));
    const [one, other] = clients as [pg.Client, pg.Client];
    await one.query('CREATE TABLE notes AS SELECT 5 AS note');
    await expect(other.query('SELECT note FROM notes')).rejects.toMatchObject({ code: '42P01' });
    expect((await one.query('SELECT note FROM notes')).rows).toEqual([{ note: 5 }]);
    await Promise.all(clients.map((client) => client.end()));
    await databases.close();
  });
});

(hasPostgres() ? test : test.skip)('the servers of a run begin with what one initdb made', async () => {
  const identifierOf = async () => {
    const server = await startPostgres();
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    const { rows } = await client.query('SELECT system_identifier FROM pg_control_system()');
    await client.end();
    await server.remove();
    return rows[0].system_identifier;
  };
  expect(await identifierOf()).toBe(await identifierOf());
});
