import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLog } from '@agent-faculties/service-kit';
import {
  hasPgbouncer,
  hasPostgres,
  type Pgbouncer,
  type PgbouncerOptions,
  type PostgresServer,
  startPgbouncer,
  startPostgres,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { migratePostgres, openPostgres, type Postgres, PostgresError, parseStoreUrl } from '../src/index.ts';

const log = createLog({ name: 'test', level: 'silent' });
const DATABASE = 'kit';
const PAGE = new URL('../../../docs/scale.md', import.meta.url);
const PID = { name: 'pid', text: 'SELECT pg_backend_pid() AS n' };

(hasPostgres() && hasPgbouncer() ? describe : describe.skip)('a database behind PgBouncer', () => {
  let server: PostgresServer;
  let poolers: Pgbouncer[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    await server.newDatabase(DATABASE);
  });
  afterEach(async () => {
    for (const pooler of poolers) await pooler.remove();
    poolers = [];
  });
  afterAll(async () => {
    await server.remove();
  });

  const start = async (mode: PgbouncerOptions['mode'], settings: readonly string[] = []) => {
    const pooler = await startPgbouncer({ port: server.port, mode, settings });
    poolers.push(pooler);
    return pooler;
  };
  const open = ({ port }: { port: number }, { database = DATABASE, waitMs = 0 } = {}) => {
    const url = parseStoreUrl(`postgres://postgres@127.0.0.1:${port}/${database}`);
    return openPostgres({ url, log, applicationName: 'test', waitMs });
  };
  const numberOf = async (postgres: Postgres, text: string) =>
    (await postgres.query<{ n: number }>({ text })).rows[0]?.n;

  test.each(['session', 'transaction'] as const)('answers named statements in %s mode', async (mode) => {
    const pooler = await start(mode);
    // Each has sessions of the other, where a name stands for another statement.
    const [one, other] = [await open(pooler), await open(pooler)];
    const asked = Array.from({ length: 60 }, (_, n) => {
      const text = n % 2 === 0 ? 'SELECT $1::int + 1 AS n' : 'SELECT $1::int + 2 AS n';
      return (n % 2 === 0 ? one : other).query<{ n: number }>({ name: 'sum', text, values: [n] });
    });
    const answers = (await Promise.all(asked)).map(({ rows }) => rows[0]?.n);
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => n + 1 + (n % 2)));
    await Promise.all([one.close(), other.close()]);
  });

  test('starts with the settings of docs/scale.md', async () => {
    const own = /^\[pgbouncer\]\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
    const settings = own.split('\n').filter((line) => !line.startsWith('auth_'));
    expect(settings).toContain('pool_mode = transaction');
    const postgres = await open(await start('transaction', settings));
    expect(await numberOf(postgres, 'SELECT 1 AS n')).toBe(1);
    await postgres.close();
  });

  test('leaves no statement prepared in a session that others have next', async () => {
    const behind = await open(await start('transaction'));
    await behind.query(PID);
    await behind.transaction((client) => client.query(PID));
    await behind.direct((client) => client.query(PID));
    expect(await numberOf(behind, 'SELECT count(*)::int AS n FROM pg_prepared_statements')).toBe(0);
    await behind.close();
    const direct = await open(server);
    await direct.query(PID);
    expect(await numberOf(direct, 'SELECT count(*)::int AS n FROM pg_prepared_statements')).toBe(1);
    await direct.close();
  });

  test.each(['session', 'transaction'] as const)(
    'makes the tables in %s mode, for replicas that start together and one after the other',
    async (mode) => {
      const database = `made_${mode}`;
      await server.newDatabase(database);
      // In session mode each connection keeps one of the server.
      const pooler = await start(mode, mode === 'transaction' ? ['default_pool_size=3'] : []);
      const folder = fileURLToPath(new URL('./migrations', import.meta.url));
      const replica = async () => {
        const postgres = await open(pooler, { database });
        await migratePostgres(postgres, { schema: 'kit', folder, log });
        return postgres;
      };
      const replicas = await Promise.all([replica(), replica(), replica()]);
      expect(await numberOf(await replica(), 'SELECT count(*)::int AS n FROM kit.migrations')).toBe(1);
      const direct = await open(server, { database });
      // One that stayed with a session would keep the next replica waiting for good.
      expect(await numberOf(direct, "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'")).toBe(0);
      for (const postgres of [...replicas, direct]) await postgres.close();
    },
  );

  test('refuses statement mode, and says what to do', async () => {
    const refused = await open(await start('statement'), { waitMs: 60_000 }).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(PostgresError);
    expect((refused as Error).message).toContain('set pool_mode of PgBouncer to transaction or session');
  });

  test('says that PgBouncer does not know a database or a user', async () => {
    const pooler = await start('transaction');
    await expect(open(pooler, { database: 'nothing' })).rejects.toThrow(/has no such database/);
    const url = parseStoreUrl(`postgres://nobody@127.0.0.1:${pooler.port}/${DATABASE}`);
    await expect(openPostgres({ url, log, applicationName: 'test', waitMs: 60_000 })).rejects.toThrow(
      /refuses the user: see auth_file/,
    );
  });

  test('says that PgBouncer refuses a parameter of the address', async () => {
    const { port } = await start('transaction');
    const url = parseStoreUrl(`postgres://postgres@127.0.0.1:${port}/${DATABASE}?options=-c%20jit%3Doff`);
    await expect(openPostgres({ url, log, applicationName: 'test', waitMs: 60_000 })).rejects.toThrow(
      /refuses a parameter of the address/,
    );
  });

  test('says that PgBouncer takes no more clients, and goes on when it does', async () => {
    const pooler = await start('transaction', ['max_client_conn=1']);
    const first = await open(pooler);
    const full = 'its pooler has no connection left: raise max_client_conn';
    await expect(open(pooler)).rejects.toThrow(full);
    const second = first.transaction(async () => await first.query({ text: 'SELECT 1' }));
    await expect(second).rejects.toMatchObject({ code: 'storage_unavailable', message: expect.stringContaining(full) });
    expect(await numberOf(first, 'SELECT 7 AS n')).toBe(7);
    await first.close();
  });

  test('says that nothing was changed where PgBouncer has kept a statement waiting for too long', async () => {
    const pooler = await start('transaction', ['query_wait_timeout=1']);
    const postgres = await open(pooler);
    await postgres.query({ text: 'CREATE TABLE waited (n int)' });
    await pooler.tell('PAUSE');
    const waiting = postgres.query({ text: 'INSERT INTO waited VALUES (1)' });
    await expect(waiting).rejects.toThrow(/its pooler has no connection left.*Nothing was changed\.$/);
    await pooler.tell('RESUME');
    expect(await numberOf(postgres, 'SELECT count(*)::int AS n FROM waited')).toBe(0);
    await postgres.close();
  });

  test('reads nothing from a server that has become a standby, and goes on to the next host', async () => {
    const database = 'past';
    await server.newDatabase(database);
    const next = await startPostgres();
    await next.newDatabase(database);
    const pooler = await start('transaction');
    const hosts = `127.0.0.1:${pooler.port},127.0.0.1:${next.port}`;
    const url = parseStoreUrl(`postgres://postgres@${hosts}/${database}`);
    const postgres = await openPostgres({ url, log, applicationName: 'test', waitMs: 0 });
    const port = 'SELECT inet_server_port() AS n';
    // Several connections, all of which are there later.
    const ports = await Promise.all([1, 2, 3, 4, 5].map(() => numberOf(postgres, port)));
    expect(new Set(ports)).toEqual(new Set([server.port]));
    await postgres.query({ text: `ALTER DATABASE ${database} SET default_transaction_read_only = on` });
    // As after a failover: the connections to PgBouncer stay.
    await pooler.tell('RECONNECT');
    const later = await Promise.all([1, 2, 3, 4, 5].map(() => numberOf(postgres, port)));
    expect(new Set(later)).toEqual(new Set([next.port]));
    await postgres.close();
    await next.remove();
  });

  test('works on after PgBouncer was killed and started again', async () => {
    const pooler = await start('transaction');
    const postgres = await open(pooler);
    await pooler.kill();
    await expect(postgres.query({ text: 'SELECT 1' })).rejects.toMatchObject({ code: 'storage_unavailable' });
    await pooler.startAgain();
    await pooler.tell('RECONNECT');
    expect(await numberOf(postgres, 'SELECT 7 AS n')).toBe(7);
    await postgres.close();
  });
});
