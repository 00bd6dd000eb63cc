import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog, type Logger, ManualClock, UnavailableError } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Semaphore } from '../../../src/domain/concurrency/semaphore.ts';
import type { Report } from '../../../src/domain/consolidation/report.ts';
import { type Contradiction, contradictionId } from '../../../src/domain/contradictions/contradiction.ts';
import { versionOf } from '../../../src/domain/memory/decision.ts';
import type { PastVersion } from '../../../src/domain/memory/history.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { type OpenStore, openStore } from '../../../src/persistence/open-store.ts';
import { Lease } from '../../../src/persistence/postgres/duty/lease.ts';
import { NO_METERS } from '../../../src/persistence/postgres/memory-database.ts';
import type { SharedSpace } from '../../../src/persistence/postgres/open-shared-space.ts';
import { HEADER_BYTES, writeFlatIndex } from '../../../src/search/vectors/faiss/faiss-file.ts';
import { FiledRows } from '../../../src/search/vectors/filed-rows.ts';
import { sampleMemory } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { add, remove, replace } from '../../store/change-store.ts';
import { sharedDatabases } from './shared-databases.ts';

const NOW = Date.parse('2026-11-22T09:30:00Z');
const MODEL = { id: 'test', dimension: 4 };
/** Samples of lower numbers are asked for. */
const NUMBERS = 10;

(hasPostgres() ? describe : describe.skip)('a space of a database', () => {
  const databases = sharedDatabases();
  const { path: folder, removeScratch } = scratchFolder();
  afterAll(removeScratch);
  const clock = new ManualClock(NOW);
  const silent = createLog({ name: 'test', level: 'silent' });
  const open = (
    space: string,
    {
      log = silent,
      model = MODEL,
      ...shared
    }: Partial<SharedSpace> & { log?: Logger; model?: typeof MODEL | null } = {},
  ) =>
    openStore({
      dataDir: null,
      shared: { database: databases.database(), space, ...shared },
      model,
      maxMemories: 1_000,
      repair: false,
      clock,
      log,
      process: { pid: 1, hostname: 'test' },
    });
  const opened = async (space: string, work: (one: OpenStore, other: OpenStore) => Promise<void>) => {
    const both = [await open(space), await open(space)] as const;
    try {
      await work(...both);
    } finally {
      for (const one of both) await one.close();
    }
  };
  /** A database of which a test may exchange parts in `changed`. */
  const changedDatabase = () => {
    const { postgres, ...lent } = databases.database();
    const changed = Object.create(postgres) as typeof postgres;
    changed.query = postgres.query.bind(postgres);
    changed.transaction = postgres.transaction.bind(postgres);
    return { postgres, changed, database: { ...lent, postgres: changed } };
  };
  const vector = (number: number) => Float32Array.from([Math.cos(number), Math.sin(number), 0, 0]);
  const id = (number: number) => sampleMemory(number).id;
  const edited = (number: number, gist: string) => {
    const memory = sampleMemory(number);
    return {
      expected: [versionOf(memory)],
      changes: [
        { op: 'update' as const, memory: { ...memory, gist, gistEdited: true, updatedAt: memory.updatedAt + 1 } },
      ],
      act: { operation: 'edit' as const, agentId: 'ann', at: NOW, reason: null, run: null },
    };
  };
  const between = (a: Memory, b: Memory): Contradiction => ({
    id: contradictionId(a.id, b.id),
    a: a.id,
    b: b.id,
    score: 0.8,
    reason: 'number',
    topic: 'release',
    clash: { a: ['5'], b: ['6'] },
    by: 'rules',
    foundAt: NOW,
    decision: null,
    opinion: null,
  });
  /** All that is kept of memories, but for the rows of their vectors. */
  const contents = async ({ store, history }: OpenStore) => {
    const all = [];
    for await (const batch of store.scanAll()) all.push(...batch);
    const versions: PastVersion[] = [];
    for await (const batch of history?.scan() ?? []) versions.push(...batch);
    const ids = all.map(({ memory }) => memory.id).sort();
    const vectors = await Promise.all(ids.map((one) => store.vectorsOf(one)));
    all.sort((a, b) => (a.memory.id < b.memory.id ? -1 : 1));
    const contradictions = [];
    for await (const batch of store.contradictions()) contradictions.push(...batch);
    contradictions.sort((a, b) => (a.id < b.id ? -1 : 1));
    const waiting = (await store.waitingMemories(10)).map((memory) => memory.id).sort();
    const deleted = await Promise.all(
      Array.from({ length: NUMBERS }, async (_, number) => ((await store.wasDeleted(id(number))) ? [number] : [])),
    );
    return { all, versions, vectors, contradictions, waiting, deleted: deleted.flat() };
  };
  const rowsWith = async (space: string, words: string) => {
    const text = `SELECT (SELECT count(*) FROM memory.change WHERE space = $1 AND body LIKE $2)::int AS lines,
      (SELECT count(*) FROM memory.checkpoint WHERE space = $1 AND position($3::bytea IN body) > 0)::int AS parts`;
    const values = [space, `%${words}%`, Buffer.from(words)];
    return (await databases.database().postgres.query<{ lines: number; parts: number }>({ text, values })).rows[0];
  };

  test('is after a checkpoint what it was, and its log starts there', async () => {
    const space = databases.newSpace();
    await opened(space, async ({ store, persistence }, other) => {
      for (const number of [1, 2, 3, 4]) await add(store, sampleMemory(number), { vectors: [vector(number)] });
      await store.changeTogether(edited(2, 'Other words.'));
      await remove(store, [id(3)]);
      await store.strengthen([{ id: id(1), strength: { lastRecalledAt: NOW, recallCount: 3, stabilityDays: 50 } }]);
      expect(persistence.isUnsaved()).toBe(true);
      await persistence.save();
      expect([persistence.isUnsaved(), persistence.state().lastSavedAt]).toEqual([false, NOW]);
      const before = await contents(other);
      expect(before.all.map(({ memory }) => memory.id)).toEqual([1, 2, 4].map(id));
      expect(before.versions.map(({ before: was }) => was?.memory.gist)).toEqual([sampleMemory(2).gist]);
      const { rows } = await databases.database().postgres.query({
        text: 'SELECT count(*)::int AS lines FROM memory.change WHERE space = $1',
        values: [space],
      });
      expect(rows).toEqual([{ lines: 0 }]);
      const later = await open(space);
      expect(await contents(later)).toEqual(before);
      await add(later.store, sampleMemory(5), { vectors: [vector(5)] });
      expect(await contents(store === other.store ? later : other)).toEqual(await contents(later));
      await later.persistence.save();
      await later.close();
      await opened(space, async (again) => expect(await contents(again)).toEqual(await contents(other)));
    });
  });

  /** What the driver is given to copy a part. */
  type Copying = { readonly text?: string; readonly callback: (error: Error) => void };
  /** The database, where each part of the vectors comes after some work. */
  const withVectorsAfter = (work: () => Promise<void>): Pick<SharedSpace, 'database' | 'lateFromRows'> => {
    const database = databases.database();
    const postgres = Object.create(database.postgres) as typeof database.postgres;
    postgres.transaction = (use) =>
      database.postgres.transaction(async (client) => {
        const delayed = Object.create(client) as typeof client;
        delayed.query = ((statement: Copying, ...others: never[]) => {
          if (!statement.text?.includes("'faiss.index'")) return client.query(statement as never, ...others);
          work().then(() => client.query(statement as never), statement.callback);
          return statement;
        }) as never;
        return await use(delayed);
      });
    postgres.query = database.postgres.query.bind(database.postgres);
    return { database: { ...database, postgres }, lateFromRows: 1 };
  };
  const withVectors = async (space: string) => {
    const { store, persistence, close } = await open(space);
    for (const number of [1, 2, 3]) await add(store, sampleMemory(number), { vectors: [vector(number)] });
    await persistence.save();
    await close();
  };
  const hasVectors = async ({ store }: OpenStore) => {
    const question = {
      text: 'words',
      terms: ['words'],
      names: [],
      denseText: 'words',
      speaker: null,
      saidBy: null,
      asksWhen: false,
      asksPresent: false,
      namesThing: false,
      asksStill: false,
      asksPast: false,
      asksSeveral: false,
      asksList: false,
      telling: [],
      hasMeaning: true,
      wordsTell: false,
      asked: 'other' as const,
      ofKind: null,
      owesValue: false,
      asksState: false,
      asksWordsOf: false,
      period: null,
      asksAhead: false,
      days: [],
      circumstance: null,
    };
    const filter = { viewer: { agentId: 'ann', project: null } };
    const about = { vector: vector(1), namedKeys: [], filter, limit: 5, exceptId: null };
    return (await store.retrieve(question, about)).hasVectors;
  };

  test('answers by words while its vectors are on their way, takes changes, and has all of them afterwards', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const later = await open(
      space,
      withVectorsAfter(() => sent),
    );
    expect([await later.store.size(), await hasVectors(later)]).toEqual([3, false]);
    // One is PRIVATE to agent-2.
    const waitingFor = (agentId: string) => later.store.withoutVectorsCount({ agentId, project: null });
    expect([await waitingFor('ann'), await waitingFor('agent-2')]).toEqual([2, 3]);
    await add(later.store, sampleMemory(4), { vectors: [vector(4)] });
    await remove(later.store, [id(2)]);
    const saved = later.persistence.save();
    send();
    expect((await contents(later)).vectors).toEqual([1, 3, 4].map((number) => [vector(number)]));
    expect([await hasVectors(later), await waitingFor('agent-2')]).toEqual([true, 0]);
    await saved;
    await opened(space, async (one) => expect(await contents(one)).toEqual(await contents(later)));
    await later.close();
  });

  test('saves nothing where it is closed before its vectors were there', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const early = await open(
      space,
      withVectorsAfter(() => sent),
    );
    await add(early.store, sampleMemory(4), { vectors: [vector(4)] });
    const saved = expect(early.persistence.save()).rejects.toThrow('closed before its vectors were there');
    const closed = early.close();
    await saved;
    send();
    await closed;
    await opened(space, async (one) => {
      expect((await contents(one)).vectors).toEqual([1, 2, 3, 4].map((number) => [vector(number)]));
    });
  });

  const connectionCut = () => Object.assign(new Error('the connection is cut'), { code: 'ECONNRESET' });

  test('is closed at once though it is being read anew and waits for its vectors', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const { database, ...shared } = withVectorsAfter(() => sent);
    let begin = () => {};
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const late = await open(space, { ...shared, database: { ...database, meters: { ...NO_METERS, readAnew: begin } } });
    // As if the database had been set back.
    const { postgres, newToken } = databases.database();
    const text = 'UPDATE memory.space SET token = $2 WHERE name = $1';
    await postgres.query({ text, values: [space, newToken()] });
    const asked = expect(late.store.size()).rejects.toThrow('closed before its vectors were there');
    await began;
    const closed = late.close();
    await asked;
    send();
    await closed;
  });

  test('is read anew in a slot of the loads', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    const happened: string[] = [];
    const { postgres, newToken, ...lent } = databases.database();
    const noting = Object.create(postgres) as typeof postgres;
    noting.query = postgres.query.bind(postgres);
    noting.transaction = async (use) => {
      happened.push('read');
      return await postgres.transaction(use);
    };
    let begin = () => {};
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const loads = new Semaphore(1);
    const meters = { ...NO_METERS, readAnew: begin };
    const late = await open(space, { database: { ...lent, newToken, postgres: noting, loads, meters } });
    let leave = () => {};
    let held = Promise.resolve();
    // Vectors may have the slot still.
    await new Promise<void>((resolve) => {
      held = loads.run(async () => {
        const left = new Promise<void>((done) => {
          leave = done;
        });
        resolve();
        await left;
      });
    });
    const text = 'UPDATE memory.space SET token = $2 WHERE name = $1';
    await postgres.query({ text, values: [space, newToken()] });
    happened.length = 0;
    const asked = late.store.size();
    await began;
    await postgres.query({ text: 'SELECT 1' });
    happened.push('left');
    leave();
    await Promise.all([held, asked]);
    expect(happened).toEqual(['left', 'read']);
    await late.close();
  });

  test('loads nothing any more, and leaves its jobs to others, where it could not be opened', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    let reads = 0;
    let fail = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const shared = withVectorsAfter(async () => {
      reads++;
      await failed;
      await nextTurn();
      throw connectionCut();
    });
    const { postgres } = shared.database;
    const { query } = postgres;
    postgres.query = async (statement) => {
      if (statement.name !== 'memory-head') return await query(statement);
      fail();
      throw new Error('no head');
    };
    await expect(open(space, shared)).rejects.toThrow('no head');
    expect(reads).toBe(1);
    const { newToken } = shared.database;
    expect(await new Lease({ postgres: databases.database().postgres, space, holder: newToken() }).isHeld()).toBe(true);
  });

  /** Does the work when the first vectors are read, and then cuts the connection. */
  const cutAfter = (work: () => Promise<void>) => {
    let isCut = false;
    return withVectorsAfter(async () => {
      if (isCut) return;
      isCut = true;
      await work();
      throw connectionCut();
    });
  };

  test('reads its vectors again where the connection broke, and has them made anew where they are damaged', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    const cut = await open(
      space,
      cutAfter(async () => {}),
    );
    expect((await contents(cut)).vectors).toEqual([1, 2, 3].map((number) => [vector(number)]));
    await cut.close();
    await databases.database().postgres.query({
      text: "UPDATE memory.checkpoint SET body = set_byte(body, 50, 77) WHERE space = $1 AND file = 'faiss.index'",
      values: [space],
    });
    const damaged = await open(space, { lateFromRows: 1 });
    const waiting = await damaged.store.withoutVectors(9, { except: new Set() });
    expect(waiting.map((memory) => memory.id).sort()).toEqual([1, 2, 3].map(id));
    expect(await damaged.store.vectorsOf(id(1))).toEqual([]);
    await damaged.close();
  });

  test('is not opened with memories that are not as they were written', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    await databases.database().postgres.query({
      text: "UPDATE memory.checkpoint SET body = set_byte(body, length(body) - 40, 77) WHERE space = $1 AND file = 'memories.packed'",
      values: [space],
    });
    await expect(open(space)).rejects.toThrow('memories.packed in the database is damaged');
  });

  const ofMemories = "WHERE space = $1 AND file = 'memories.packed'";
  /** The checkpoint of a space as earlier versions wrote it: with all files of a save, and without the sums of their parts. */
  const ofEarlierVersion = async (space: string) => {
    const { postgres } = databases.database();
    const path = join(folder, space);
    const earlier = await openStore({
      ...{ dataDir: path, model: MODEL, maxMemories: 1_000, repair: false, clock, log: silent },
      process: { pid: 1, hostname: 'test' },
    });
    await withVectors(space);
    for (const number of [1, 2, 3]) await add(earlier.store, sampleMemory(number), { vectors: [vector(number)] });
    await earlier.persistence.save();
    await earlier.close();
    const rows = await postgres.query<{ id: string }>({
      text: 'DELETE FROM memory.checkpoint WHERE space = $1 RETURNING id',
      values: [space],
    });
    for (const file of ['memories.json', 'entities.json', 'memories.packed', 'faiss.index']) {
      const text = 'INSERT INTO memory.checkpoint (space, id, file, part, body) VALUES ($1, $2, $3, 0, $4)';
      await postgres.query({ text, values: [space, rows.rows[0]?.id, file, readFileSync(join(path, file))] });
    }
  };

  test.each([
    ['as it was written', 'SELECT $1'],
    [
      'without a sum of its own',
      `DELETE FROM memory.checkpoint WHERE space = $1 AND file IN ('memories.json', 'entities.json')`,
    ],
    ['damaged', `UPDATE memory.checkpoint SET body = set_byte(body, length(body) - 40, 77) ${ofMemories}`],
    [
      'damaged, though it has its sum',
      `UPDATE memory.checkpoint SET sha256 = sha256(body), body = set_byte(body, length(body) - 40, 77) ${ofMemories}`,
    ],
  ])('is opened from a checkpoint of an earlier version whose memories.packed is %s', async (_, statement) => {
    const space = databases.newSpace();
    await ofEarlierVersion(space);
    await databases.database().postgres.query({ text: statement, values: [space] });
    const one = await open(space);
    const { all, vectors } = await contents(one);
    expect(all.map(({ memory }) => memory)).toEqual([1, 2, 3].map((number) => sampleMemory(number)));
    expect(vectors).toEqual([1, 2, 3].map((number) => [vector(number)]));
    await one.close();
  });

  test.each([
    [
      'of another version',
      `UPDATE memory.checkpoint SET body = set_byte(body, 7, 50), sha256 = sha256(set_byte(body, 7, 50)) ${ofMemories}`,
      'memories.packed in the database was written by another version',
    ],
    ['gone', `DELETE FROM memory.checkpoint ${ofMemories}`, 'memories.packed in the database is missing'],
    [
      'gone with all else',
      'DELETE FROM memory.checkpoint WHERE space = $1',
      'memories.packed in the database is missing',
    ],
    [
      'there without their first part',
      `UPDATE memory.checkpoint SET part = 1 ${ofMemories}`,
      'A part of memories.packed in the database is missing',
    ],
  ])('is not opened empty where its memories are %s', async (_, statement, why) => {
    const space = databases.newSpace();
    const written = await open(space, { model: null });
    await add(written.store, sampleMemory(1));
    await written.persistence.save();
    await written.close();
    await databases.database().postgres.query({ text: statement, values: [space] });
    const opening = open(space, { model: null }).then(async (one) => {
      const { all } = await contents(one);
      await one.close();
      return all;
    });
    await expect(opening).rejects.toThrow(why);
  });

  test('keeps its vectors though the statements that read them are cancelled again and again', async () => {
    const space = databases.newSpace();
    await withVectors(space);
    let left = 2;
    const cancelled = await open(
      space,
      withVectorsAfter(async () => {
        if (left-- > 0) throw Object.assign(new Error('canceling statement due to user request'), { code: '57014' });
      }),
    );
    expect((await contents(cancelled)).vectors).toEqual([1, 2, 3].map((number) => [vector(number)]));
    await cancelled.close();
  });

  test.each([
    ['the log was read before', true],
    ['the log was cut before it was read', false],
  ])('has the vectors of a checkpoint that came between where the connection broke; %s', async (_, isRead) => {
    const space = databases.newSpace();
    await withVectors(space);
    const late: Promise<OpenStore> = open(
      space,
      cutAfter(async () => {
        const replica = isRead ? await late : null;
        await opened(space, async ({ store, persistence }) => {
          // The rows of the others are other ones from now on.
          await remove(store, [id(1)]);
          await add(store, sampleMemory(4), { vectors: [vector(4)] });
          await add(store, sampleMemory(5));
          await replica?.store.size();
          await persistence.save();
        });
      }),
    );
    const { store, close } = await late;
    await store.vectorsOf(id(2));
    const waiting = await store.withoutVectors(9, { except: new Set() });
    expect(waiting.map((memory) => memory.id)).toEqual([id(5)]);
    expect((await contents(await late)).vectors).toEqual([[vector(2)], [vector(3)], [vector(4)], []]);
    await close();
  });

  test('is read anew where the log was cut before it was read to the end', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      for (const number of [1, 2]) await add(one.store, sampleMemory(number), { vectors: [vector(number)] });
      expect(await other.store.size()).toBe(2);
      await remove(one.store, [id(1)]);
      await one.store.changeTogether(edited(2, 'Other words.'));
      await add(one.store, sampleMemory(3), { vectors: [vector(3)] });
      // As if the other had stood still meanwhile.
      const { postgres } = databases.database();
      await one.persistence.save();
      await postgres.query({ text: 'SELECT 1' });
      await add(one.store, sampleMemory(4), { vectors: [vector(4)] });
      expect(await contents(other)).toEqual(await contents(one));
      await add(other.store, sampleMemory(5), { vectors: [vector(5)] });
      expect(await contents(one)).toEqual(await contents(other));
    });
  });

  test('is read anew with all that is superseded, though what supersedes it was changed', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      const superseded = (number: number) =>
        sampleMemory(number, { supersededBy: id(number + 1), scope: 'TEAM', project: null });
      for (const number of [1, 2, 3]) await add(one.store, superseded(number));
      await add(one.store, sampleMemory(4, { scope: 'TEAM', project: null }));
      for (const number of [3, 2, 1]) await replace(one.store, superseded(number));
      expect(await contents(other)).toEqual(await contents(one));
      for (const number of [2, 3]) await replace(one.store, { ...superseded(number), importance: 0.9 });
      await one.persistence.save();
      const told = await contents(one);
      expect(told.all.map(({ memory }) => memory.supersededBy)).toEqual([id(2), id(3), id(4), null]);
      expect(await contents(other)).toEqual(told);
    });
  });

  test('is read anew with what contradicts what, and what was decided about it', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      for (const { store } of [one, other]) await store.compareBy('rules');
      const plain = { scope: 'TEAM', project: null, kind: 'episodic', sources: [], supersededBy: null } as const;
      const [loser, winner, third, fourth] = [1, 2, 3, 4].map((number) => sampleMemory(number, plain)) as [
        Memory,
        Memory,
        Memory,
        Memory,
      ];
      for (const memory of [loser, winner, third, fourth]) await add(one.store, memory, { vectors: [vector(1)] });
      const decided = between(loser, winner);
      const found = [decided, between(loser, third), between(third, fourth)];
      const memories = [loser, winner, third];
      await one.store.noteCompared({ by: 'rules', memories, read: [...memories, fourth], found });
      const lost = { ...loser, supersededBy: winner.id, updatedAt: loser.updatedAt + 1 };
      const decision = { winner: winner.id, agentId: 'ann', at: NOW, note: null };
      await one.store.decide({ ...decided, decision }, { read: [loser, winner], changed: [lost] });
      const before = await contents(one);
      expect([before.contradictions.length, before.waiting]).toEqual([3, [fourth.id]]);
      expect(await contents(other)).toEqual(before);
      // A memory that supersedes another is changed, and one that contradicts others says something else.
      await replace(one.store, { ...winner, importance: 0.9, updatedAt: winner.updatedAt + 1 });
      await replace(one.store, { ...fourth, gist: 'Other words.', gistEdited: true, updatedAt: fourth.updatedAt + 1 });
      await one.persistence.save();
      const told = await contents(one);
      expect(told.contradictions.map((each) => each.decision)).toHaveLength(2);
      expect(told.contradictions).toContainEqual({ ...decided, decision });
      expect(await contents(other)).toEqual(told);
    });
  });

  test('is read anew with what counts as deleted, and nothing else', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      await add(one.store, sampleMemory(1));
      await add(one.store, sampleMemory(2));
      // It goes with its source, and nobody has deleted it.
      await add(one.store, sampleMemory(7, { sources: [id(2)] }));
      expect(await other.store.size()).toBe(3);
      await remove(one.store, [id(2)]);
      await one.persistence.save();
      const told = await contents(one);
      expect(told.deleted).toEqual([2]);
      expect(await contents(other)).toEqual(told);
    });
  });

  test('knows after a checkpoint whose a key is and what was said, though another memory with both has expired', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      const said = { agentId: 'ann', project: null, kind: 'episodic', sources: [], idempotencyKey: 'key' } as const;
      const expired = sampleMemory(1, { ...said, expiresAt: clock.now() + 1 });
      const later = sampleMemory(2, said);
      await add(one.store, expired);
      expect(await other.store.size()).toBe(1);
      clock.advance(1);
      expect(await one.store.size()).toBe(0);
      await add(one.store, later);
      await one.persistence.save();
      const late = await open(space);
      for (const { store } of [one, other, late]) {
        expect((await store.findByIdempotencyKey(later))?.memory.id).toBe(later.id);
        expect([await store.size(), await store.wasDeleted(expired.id)]).toEqual([1, true]);
      }
      await add(one.store, sampleMemory(3));
      await one.persistence.save();
      expect((await other.store.findByIdempotencyKey(later))?.memory.id).toBe(later.id);
      expect(await contents(other)).toEqual(await contents(one));
      await late.close();
    });
  });

  test('holds no word of what was deleted once it is saved', async () => {
    const space = databases.newSpace();
    await opened(space, async ({ store, persistence, history }, other) => {
      await add(store, sampleMemory(1, { content: 'Nightshade grows here.', gist: 'Nightshade.' }), {
        vectors: [vector(1)],
      });
      await add(store, sampleMemory(2), { vectors: [vector(2)] });
      await persistence.save();
      expect((await rowsWith(space, 'Nightshade'))?.parts).toBeGreaterThan(0);
      const act = { operation: 'delete' as const, agentId: 'ann', at: NOW, reason: null, run: null };
      await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids: [id(1)] }], act });
      expect(await other.history?.versionsOf(id(1))).toHaveLength(1);
      await history?.erase([id(1)]);
      expect(await other.history?.versionsOf(id(1))).toEqual([]);
      await other.persistence.save();
      expect(await rowsWith(space, 'Nightshade')).toEqual({ lines: 0, parts: 0 });
    });
  });

  test('holds no word of what was deleted for good once it is closed, and those of a version until then', async () => {
    const space = databases.newSpace();
    const words = { content: 'Nightshade grows here.', gist: 'Nightshade.' };
    const deletion = (number: number, operation: 'delete' | 'erase') => ({
      expected: [],
      changes: [{ op: 'delete' as const, ids: [id(number)] }],
      act: { operation, agentId: 'ann', at: NOW, reason: null, run: null },
    });
    await opened(space, async ({ store, persistence }) => {
      for (const number of [1, 2]) await add(store, sampleMemory(number, words));
      await persistence.save();
      await store.changeTogether(deletion(1, 'delete'));
    });
    expect((await rowsWith(space, 'Nightshade'))?.parts).toBeGreaterThan(0);
    await opened(space, async (one, other) => {
      expect(await other.history?.versionsOf(id(1))).toHaveLength(1);
      await other.store.changeTogether(deletion(2, 'erase'));
      await other.history?.erase([id(1)]);
      await one.store.size();
    });
    expect(await rowsWith(space, 'Nightshade')).toEqual({ lines: 0, parts: 0 });
  });

  test('says once why a checkpoint fails that nobody waits for', async () => {
    const space = databases.newSpace();
    const lines: string[] = [];
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const log = createLog({
      name: 'test',
      level: 'warn',
      destination: {
        write: (line) => {
          lines.push(line);
          tell();
        },
      },
    });
    const { changed: full, database } = changedDatabase();
    const { store, close, history } = await open(space, { log, database });
    full.transaction = async () => {
      throw new Error('no room for a checkpoint');
    };
    await add(store, sampleMemory(1));
    await remove(store, [id(1)]);
    await history?.erase([id(1)]);
    clock.advance(10_000);
    await told;
    const said = lines.map((line) => JSON.parse(line));
    expect(said.map(({ job, err }) => [job, err.message])).toEqual([['save', 'no room for a checkpoint']]);
    await close();
  });

  test('says once why it cannot read what others have written, and tries it less and less often', async () => {
    const [space, good] = [databases.newSpace(), databases.newSpace()];
    const lines: string[] = [];
    const log = createLog({ name: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const { postgres, ...lent } = databases.database();
    const counted = () => {
      const asked = { count: 0, held: Promise.resolve() };
      const counting = Object.create(postgres) as typeof postgres;
      counting.transaction = postgres.transaction.bind(postgres);
      counting.query = async (statement) => {
        asked.count++;
        await asked.held;
        return await postgres.query(statement);
      };
      return { asked, database: { ...lent, postgres: counting } };
    };
    const other = await open(space);
    await add(other.store, sampleMemory(1));
    const [near, beside] = [counted(), counted()];
    const one = await open(space, { log, database: near.database, keepUpMs: 5 });
    // It must not read the change before that is spoilt.
    let release = () => {};
    near.asked.held = new Promise((resolve) => {
      release = resolve;
    });
    await add(other.store, sampleMemory(2));
    const text = "UPDATE memory.change SET body = '{' WHERE space = $1 AND seq = 2";
    await postgres.query({ text, values: [space] });
    release();
    while (lines.length === 0) await nextTurn();
    const idle = await open(good, { database: beside.database, keepUpMs: 5 });
    near.asked.count = 0;
    beside.asked.count = 0;
    while (beside.asked.count < 20) await nextTurn();
    expect(near.asked.count).toBe(0);
    clock.advance(1_000);
    while (near.asked.count === 0) await nextTurn();
    for (const each of [idle, one, other]) await each.close();
    // It has failed again by now.
    const said = lines.map((line) => JSON.parse(line));
    expect(said.map(({ job, err }) => [job, err.type])).toEqual([['keep up', 'SyntaxError']]);
  });

  test('goes on looking what others write, and keeps its jobs, while a save that nobody waits for lasts', async () => {
    const space = databases.newSpace();
    const { postgres, changed: slow, database } = changedDatabase();
    const one = await open(space, { database, keepUpMs: 10 });
    const other = await open(space);
    let [begin, end] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    slow.transaction = async (work) => {
      begin();
      await ended;
      return await postgres.transaction(work);
    };
    await add(one.store, sampleMemory(1));
    await remove(one.store, [id(1)]);
    clock.advance(10_000);
    await begun;
    await add(other.store, sampleMemory(2));
    while (one.indexes.records.size === 0) await nextTurn();
    end();
    await one.close();
    await other.close();
    expect(one.persistence.state().lastSavedAt).toBe(clock.now());
  });

  test('keeps the vectors in a file until a save that nobody waits for has ended', async () => {
    const space = databases.newSpace();
    const { postgres, changed: slow, database } = changedDatabase();
    const one = await open(space, { database, keepUpMs: 10 });
    await add(one.store, sampleMemory(1), { vectors: [vector(1), vector(2)] });
    const { matrix } = one.indexes.vectors as NonNullable<typeof one.indexes.vectors>;
    const path = join(folder, 'rows');
    await writeFlatIndex(path, { matrix, rows: [0, 1] });
    matrix.keepInFile(await FiledRows.open(path, { offset: HEADER_BYTES, dimension: 4, count: 2 }));
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      slow.transaction = async (work) => {
        slow.transaction = postgres.transaction.bind(postgres);
        resolve();
        await ended;
        return await postgres.transaction(work);
      };
    });
    // So many that a checkpoint is due.
    await Promise.all(Array.from({ length: 2_000 }, (_, at) => add(one.store, sampleMemory(at + 2))));
    await begun;
    const closed = one.close();
    for (let turn = 0; turn < 1_000; turn++) await nextTurn();
    expect([...matrix.row(0, 2)]).toEqual([...vector(1), ...vector(2)]);
    end();
    await closed;
    expect(() => matrix.row(0, 2)).toThrow(UnavailableError);
  });

  test('keeps the later of two checkpoints', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      for (let number = 1; number <= 6; number++) {
        await add(one.store, sampleMemory(number), { vectors: [vector(number)] });
        await Promise.all([
          one.persistence.save(),
          other.persistence.save(),
          add(other.store, sampleMemory(number + 100)),
        ]);
      }
      const later = await open(space);
      expect(await contents(later)).toEqual(await contents(one));
      expect(await later.store.size()).toBe(12);
      await later.close();
      const { rows } = await databases.database().postgres.query({
        text: 'SELECT count(DISTINCT id)::int AS checkpoints FROM memory.checkpoint WHERE space = $1',
        values: [space],
      });
      expect(rows).toEqual([{ checkpoints: 1 }]);
    });
  });

  test('lets one process do the jobs, and another one when it is gone', async () => {
    const { postgres, newToken } = databases.database();
    const space = databases.newSpace();
    const lease = () => new Lease({ postgres, space, holder: newToken() });
    const [one, other] = [lease(), lease()];
    expect([await one.isHeld(), await other.isHeld()]).toEqual([true, false]);
    await one.release();
    // Whoever has given it back leaves it to others.
    expect(await one.isHeld()).toBe(false);
    const third = lease();
    expect([await third.isHeld(), await one.isHeld()]).toEqual([true, false]);
    const runOut = "UPDATE memory.lease SET until = now() - interval '1 second' WHERE space = $1";
    await postgres.query({ text: runOut, values: [space] });
    expect(await lease().isHeld()).toBe(true);
    const { rows } = await postgres.query<{ seconds: number }>({
      text: 'SELECT extract(epoch FROM until - now())::float AS seconds FROM memory.lease WHERE space = $1',
      values: [space],
    });
    expect(rows[0]?.seconds).toBeLessThanOrEqual(25);
  });

  test('looks anew in a request that has read something else in the database', async () => {
    const space = databases.newSpace();
    await opened(space, async (one, other) => {
      await add(one.store, sampleMemory(1));
      await other.answering(async () => {
        expect(await other.store.size()).toBe(1);
        await add(one.store, sampleMemory(2));
        // It might answer as of its first look, but what is in the archive is younger.
        await other.archive?.entries();
        expect(await other.store.size()).toBe(2);
      });
      await add(one.store, sampleMemory(3));
      expect(await other.store.size()).toBe(3);
    });
  });

  test('remembers its runs, whoever made them', async () => {
    const space = databases.newSpace();
    await opened(space, async ({ runLog }) => {
      await runLog.noteNight({ startedAt: NOW, isWhole: false });
      const later = await open(space);
      expect([later.runLog.lastNight, later.runLog.undoers]).toEqual([{ startedAt: NOW, isWhole: false }, null]);
      const undoers = { run: 'a run', viewers: [{ agentId: 'ann', project: null }] };
      await later.runLog.noteUndoers(undoers);
      await runLog.refresh();
      expect([runLog.lastNight, runLog.undoers]).toEqual([{ startedAt: NOW, isWhole: false }, undoers]);
      await later.close();
    });
  });

  test('loses no note of a run where two processes write theirs', async () => {
    const report = { id: 'the run of the other' } as Report;
    await opened(databases.newSpace(), async ({ runLog: one }, { runLog: other }) => {
      await one.noteNight({ startedAt: NOW, isWhole: false });
      await other.note(report);
      await one.noteNight({ startedAt: NOW, isWhole: true });
      for (const runLog of [one, other]) {
        await runLog.refresh();
        expect([runLog.last, runLog.lastNight]).toEqual([
          expect.objectContaining(report),
          { startedAt: NOW, isWhole: true },
        ]);
      }
    });
  });
});
