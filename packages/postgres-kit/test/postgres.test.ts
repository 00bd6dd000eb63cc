import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog, UnavailableError } from '@agent-faculties/service-kit';
import { hasPostgres, type PostgresServer, startPostgres } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AnswerLostError,
  copiedRow,
  isPassing,
  migratePostgres,
  openPostgres,
  type Postgres,
  PostgresError,
  parseStoreUrl,
  retryWhileAway,
} from '../src/index.ts';

const log = createLog({ name: 'test', level: 'silent' });
const open = (url: string, waitMs = 0) =>
  openPostgres({ url: parseStoreUrl(url), log, applicationName: 'test', waitMs });
const numberOf = async (postgres: Postgres, text: string) => {
  const { rows } = await postgres.query<{ n: number }>({ text });
  return rows[0]?.n;
};

(hasPostgres() ? describe : describe.skip)('a database', () => {
  let server: PostgresServer;
  let url: string;
  let postgres: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase('kit');
    postgres = await open(url);
  });
  afterAll(async () => {
    await postgres.close();
    await server.remove();
  });

  test('answers a statement', async () => {
    const { rows } = await postgres.query({ name: 'sum', text: 'SELECT $1::int + $2::int AS sum', values: [2, 3] });
    expect(rows).toEqual([{ sum: 5 }]);
  });

  test('copies the bytes of a row as they are', async () => {
    // More than the driver reads at a time.
    const text =
      "SELECT decode(repeat('00ff0a5c', 500000), 'hex') AS bytes, NULL::bytea AS none, ''::bytea AS empty, 258::int4 AS n";
    const rows = await postgres.transaction(async (client) => {
      const first = await copiedRow(client, text);
      return [first, await copiedRow(client, `${text} WHERE false`), await copiedRow(client, "SELECT 'ä'::text")];
    });
    const bytes = Buffer.alloc(2_000_000, Buffer.from('00ff0a5c', 'hex'));
    expect(rows[0]?.[0]?.equals(bytes)).toBe(true);
    expect(rows[0]?.slice(1)).toEqual([null, Buffer.alloc(0), Buffer.from([0, 0, 1, 2])]);
    expect(rows.slice(1)).toEqual([null, [Buffer.from('ä')]]);
  });

  test('hands on what is wrong with what is copied, and goes on', async () => {
    const failing = postgres.transaction(
      async (client) => await copiedRow(client, 'SELECT 1 / (n - 3) FROM generate_series(1, 5) n'),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await numberOf(postgres, 'SELECT 7 AS n')).toBe(7);
  });

  test('hands on what is wrong with a statement', async () => {
    await expect(postgres.query({ text: 'SELEKT' })).rejects.toMatchObject({ code: '42601' });
  });

  test.each([
    ['40P01', UnavailableError, /deadlock/],
    ['53400', UnavailableError, /its log says/],
    ['55P03', UnavailableError, /locked/],
    ['58030', UnavailableError, /disk or its system fails/],
    ['XX001', UnavailableError, /restore a backup/],
    ['57014', AnswerLostError, /may have happened/],
    ['42P01', PostgresError, /a table is missing: start one replica/],
    ['42501', PostgresError, /lacks a right/],
  ])('says of %s that the database is the cause, and what to do', async (state, kind, words) => {
    const text = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
    const error = await postgres.query({ text }).catch((reason) => reason);
    expect(error).toBeInstanceOf(kind);
    expect(error.code).toBe('storage_unavailable');
    expect(error.message).toMatch(words);
  });

  test('commits a transaction that resolves, and takes back one that rejects', async () => {
    await postgres.query({ text: 'CREATE TABLE counted (n int)' });
    const insert = (n: number, fault?: Error) =>
      postgres.transaction(async (client) => {
        await client.query('INSERT INTO counted VALUES ($1)', [n]);
        if (fault) throw fault;
        return n;
      });
    expect(await insert(1)).toBe(1);
    await expect(insert(2, new RangeError('no'))).rejects.toThrow(RangeError);
    expect(await numberOf(postgres, 'SELECT sum(n)::int AS n FROM counted')).toBe(1);
  });

  test('does not take a transaction for committed in which a fault was swallowed', async () => {
    const work = postgres.transaction(async (client) => {
      await client.query('INSERT INTO counted VALUES (10)');
      await client.query('SELEKT').catch(() => {});
    });
    await expect(work).rejects.toThrow('ROLLBACK');
    expect(await numberOf(postgres, 'SELECT sum(n)::int AS n FROM counted')).toBe(1);
  });

  test('says what is wrong with parameters of its address, without user and password', async () => {
    // The server of this test speaks no TLS.
    const address = `${url.replace('postgres@', 'postgres:pa55word@')}?sslmode=verify-full`;
    const refused = await open(address).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(PostgresError);
    expect((refused as Error).message).toMatch(/cannot be used \(.*SSL.*\): correct the address of the store/);
    expect((refused as Error).message).not.toContain('pa55');
  });

  test('says which database is missing, without user and password', async () => {
    const missing = url.replace('postgres@', 'postgres:pa55word@').replace('/kit', '/nothing');
    const refused = await open(missing).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(PostgresError);
    expect((refused as Error).message).toBe(
      `The database 127.0.0.1:${server.port}/nothing cannot be used: it has no such database: create it with CREATE DATABASE.`,
    );
  });

  test('says after a while that nobody answers', async () => {
    const nobody = 'postgres://postgres@127.0.0.1:1/kit';
    await expect(open(nobody, 250)).rejects.toThrow(
      /127\.0\.0\.1:1\/kit does not answer after 0\.25 s \(.*ECONNREFUSED/,
    );
  });

  test('says that no connection is left, at a start and later', async () => {
    const left = 'it has no connection left: allow the services more, 10 for each replica';
    await postgres.query({ text: 'CREATE ROLE guest LOGIN CONNECTION LIMIT 0' });
    const asGuest = url.replace('postgres@', 'guest@');
    await expect(open(asGuest)).rejects.toThrow(
      `kit still refuses after 0 s (too many connections for role "guest"): ${left}`,
    );
    await postgres.query({ text: 'ALTER ROLE guest CONNECTION LIMIT 1' });
    const guest = await open(asGuest);
    const second = guest.transaction(async () => await guest.query({ text: 'SELECT 1' }));
    await expect(second).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(new RegExp(`kit refuses: ${left}.*Nothing was changed\\.$`)),
    });
    await guest.close();
  });

  test('says that a conflict in its catalog passes, which the server calls a fault of its own', async () => {
    await postgres.query({ text: 'CREATE SCHEMA twice' });
    const grant = 'GRANT USAGE ON SCHEMA twice TO PUBLIC';
    const second = await postgres.transaction(async (first) => {
      await first.query(grant);
      const waiting = postgres.query({ text: grant }).catch((error: unknown) => error);
      const isWaiting = "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted";
      while ((await numberOf(postgres, isWaiting)) === 0) await nextTurn();
      return { waiting };
    });
    const refused = (await second.waiting) as Error;
    expect(refused.cause).toMatchObject({ code: 'XX000' });
    expect(isPassing(refused.cause)).toBe(true);
    expect(refused.message).toMatch(/conflict with another transaction: try again\. Nothing was changed\.$/);
  });

  test('goes on to the next host where one is away or only reads', async () => {
    await server.newDatabase('standby');
    await postgres.query({ text: 'ALTER DATABASE standby SET default_transaction_read_only = on' });
    const readOnly = await open(url.replace('/kit', '/standby')).catch((error: unknown) => error as Error);
    expect((readOnly as Error).message).toContain('it is a standby');
    const several = await open(url.replace('127.0.0.1', '127.0.0.1:1,127.0.0.1'));
    expect(await numberOf(several, 'SELECT 7 AS n')).toBe(7);
    await several.close();
  });

  test('says while it runs that the server takes no writes any more', async () => {
    const writing = await open(await server.newDatabase('demoted'));
    await postgres.query({ text: 'ALTER DATABASE demoted SET default_transaction_read_only = on' });
    await postgres.query({ text: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'demoted'" });
    const refused = () => writing.query({ text: 'SELECT 1' }).catch((error: unknown) => error as Error);
    // The first may meet the connection that was cut.
    let message = '';
    while (!message.includes('takes no writes')) ({ message } = (await refused()) as Error);
    expect(message).toMatch(/\(a standby, or default_transaction_read_only\): nothing was changed/);
    await writing.close();
  });

  test('refuses a database that cannot hold every character', async () => {
    const text = "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'";
    await postgres.query({ text });
    const refused = await open(url.replace('/kit', '/latin')).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(PostgresError);
    expect((refused as Error).message).toMatch(/latin has the encoding LATIN1, .* --encoding UTF8/);
  });

  test('says that the user may not make the tables', async () => {
    await postgres.query({ text: 'CREATE ROLE reader LOGIN' });
    const reader = await open(url.replace('postgres@', 'reader@'));
    const folder = fileURLToPath(new URL('./migrations', import.meta.url));
    const refused = migratePostgres(reader, { schema: 'unmade', folder, log });
    await expect(refused).rejects.toMatchObject({
      name: 'PostgresError',
      message: expect.stringMatching(/cannot be used: the user lacks a right: grant it CREATE on the database/),
    });
    await reader.close();
  });

  test('makes the tables once, also for replicas that start together', async () => {
    const folder = fileURLToPath(new URL('./migrations', import.meta.url));
    await Promise.all([1, 2, 3, 4].map(() => migratePostgres(postgres, { schema: 'kit', folder, log })));
    expect(await numberOf(postgres, 'SELECT count(*)::int AS n FROM kit.migrations')).toBe(1);
    expect(await numberOf(postgres, 'SELECT count(*)::int AS n FROM kit.things')).toBe(0);
  });

  describe('behind a line that breaks', () => {
    let proxy: Server;
    let breaksAt: string | null = null;
    const sockets = new Set<Socket>();
    beforeAll(async () => {
      const { connect } = await import('node:net');
      proxy = createServer((near) => {
        const far = connect(server.port, '127.0.0.1');
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => {});
        }
        let isBroken = false;
        near.on('data', (bytes) => {
          far.write(bytes);
          isBroken ||= breaksAt !== null && bytes.includes(breaksAt);
        });
        far.on('data', (bytes) => {
          if (!isBroken) return near.write(bytes);
          // The server has done what was sent, and its answer does not arrive.
          near.destroy();
        });
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
      }).listen(0, '127.0.0.1');
      await once(proxy, 'listening');
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });

    test('says that a statement may have happened, and works on afterwards', async () => {
      const { port } = proxy.address() as { port: number };
      const behind = await open(url.replace(String(server.port), String(port)));
      breaksAt = 'INSERT INTO counted';
      const lost = behind.query({ text: 'INSERT INTO counted VALUES (100)' });
      await expect(lost).rejects.toBeInstanceOf(AnswerLostError);
      breaksAt = null;
      expect(await numberOf(behind, 'SELECT count(*)::int AS n FROM counted')).toBe(2);
      breaksAt = 'COMMIT';
      const committed = behind.transaction((client) => client.query('INSERT INTO counted VALUES (1000)'));
      await expect(committed).rejects.toBeInstanceOf(AnswerLostError);
      breaksAt = 'INSERT INTO counted';
      const open_ = behind.transaction((client) => client.query('INSERT INTO counted VALUES (5)'));
      const error = await open_.catch((error: unknown) => error);
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).not.toBeInstanceOf(AnswerLostError);
      breaksAt = null;
      expect(await numberOf(behind, 'SELECT sum(n)::int AS n FROM counted')).toBe(1101);
      await behind.close();
    });

    test('does a part of the start again when its connection broke, and not for another fault', async () => {
      const { port } = proxy.address() as { port: number };
      const behind = await open(url.replace(String(server.port), String(port)));
      let tries = 0;
      const start = (text: string) =>
        retryWhileAway(
          () => {
            breaksAt = ++tries === 1 ? text : null;
            return numberOf(behind, text);
          },
          { name: 'kit', log },
        );
      expect(await start('SELECT 4 AS n')).toBe(4);
      expect(tries).toBe(2);
      await expect(start('SELEKT')).rejects.toMatchObject({ code: '42601' });
      expect(tries).toBe(3);
      await behind.close();
    });
  });

  test('recovers by itself from a server that was killed', async () => {
    await server.kill();
    const refused = () => postgres.query({ text: 'SELECT 1' }).catch((error: unknown) => error);
    const away = `The database 127.0.0.1:${server.port}/kit does not answer: nothing was changed. Try again.`;
    // Connections that were open may break only now.
    for (let message = ''; message !== away; ) {
      const error = await refused();
      expect(error).toMatchObject({ code: 'storage_unavailable' });
      ({ message } = error as Error);
    }
    await server.startAgain();
    expect(await numberOf(postgres, 'SELECT sum(n)::int AS n FROM counted')).toBe(1101);
  });

  test('says that a commit may have happened where the process stood still for longer than the server waits', async () => {
    const committing = postgres.transaction(async (client) => {
      await client.query("SET LOCAL idle_in_transaction_session_timeout = '1ms'");
      // As under SIGSTOP: nothing is read from the connection.
      execFileSync('sleep', ['0.1']);
    });
    await expect(committing).rejects.toBeInstanceOf(AnswerLostError);
    expect(await numberOf(postgres, 'SELECT 7 AS n')).toBe(7);
  });

  test('cuts off at its close what takes longer than a moment', async () => {
    const closing = await open(url);
    const asked = closing.query({ text: 'SELECT pg_sleep(60)' }).catch((error: unknown) => error);
    const sleeping = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while ((await numberOf(postgres, sleeping)) === 0);
    await closing.close();
    const error = await asked;
    expect(error).toBeInstanceOf(AnswerLostError);
    // And not by the limit of 30 s for an answer.
    expect(error).toMatchObject({ cause: { message: expect.stringMatching(/^Connection terminated/) } });
  });

  test('has a connection without a limit of time', async () => {
    const found = await postgres.direct(async (client) => {
      const { rows } = await client.query<{ n: number }>('SELECT sum(n)::int AS n FROM counted');
      return rows[0]?.n;
    });
    expect(found).toBe(1101);
  });
});
