import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres, openTestDatabases, recordCommand, type TestDatabases } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CopyName, runCopyCommand } from '../../src/commands/copy-command.ts';
import { endTask, recordEvent, startTask } from '../../src/domain/record.ts';
import type { Engine } from '../../src/domain/space.ts';
import { OUTCOMES } from '../../src/domain/task.ts';
import type { CopyPlace, CopyTarget } from '../../src/storage/copy/copied-rows.ts';
import { copySpaces } from '../../src/storage/copy/copy-spaces.ts';
import { postgresPlace } from '../../src/storage/copy/postgres-rows.ts';
import { sqliteSource, sqliteTarget } from '../../src/storage/copy/sqlite-rows.ts';
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';
import { formatTransferLine } from '../../src/wire/transfer-lines.ts';
import { STARTED_MS } from '../domain/sample-task.ts';
import { type ReplicaStores, replicaStores } from '../storage/store-contract/contract-stores.ts';
import { everyName } from '../storage/store-contract/every-name.ts';

const HOUR_MS = 3_600_000;
const ALL = { agentId: null, project: null };
const SPACES = ['default', 'shop'];
const silent = createLog({ name: 'test', level: 'silent' });

(hasPostgres() ? describe : describe.skip)('a copy', () => {
  let databases: TestDatabases;
  let directory: string;
  let path: string;
  let url: string;
  let engines: Engine[];
  let clock: ManualClock;

  beforeAll(async () => {
    databases = await openTestDatabases();
  });
  afterAll(() => databases.close());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'timing-copy-'));
    path = join(directory, 'timing.db');
    url = await databases.create();
    engines = [];
    clock = new ManualClock(STARTED_MS);
  });
  afterEach(async () => {
    await closeAll();
    rmSync(directory, { recursive: true, force: true });
  });

  async function closeAll(): Promise<void> {
    for (const engine of engines.splice(0)) {
      engine.home.close();
      await engine.close();
    }
  }
  function openFile(file = path): SqliteEngine {
    const engine = new SqliteEngine({ path: file, synchronous: 'normal' });
    engines.push(engine);
    return engine;
  }
  async function openDatabase(): Promise<PostgresEngine> {
    const engine = await PostgresEngine.open({ url: parseStoreUrl(url), log: silent, waitMs: 0 });
    engines.push(engine);
    return engine;
  }
  const opened = new WeakMap<Engine, Map<string, ReplicaStores>>();
  async function storesOf(engine: Engine, space: string): Promise<ReplicaStores> {
    const known = opened.get(engine) ?? new Map();
    opened.set(engine, known);
    if (!known.has(space)) {
      const stored = space === 'default' ? engine.home : await engine.open(space);
      known.set(space, replicaStores(stored.stores, clock, timeOrderedIds(clock)));
    }
    return known.get(space);
  }
  const copy = (name: CopyName, file: string, ...argv: string[]) =>
    recordCommand((edge) => runCopyCommand(name, edge), {
      argv: ['--db-path', file, '--store', url, ...argv],
      env: { TIMING_PORT: '8080' },
    });

  /** Tasks in every state, of two agents, in and out of projects, that end in another order than they started. */
  async function write({ record, tasks, stopwatches }: ReplicaStores, name: string): Promise<void> {
    const whose = (index: number) => ({ agentId: index % 2 ? 'ann' : 'bob', project: index % 3 ? 'web' : null });
    for (let index = 0; index < 40; index++) {
      const metadata = index % 4 ? null : { text: `"\\\u0000\n ü ${index}` };
      const task = { ...whose(index), taskType: index % 5 ? 'build' : 'test', metadata };
      await startTask(record, { ...task, estimatedSeconds: index % 2 ? 2.5 : null, correlationId: `${name}-${index}` });
      clock.advance(1_000.001 + index);
    }
    for (let index = 35; index >= 5; index -= 2) {
      const task = { ...whose(index), taskType: index % 5 ? 'build' : 'test', metadata: null };
      const outcome = OUTCOMES[index % OUTCOMES.length] as (typeof OUTCOMES)[number];
      await endTask(record, { ...task, outcome, correlationId: `${name}-${index}` });
      clock.advance(77);
    }
    await tasks.abandon([`${name}-0`, `${name}-2`], clock.now());
    await recordEvent(record, {
      ...whose(1),
      eventType: 'note',
      taskType: null,
      metadata: 'text',
      correlationId: null,
    });
    for (const [index, watch] of ['tea', 'eggs', 'bread'].entries()) {
      await stopwatches.start(
        { name: `${watch}-${name}`, ...whose(index), startedMs: clock.now(), stoppedMs: null },
        9,
      );
    }
    await stopwatches.stop({ name: `eggs-${name}`, ...whose(1) }, clock.now() + 5);
  }

  /** Every line of an export, and what hangs on numbers that it does not show. */
  async function everything(engine: Engine, spaces = SPACES): Promise<string[]> {
    const lines: string[] = [];
    for (const space of spaces) {
      const { transfer, tasks, events, history } = await storesOf(engine, space);
      for await (const batch of transfer.export(ALL)) for (const item of batch) lines.push(formatTransferLine(item, 0));
      lines.push(JSON.stringify(await tasks.pastEstimates(ALL, 100)));
      lines.push(
        JSON.stringify((await events.since(0, { ...ALL, limit: 1_000 })).map(({ id, sequence }) => [id, sequence])),
      );
      lines.push(
        JSON.stringify([
          await everyName((page) => events.agents(page)),
          await events.taskTypes(ALL),
          await everyName((page) => events.projects({ agentId: null, project: null }, page)),
        ]),
      );
      const { ended, activeStartsMs, abandonedCount } = await history.sample(ALL, 'build');
      lines.push(
        JSON.stringify([OUTCOMES.map((outcome) => [...ended[outcome].sorted]), [...activeStartsMs], abandonedCount]),
      );
    }
    return lines;
  }

  test('of a file in use is brought up to date until it is the same to the byte, and back in a new file', async () => {
    const file = openFile();
    for (const space of SPACES) await write(await storesOf(file, space), 'first');
    const first = await copy('import', path);
    expect([first.code, first.err]).toEqual([0, '']);
    expect(first.out).toBe(
      '2 spaces are copied: 114 events, 80 tasks, 6 stopwatches. This run wrote 194 events and tasks and removed 0.\n',
    );
    const database = await openDatabase();
    expect(await everything(database)).toEqual(await everything(file));

    // Meanwhile the file is written to: tasks end, late ones too, are given up and deleted, stopwatches come and go.
    const shop = await storesOf(file, 'shop');
    for (const index of [0, 7, 38]) {
      if (index !== 7)
        await endTask(shop.record, {
          agentId: 'ann',
          project: null,
          taskType: index % 5 ? 'build' : 'test',
          metadata: null,
          outcome: 'ok',
          correlationId: `first-${index}`,
        });
    }
    await shop.tasks.abandon(['first-39'], clock.now());
    await shop.stopwatches.delete({ name: 'tea-first', agentId: 'bob', project: null });
    await shop.stopwatches.start(
      { name: 'eggs-first', agentId: 'ann', project: 'web', startedMs: clock.now(), stoppedMs: null },
      9,
    );
    clock.advance(HOUR_MS);
    await write(shop, 'second');
    expect((await shop.expiry.deleteBefore(STARTED_MS + HOUR_MS)).tasks).toBeGreaterThan(10);
    const second = await copy('import', path);
    expect([second.code, second.err]).toEqual([0, '']);
    expect(await everything(database)).toEqual(await everything(file));
    expect((await copy('import', path)).out).toContain('This run wrote 0 events and tasks and removed 0.');

    const back = join(directory, 'back.db');
    expect((await copy('export', back)).code).toBe(0);
    const again = openFile(back);
    expect(await everything(again)).toEqual(await everything(file));
    // What is written next has a number of its own.
    const note = {
      agentId: 'ann',
      project: null,
      eventType: 'note',
      taskType: null,
      metadata: null,
      correlationId: null,
    };
    for (const engine of [database, again]) {
      const { record, events } = await storesOf(engine, 'shop');
      const last = await events.lastSequence();
      expect((await recordEvent(record, note)).event.sequence).toBeGreaterThan(last);
      await startTask(record, {
        agentId: 'ann',
        project: null,
        taskType: 'new',
        metadata: null,
        estimatedSeconds: null,
        correlationId: null,
      });
    }
  });

  test('of a file that came from a database counts no end twice', async () => {
    await write(await storesOf(await openDatabase(), 'default'), 'first');
    const back = join(directory, 'back.db');
    expect((await copy('export', back)).code).toBe(0);
    const file = openFile(back);
    const stores = await storesOf(file, 'default');
    // Ends without an event and without a new task: they are numbered beyond both.
    for (const { task } of await stores.tasks.active({ ...ALL, limit: 100 })) {
      const end = { outcome: 'ok' as const, endedMs: task.startedMs + 1_000, durationSeconds: 1, endEventId: null };
      await stores.transfer.import([{ kind: 'task', task: { ...task, state: 'ended', ...end } }]);
    }
    url = await databases.create();
    expect((await copy('import', back)).code).toBe(0);
    const database = await openDatabase();
    const expected = await everything(file, ['default']);
    for (let asked = 0; asked < 3; asked++) expect(await everything(database, ['default'])).toEqual(expected);
  });

  test.each([1, 2, 3, 4])('that is cut short after %d pages goes on where it was', async (pages) => {
    const file = openFile();
    const big = await storesOf(file, 'default');
    const note = {
      agentId: 'ann',
      project: null,
      eventType: 'note',
      taskType: null,
      metadata: null,
      correlationId: null,
    };
    await Promise.all(Array.from({ length: 2_300 }, () => recordEvent(big.record, note)));
    await write(await storesOf(file, 'shop'), 'first');
    await write(big, 'first');
    const cut = (place: CopyPlace<CopyTarget>): CopyPlace<CopyTarget> => ({
      ...place,
      open: async (space) => {
        const target = await place.open(space);
        const add = target.add.bind(target);
        target.add = async (...page) => {
          if (pages-- === 0) throw new Error('killed');
          await add(...page);
        };
        return target;
      },
    });
    const targets = [() => postgresPlace(parseStoreUrl(url)), async () => sqliteTarget(join(directory, 'other.db'))];
    const left = pages;
    for (const open of targets) {
      pages = left;
      const broken = await open();
      await expect(copySpaces(sqliteSource(path), cut(broken), null)).rejects.toThrow('killed');
      await broken.close();
      const whole = await open();
      await copySpaces(sqliteSource(path), whole, null);
      await whole.close();
    }
    const expected = await everything(file);
    expect(await everything(await openDatabase())).toEqual(expected);
    expect(await everything(openFile(join(directory, 'other.db')))).toEqual(expected);
  });

  test('of one space leaves the others where they are', async () => {
    const file = openFile();
    for (const space of SPACES) await write(await storesOf(file, space), 'first');
    expect((await copy('import', path, '--space', 'shop')).out).toContain(
      '1 space is copied: 57 events, 40 tasks, 3 stopwatches.',
    );
    const database = await openDatabase();
    expect(await everything(database, ['shop'])).toEqual(await everything(file, ['shop']));
    expect(await (await storesOf(database, 'default')).events.lastSequence()).toBe(0);
    expect(await copy('import', path, '--space', 'none')).toMatchObject({
      code: 1,
      err: `timing-service import: ${path} has no space 'none': it has default, shop.\n`,
    });
  });

  test('is refused by a space with records of its own, which stay', async () => {
    const file = openFile();
    await write(await storesOf(file, 'default'), 'first');
    const database = await openDatabase();
    const stores = await storesOf(database, 'default');
    await write(stores, 'mine');
    const before = await everything(database, ['default']);
    const { code, err } = await copy('import', path);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^timing-service import: The space 'default' of 127\.0\.0\.1:\d+\/\S+ holds something that .* does not: nothing was changed in it\./,
    );
    expect(await everything(database, ['default'])).toEqual(before);
  });

  test('is refused by a space with a stopwatch of its own, which stays', async () => {
    openFile();
    const { stopwatches } = await storesOf(await openDatabase(), 'default');
    const which = { name: 'mine', agentId: 'ann', project: null };
    await stopwatches.start({ ...which, startedMs: 0, stoppedMs: null }, 9);
    expect(await copy('import', path)).toMatchObject({ code: 1 });
    expect(await stopwatches.find(which)).not.toBeNull();
  });

  test('is refused when somebody has written to the copy', async () => {
    const file = openFile();
    await write(await storesOf(file, 'default'), 'first');
    expect((await copy('import', path)).code).toBe(0);
    const { record } = await storesOf(await openDatabase(), 'default');
    await recordEvent(record, {
      agentId: 'ann',
      project: null,
      eventType: 'x',
      taskType: null,
      metadata: null,
      correlationId: null,
    });
    expect(await copy('import', path)).toMatchObject({ code: 1 });
  });

  test('says what to do where it cannot be made', async () => {
    const missing = join(directory, 'missing.db');
    expect(await copy('import', missing)).toMatchObject({
      code: 1,
      err: `timing-service import: ${missing} is not there: name the database, as --db-path of the service does.\n`,
    });
    expect(existsSync(missing)).toBe(false);
    const other = join(directory, 'other.db');
    writeFileSync(other, 'no database at all, whatever its name says');
    expect(await copy('import', other)).toMatchObject({ code: 1 });
    openFile();
    // A service has the file.
    const { code, err } = await copy('export', path);
    expect([code, err]).toEqual([
      1,
      `timing-service export: ${path} is in use by another timing-service: stop that one, or choose another file with --db-path.\n`,
    ]);
    const incomplete = await recordCommand((edge) => runCopyCommand('import', edge), { argv: ['--db-path', path] });
    expect([incomplete.code, incomplete.err]).toEqual([
      2,
      'timing-service import: --db-path and --store must be given.\nSee timing-service import --help.\n',
    ]);
    expect((await copy('import', path, '--space', 'No Space')).err).toContain('--space="No Space" must be the name');
  });
});
