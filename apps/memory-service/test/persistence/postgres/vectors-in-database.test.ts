import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPassing, openPostgres, type Postgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { hasPgvector, hasPostgres } from '@agent-faculties/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { readQuestion } from '../../../src/domain/recall/question/question.ts';
import { copySpace } from '../../../src/persistence/copy/copy-spaces.ts';
import { copyFromDatabase } from '../../../src/persistence/copy/database-copies.ts';
import { copyToDirectory } from '../../../src/persistence/copy/directory-copies.ts';
import { folderOfSpace } from '../../../src/persistence/directory/space-folders.ts';
import { type OpenStore, openStore } from '../../../src/persistence/open-store.ts';
import { LOG_START } from '../../../src/persistence/postgres/log/change-log.ts';
import type { SharedSpace } from '../../../src/persistence/postgres/open-shared-space.ts';
import { dropTableOf } from '../../../src/persistence/postgres/vectors/table-of-space.ts';
import { isAtLeast } from '../../../src/persistence/postgres/vectors/vector-extension.ts';
import { VectorTable } from '../../../src/persistence/postgres/vectors/vector-table.ts';
import { FaissPool } from '../../../src/search/vectors/faiss/faiss-pool.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { add, remove } from '../../store/change-store.ts';
import { type SharedDatabases, sharedDatabases } from './shared-databases.ts';

const NOW = Date.parse('2026-11-22T09:30:00Z');
const DIMENSION = 4;
const NUMBERS = 6;
const MODEL = 'test';
const PROCESS = { pid: 1, hostname: 'test' };
/** Of a replica that has nothing to wait for. */
const KEEP_UP_MS = 10;
/** More than were taken out of a table at a time once. */
const MANY = 1_200;
const SILENT = createLog({ name: 'test', level: 'silent' });
/** Until a table that could not be made is tried again. */
const TRY_AGAIN_MS = 60_000;

type PoolClient = Parameters<Parameters<Postgres['transaction']>[0]>[0];

const faissPool = new FaissPool();

/** Opens spaces of a database, and closes them after each test. */
function spacesOf(databases: SharedDatabases) {
  const open = new Set<OpenStore>();
  const clock = new ManualClock(NOW);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ name: 'test', level: 'warn', destination });
  afterEach(async () => {
    for (const one of open) await close(one);
    lines.length = 0;
  });
  const close = async (one: OpenStore) => {
    open.delete(one);
    await one.close();
  };
  const opened = async (space: string, shared: Partial<SharedSpace> = {}, model: string | null = MODEL) => {
    const one = await openStore({
      dataDir: null,
      shared: { database: databases.database(), space, ...shared },
      model: model === null ? null : { id: model, dimension: DIMENSION },
      maxMemories: 10_000,
      repair: false,
      clock,
      log,
      process: PROCESS,
      faissPool,
    });
    open.add(one);
    return one;
  };
  return { opened, close, clock, lines };
}

(hasPostgres() ? describe : describe.skip)('the vectors of a large space in a database without pgvector', () => {
  const databases = sharedDatabases();
  const { opened, lines } = spacesOf(databases);

  test('stay in memory and in the checkpoint, and the log says why, once', async () => {
    const space = databases.newSpace();
    const one = await opened(space, { vectorsAbove: 0, keepUpMs: KEEP_UP_MS });
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await until(() => lines.length > 0);
    for (let save = 0; save < 3; save++) await one.persistence.save();
    expect(lines).toEqual([expect.stringContaining('CREATE EXTENSION vector')]);
    expect(await stateOf(await opened(space, { vectorsAbove: 0 }))).toEqual(await stateOf(one));
  });
});

(hasPgvector() ? describe : describe.skip)('the vectors of a large space in a database with pgvector', () => {
  const databases = sharedDatabases({ hasVectors: true });
  const { opened, close, clock, lines } = spacesOf(databases);
  const inTable = (space: string, model = MODEL) => opened(space, { vectorsAbove: 0, keepUpMs: KEEP_UP_MS }, model);

  const query = async (text: string, values: unknown[] = []) =>
    (await databases.database().postgres.query<Record<string, unknown>>({ text, values })).rows;
  const tableOf = async (space: string) =>
    (await query('SELECT number::int, ready FROM memory.vector_table WHERE space = $1', [space]))[0];
  const numberOf = async (space: string) => (await tableOf(space))?.number as number;
  const idsIn = async (space: string) =>
    (await query(`SELECT DISTINCT id FROM memory.vector_${await numberOf(space)} ORDER BY id`)).map(({ id }) => id);
  /** Holds the lock that making an index takes. Where a test fails, the database ends that. */
  const locked = async (table: string) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let hold = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const building = databases.database().postgres.transaction(async (client) => {
      await client.query("SET LOCAL idle_in_transaction_session_timeout = '150s'");
      await client.query(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
      hold();
      await ended;
    });
    await held;
    return { end, building };
  };
  /** How many wait for a lock of a table, or for who holds one of its rows. */
  const waiting = async (table: string, kind = 'relation') => {
    const text = `SELECT count(*)::int AS n FROM pg_locks waits WHERE NOT granted AND locktype = $2 AND EXISTS
      (SELECT FROM pg_locks about WHERE about.pid = waits.pid AND about.relation = to_regclass($1))`;
    return (await query(text, [table, kind]))[0]?.n as number;
  };
  /** Whoever does the jobs of the space moves the vectors by itself; the replica lets go of them when it sees that. */
  const moved = async (space: string, one: OpenStore) => {
    await until(async () => (await tableOf(space))?.ready === true);
    await letGo(one);
  };
  const letGo = async (one: OpenStore) => {
    await one.store.size();
    await until(() => one.indexes.vectors?.matrix.length === 0);
  };

  test('go into a table, and every replica lets go of them', async () => {
    const space = databases.newSpace();
    const [one, other] = [await opened(space, { vectorsAbove: 1, keepUpMs: KEEP_UP_MS }), await opened(space)];
    await say(one, { number: 1, version: 1 });
    await one.persistence.save();
    await nextTurn();
    expect(await tableOf(space)).toBeUndefined();
    await say(one, { number: 2, version: 1 });
    const before = await stateOf(other);
    await moved(space, one);
    for (const replica of [one, other, await opened(space), await inTable(space)]) {
      await letGo(replica);
      expect(await stateOf(replica)).toEqual(before);
      expect(replica.figures.vectors()).toBe(3);
      expect(replica.figures.vectorsInDatabase()).toBe(3);
      expect(replica.figures.vectorBytes()).toBe(0);
    }
  });

  test('are after any changes, saves, starts and failovers what they are in memory', async () => {
    const number = fc.nat({ max: NUMBERS });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), number, version: fc.nat({ max: 3 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), number }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), number }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('stand still' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('back up' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('fail over' as const) }) },
    );
    const steps = fc.array(fc.tuple(fc.boolean(), step), { minLength: 6, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (all, beginsMoved) => {
        lines.length = 0;
        const [near, far] = [databases.newSpace(), databases.newSpace()];
        const worlds = [
          { space: near, replicas: [await opened(near), await opened(near)], open: opened },
          { space: far, replicas: [await inTable(far), await inTable(far)], open: inTable },
        ];
        for (const { replicas } of worlds) await say(replicas[0] as OpenStore, { number: 0, version: 0 });
        if (beginsMoved) await moved(far, worlds[1]?.replicas[0] as OpenStore);
        const states = new Map<string, Awaited<ReturnType<typeof backUp>>>();
        for (const { space } of worlds) states.set(space, await backUp(space));
        for (const [isSecond, what] of all) {
          for (const { space, replicas, open } of worlds) {
            const place = Number(isSecond);
            const replica = replicas[place] as OpenStore;
            if (what.do === 'say') await say(replica, what);
            if (what.do === 'delete' || what.do === 'erase')
              await remove(replica.store, [sampleMemory(what.number).id]);
            if (what.do === 'save' || what.do === 'erase') await replica.persistence.save();
            if (what.do === 'erase' && (await tableOf(space)))
              expect(await idsIn(space)).not.toContain(sampleMemory(what.number).id);
            if (what.do === 'back up') states.set(space, await backUp(space));
            if (what.do === 'fail over') await states.get(space)?.restore();
            if (what.do === 'start') await close(replica);
            // One that stands still may go on at any time, with its jobs too.
            if (what.do === 'start' || what.do === 'stand still') replicas[place] = await open(space);
          }
          if (what.do === 'ask' || what.do === 'fail over') await expectAlike(worlds);
        }
        await expectAlike(worlds);
        for (const { replicas, space, open } of worlds) replicas.push(await open(space));
        await expectAlike(worlds);
        expect(lines.filter((line) => line.includes('lacks'))).toEqual([]);
        for (const { replicas } of worlds) for (const replica of replicas) await close(replica);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 300_000);

  /** The rows of a space at this moment, as a standby has them that gets no later ones. */
  const backUp = async (space: string) => {
    const schema = `state_${space.replaceAll('-', '_')}_${++backUps}`;
    const parts = ['space', 'change', 'checkpoint', 'vector_table'];
    const keyOf = (part: string) => (part === 'space' ? 'name' : 'space');
    const number = await databases.database().postgres.transaction(async (client) => {
      // Nothing changes meanwhile.
      await client.query('SELECT FROM memory.space WHERE name = $1 FOR UPDATE', [space]);
      await client.query(`CREATE SCHEMA ${schema}`);
      for (const part of parts) {
        const those = `SELECT * FROM memory.${part} WHERE ${keyOf(part)} = '${space}'`;
        await client.query(`CREATE TABLE ${schema}.${part} AS ${those}`);
      }
      const { rows } = await client.query<{ number: number }>(`SELECT number::int FROM ${schema}.vector_table`);
      const there = rows[0]?.number;
      if (!there) return null;
      await client.query(`CREATE TABLE ${schema}.v (LIKE memory.vector_${there} INCLUDING ALL)`);
      await client.query(`INSERT INTO ${schema}.v SELECT * FROM memory.vector_${there}`);
      return there;
    });
    return {
      restore: () =>
        behindIndexes(async (client) => {
          await client.query('SELECT FROM memory.space WHERE name = $1 FOR UPDATE', [space]);
          await dropTableOf(client, { space });
          for (const part of parts) {
            await client.query(`DELETE FROM memory.${part} WHERE ${keyOf(part)} = '${space}'`);
            await client.query(`INSERT INTO memory.${part} OVERRIDING SYSTEM VALUE SELECT * FROM ${schema}.${part}`);
          }
          if (!number) return;
          await client.query(`CREATE TABLE memory.vector_${number} (LIKE ${schema}.v INCLUDING ALL)`);
          await client.query(`INSERT INTO memory.vector_${number} SELECT * FROM ${schema}.v`);
        }),
    };
  };
  let backUps = 0;
  /** A transaction that drops tables: it is begun again where it and an index that is being built wait for each other. */
  const behindIndexes = async (work: (client: PoolClient) => Promise<void>) => {
    for (;;) {
      try {
        return await databases.database().postgres.transaction(work);
      } catch (error) {
        if (!isPassing((error as Error).cause)) throw error;
      }
    }
  };

  test('of an erased memory are not in the table when that is answered', async () => {
    const space = databases.newSpace();
    const [one, other] = [await inTable(space), await inTable(space)];
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await moved(space, one);
    await remove(other.store, [sampleMemory(1).id]);
    await other.persistence.save();
    expect(await idsIn(space)).toEqual([sampleMemory(2).id]);
  });

  test('of an erased memory are taken out by a replica that knows nothing of them, and of a table that nobody announced', async () => {
    const space = databases.newSpace();
    const one = await inTable(space);
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await moved(space, one);
    await close(one);
    await query('UPDATE memory.vector_table SET ready = false WHERE space = $1', [space]);
    const without = await opened(space, {}, null);
    await remove(without.store, [sampleMemory(1).id]);
    await without.persistence.save();
    expect(await idsIn(space)).toEqual([sampleMemory(2).id]);
  });

  test('cannot be put by a process that has not seen the last checkpoint', async () => {
    const space = databases.newSpace();
    const [one, other] = [await inTable(space), await inTable(space)];
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await moved(space, one);
    const { postgres } = databases.database();
    const position = (await query('SELECT head::int AS sequence, token FROM memory.space WHERE name = $1', [space]))[0];
    await remove(other.store, [sampleMemory(1).id]);
    const table = new VectorTable(postgres, { schema: 'public', number: await numberOf(space), dimension: DIMENSION });
    const row = { id: sampleMemory(1).id, digest: 'any', chunk: 0, vector: vectorsOf(1, 1)[0] as Float32Array };
    const put = () => table.put([row], { space, position: position as { sequence: number; token: string } });
    expect(await put()).toBe(true);
    expect(await table.put([row], { space, position: LOG_START })).toBe(false);
    await other.persistence.save();
    expect(await put()).toBe(false);
    expect(await idsIn(space)).toEqual([sampleMemory(2).id]);
  });

  test('keep nobody from writing while the index of a table that was given up is still being built', async () => {
    const space = databases.newSpace();
    const one = await opened(space);
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await query("INSERT INTO memory.vector_table (space, model) VALUES ($1, 'test')", [space]);
    const table = `memory.vector_${await numberOf(space)}`;
    await query(`CREATE TABLE ${table} (id text)`);
    await close(one);
    const { end, building } = await locked(table);
    const other = await inTable(space);
    await until(async () => (await waiting(table)) > 0);
    await until(async () => (await waiting(table)) === 0);
    await say(other, { number: 3, version: 1 });
    // It tries again by the clock from then on.
    await until(() => lines.some((line) => line.includes('stay in memory for now')));
    end();
    await building;
    clock.advance(TRY_AGAIN_MS);
    await moved(space, other);
  });

  test('are put by two replicas at once in one order, so that neither waits for what the other one holds', async () => {
    const space = databases.newSpace();
    const one = await inTable(space);
    await say(one, { number: 1, version: 1 });
    await moved(space, one);
    const { postgres } = databases.database();
    const number = await numberOf(space);
    const table = new VectorTable(postgres, { schema: 'public', number, dimension: DIMENSION });
    const position = (await query('SELECT head::int AS sequence, token FROM memory.space WHERE name = $1', [space]))[0];
    const rows = ['b', 'a'].map((id) => ({ id, digest: 'any', chunk: 0, vector: vectorsOf(1, 1)[0] as Float32Array }));
    let putting: Promise<boolean> | undefined;
    await postgres.transaction(async (client) => {
      const insert = (id: string) =>
        client.query(`INSERT INTO memory.vector_${number} VALUES ($1, 'any', 0, '[1,0,0,0]')`, [id]);
      await insert('a');
      putting = table.put(rows, { space, position: position as { sequence: number; token: string } });
      await until(async () => (await waiting(`memory.vector_${number}`, 'transactionid')) > 0);
      await insert('b');
    });
    expect(await putting).toBe(true);
  });

  test('that are gone from the table are made again, and are never those of another text', async () => {
    const space = databases.newSpace();
    const one = await inTable(space);
    for (const number of [1, 2]) await say(one, { number, version: 1 });
    await moved(space, one);
    await query(`DELETE FROM memory.vector_${await numberOf(space)} WHERE id = $1`, [sampleMemory(1).id]);
    expect(await one.store.vectorsOf(sampleMemory(1).id)).toEqual([]);
    await until(() => one.indexes.rows.waiting.size === 1);
    expect(lines).toEqual([expect.stringContaining('the table of the database lacks them')]);
    const [waiting] = await one.store.withoutVectors(5, { except: new Set() });
    expect(waiting?.id).toBe(sampleMemory(1).id);
    await say(one, { number: 1, version: 1 });
    await one.persistence.save();
    await letGo(one);
    expect((await one.store.vectorsOf(sampleMemory(1).id)).map((vector) => [...vector])).toEqual(
      vectorsOf(1, 1).map((vector) => [...vector]),
    );
  });

  test('are read by a replica whose log was cut before it read to the end', async () => {
    const space = databases.newSpace();
    const [one, other] = [await inTable(space), await inTable(space)];
    await say(one, { number: 1, version: 1 });
    await moved(space, one);
    expect(await other.store.size()).toBe(1);
    for (const number of [2, 3, 4]) await say(one, { number, version: 1 });
    await remove(one.store, [sampleMemory(1).id]);
    await one.persistence.save();
    expect(await stateOf(other)).toEqual(await stateOf(one));
  });

  test('are none for whoever read another text before it asked for them, as an export does', async () => {
    const space = databases.newSpace();
    const [one, other] = [await inTable(space), await inTable(space)];
    await say(one, { number: 1, version: 1 });
    await moved(space, one);
    const read = (await one.store.find(sampleMemory(1).id))?.memory as Memory;
    expect(await one.store.vectorsAsRead([read])).toEqual([vectorsOf(1, 1)]);
    await say(other, { number: 1, version: 2 });
    expect(await one.store.vectorsAsRead([read])).toEqual([[]]);
    expect(await one.store.vectorsOf(sampleMemory(1).id)).toEqual(vectorsOf(1, 2));
  });

  test('are asked for together where many are read, and leave the table in one statement', async () => {
    const space = databases.newSpace();
    const { postgres, ...lent } = databases.database();
    const asked: string[] = [];
    const counting = Object.create(postgres) as typeof postgres;
    counting.direct = postgres.direct.bind(postgres);
    counting.query = async (statement) => {
      asked.push(statement.text);
      return await postgres.query(statement);
    };
    counting.transaction = (work) =>
      postgres.transaction((client) => {
        const query = client.query.bind(client) as (...about: unknown[]) => unknown;
        const noted = Object.create(client, {
          query: {
            value: (...about: unknown[]) => {
              asked.push(String(about[0]));
              return query(...about);
            },
          },
        });
        return work(noted);
      });
    const one = await opened(space, {
      database: { ...lent, postgres: counting },
      vectorsAbove: 0,
      keepUpMs: KEEP_UP_MS,
    });
    const numbers = Array.from({ length: MANY }, (_, number) => number);
    await one.store.changeTogether({
      expected: [],
      changes: numbers.map((number) => ({
        op: 'add',
        memory: sampleMemory(number, { expiresAt: null }),
        vectors: vectorsOf(number, 1),
      })),
    });
    await moved(space, one);
    const memories = numbers.map((number) => sampleMemory(number, { expiresAt: null }));
    asked.length = 0;
    expect(await one.store.vectorsAsRead(memories)).toEqual(numbers.map((number) => vectorsOf(number, 1)));
    expect(asked.filter((text) => text.includes('vector_send(v)'))).toHaveLength(1);
    await remove(
      one.store,
      memories.map(({ id }) => id),
    );
    await one.persistence.save();
    expect(asked.filter((text) => text.startsWith('DELETE FROM memory.vector_'))).toHaveLength(1);
    expect(await idsIn(space)).toEqual([]);
  });

  test('leave no table behind once the space needs none any more', async () => {
    const space = databases.newSpace();
    const one = await inTable(space);
    await say(one, { number: 1, version: 1 });
    await moved(space, one);
    const table = `memory.vector_${await numberOf(space)}`;
    await close(one);
    const without = await opened(space, { keepUpMs: KEEP_UP_MS }, null);
    await without.persistence.save();
    await until(async () => (await tableOf(space)) === undefined);
    expect((await query('SELECT to_regclass($1) AS there', [table]))[0]).toEqual({ there: null });
    await close(without);
    const again = await inTable(space);
    await say(again, { number: 2, version: 1 });
    await moved(space, again);
    await close(again);
    // As when a process was killed that made one.
    await query('UPDATE memory.vector_table SET ready = false WHERE space = $1', [space]);
    await opened(space, { keepUpMs: KEEP_UP_MS }, 'another');
    await until(async () => (await tableOf(space)) === undefined);
  });

  test('are indexed no longer by the server once the process is gone that asked for it', async () => {
    const { postgres } = databases.database();
    const number = 9_999;
    const table = `memory.vector_${number}`;
    await query(`CREATE TABLE ${table} (v public.vector(${DIMENSION}))`);
    const line = await lineTo(databases.url());
    const far = await openPostgres({ url: parseStoreUrl(line.url), log: SILENT, applicationName: 'to be killed' });
    const { end, building: holding } = await locked(table);
    const made = new VectorTable(far, { schema: 'public', number, dimension: DIMENSION })
      .createIndex()
      .catch(() => 'cut');
    await until(async () => (await waiting(table)) === 1);
    line.cut();
    expect(await made).toBe('cut');
    await until(async () => (await waiting(table)) === 0);
    end();
    // It still held the lock until here.
    await holding;
    await far.close();
    await line.close();
    await postgres.query({ text: `DROP TABLE ${table}` });
  });

  test('are made again where they come from another model, in another table', async () => {
    const space = databases.newSpace();
    const one = await inTable(space);
    await say(one, { number: 1, version: 1 });
    await moved(space, one);
    const first = await numberOf(space);
    await close(one);
    const other = await inTable(space, 'another');
    expect(await other.store.vectorsOf(sampleMemory(1).id)).toEqual([]);
    await say(other, { number: 1, version: 2 });
    await other.persistence.save();
    clock.advance(TRY_AGAIN_MS);
    await until(async () => (await numberOf(space)) !== first);
    await moved(space, other);
    expect((await query('SELECT to_regclass($1) AS there', [`memory.vector_${first}`]))[0]).toEqual({ there: null });
    expect(await stateOf(await inTable(space, 'another'))).toEqual(await stateOf(other));
  });

  test.each([
    ['all in a copy, which has no need of the table', say],
    ['all still to be made in a copy of a space of which no vector is there', sayWithoutVectors],
  ])('are %s', async (_, saying) => {
    const space = databases.newSpace();
    const one = await inTable(space);
    for (const number of [1, 2, 3]) await saying(one, { number, version: 1 });
    await moved(space, one);
    await saying(one, { number: 4, version: 1 });
    const log = createLog({ name: 'test', level: 'silent' });
    const clock = new ManualClock(NOW);
    const machine = { clock, log, process: PROCESS, pause: async () => {} };
    const source = copyFromDatabase(databases.database(), machine);
    const folder = await mkdtemp(join(tmpdir(), 'copy-of-large-'));
    try {
      await copySpace(space, { source, target: copyToDirectory(folder, machine) });
      const copy = await openStore({
        dataDir: await folderOfSpace(folder, space),
        model: { id: MODEL, dimension: DIMENSION },
        maxMemories: 1_000,
        repair: false,
        clock,
        log,
        process: PROCESS,
        faissPool,
      });
      expect(await stateOf(copy)).toEqual(await stateOf(one));
      await copy.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the version of an extension', () => {
  test.each([
    ['0.8.4', true],
    ['0.8.10', true],
    ['0.9', true],
    ['1.0.0', true],
    ['0.8.3', false],
    ['0.8', false],
    ['0.7.9', false],
  ])('%s is new enough: %s', (version, expected) => {
    expect(isAtLeast(version, [0, 8, 4])).toBe(expected);
  });
});

/** A line to a database that can be cut, as by the end of the process at its near end. */
async function lineTo(url: string) {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const near = new URL(url);
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Of one or two chunks, and different in each version. */
function vectorsOf(number: number, version: number): Float32Array[] {
  return Array.from({ length: 1 + ((number + version) % 2) }, (_, chunk) => {
    const angle = number + version / 10 + chunk / 100;
    return Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0]);
  });
}

/** Stores it, or gives it other words with other vectors. */
async function say({ store }: OpenStore, { number, version }: { number: number; version: number }): Promise<void> {
  const vectors = vectorsOf(number, version);
  const content = `Kestrel ${number} in version ${version}`;
  const memory = sampleMemory(number, { gist: content, content, expiresAt: null });
  const found = await store.find(memory.id);
  if (!found) return await add(store, memory, { vectors });
  const updatedAt = found.memory.updatedAt + 1;
  await store.changeTogether({ expected: [], changes: [{ op: 'update', memory: { ...memory, updatedAt }, vectors }] });
}

async function sayWithoutVectors({ store }: OpenStore, { number }: { number: number }): Promise<void> {
  await add(store, sampleMemory(number, { expiresAt: null }));
}

/** All memories with their vectors, and what a question finds. */
async function stateOf({ store }: OpenStore) {
  const memories = [];
  for await (const batch of store.scanAll()) memories.push(...batch.map(({ memory }) => memory));
  memories.sort((a, b) => (a.id < b.id ? -1 : 1));
  const vectors = await Promise.all(memories.map(async ({ id }) => (await store.vectorsOf(id)).map((one) => [...one])));
  const viewer = anyProject('agent-0');
  const { speakers } = await store.knownTo(viewer, null);
  const question = readQuestion('Which Kestrel in version 2', { speakers, now: NOW });
  const vector = vectorsOf(3, 2)[0] as Float32Array;
  const request = { vector, namedKeys: [], filter: { viewer }, limit: 3, exceptId: null };
  const { likeness, ...of } = await store.retrieve(question, request);
  const candidates = of.candidates.toSorted((a, b) => (a.stored.memory.id < b.stored.memory.id ? -1 : 1));
  // Where a process holds it is its own affair.
  const found = candidates.map(({ stored, evidence }) => [stored.memory.id, { ...evidence, row: 0, ordinal: 0 }]);
  const alike = candidates.map((a) => candidates.map((b) => likeness(a, b)));
  return { memories, vectors, found, alike, bestTurn: of.bestTurn, hasVectors: of.hasVectors };
}

async function expectAlike(worlds: readonly { readonly replicas: readonly OpenStore[] }[]): Promise<void> {
  const [expected] = await Promise.all((worlds[0]?.replicas ?? []).map(stateOf));
  for (const { replicas } of worlds) for (const replica of replicas) expect(await stateOf(replica)).toEqual(expected);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await nextTurn();
}
