import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { hasPostgres, type PostgresServer, recordCommand, startPostgres } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { type CopyName, runCopyCommand } from '../../src/commands/copy-command.ts';
import { copySpace } from '../../src/persistence/copy/copy-spaces.ts';
import { copyFromDatabase, copyToDatabase } from '../../src/persistence/copy/database-copies.ts';
import { copyFromDirectory, copyToDirectory } from '../../src/persistence/copy/directory-copies.ts';
import { type MemoryDatabase, NO_METERS, openMemoryDatabase } from '../../src/persistence/postgres/memory-database.ts';
import { scratchFolder } from '../scratch-folder.ts';
import {
  ask,
  closeFastEmbedder,
  countedIds,
  START_MS,
  say,
  startTestService,
  type TestService,
} from '../start-service.ts';

jest.setTimeout(300_000);

const SPACES = ['default', 'web-shop'];
const log = createLog({ name: 'test', level: 'silent' });
const machine = {
  clock: new ManualClock(START_MS),
  process: { pid: process.pid, hostname: 'test' },
  pause: async () => void (await turn()),
  log,
};

(hasPostgres() ? describe : describe.skip)('a copy between a data directory and a database', () => {
  let server: PostgresServer;
  let url: string;
  let folder: string;
  let removeScratch: () => void;
  const clock = new ManualClock(START_MS);
  const ids = countedIds();
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await closeFastEmbedder();
    await server.remove();
  });
  beforeEach(async () => {
    ({ path: folder, removeScratch } = scratchFolder());
    url = await server.newDatabase(`copy_${randomUUID().slice(0, 8)}`);
  });
  afterEach(() => removeScratch());

  const openDatabase = () =>
    openMemoryDatabase({ url: parseStoreUrl(url), log, newToken: randomUUID, random: () => 0.5, meters: NO_METERS });
  const run = (name: CopyName, dataDir: string, argv: readonly string[] = []) =>
    recordCommand((edge) => runCopyCommand(name, { ...edge, ...machine, newToken: randomUUID, random: () => 0.5 }), {
      argv: ['--data-dir', dataDir, ...argv],
      env: { MEMORY_STORE: url, MEMORY_PORT: '7832' },
    });
  const onFiles = (dataDir: string) => startTestService({ clock, ids, dataDir });
  const inDatabase = async (use: (service: TestService) => Promise<void>) => {
    const database = await openDatabase();
    const service = await startTestService({ clock, ids, shared: { database, space: 'default' } });
    try {
      await use(service);
    } finally {
      await service.close();
      await database.postgres.close();
    }
  };
  const send = async (
    { app }: TestService,
    space: string,
    [method, path, body]: readonly ['get' | 'post' | 'put' | 'delete', string, object?],
    agentId = 'ann',
  ) => {
    const answer = await supertest(app)[method](path).set('X-Space', space).set('X-Agent-ID', agentId).send(body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const tell = async (service: TestService, space: string, message: object, agentId = 'ann') =>
    (await send(service, space, ['post', '/ingest', message], agentId)).body.memory.id as string;

  /** Something of everything that a space can hold. */
  const fill = async (service: TestService, space: string) => {
    const old = { importance: 0.1, timestamp: '2026-01-05T10:00:00Z' };
    await tell(service, space, { content: 'Sounds good, see you!', ...old });
    await tell(service, space, { content: `The ${space} release is on Friday.`, idempotency_key: 'release' });
    await tell(service, space, { content: 'The pool opens at 7 in the morning.', session_id: 'a' });
    await tell(service, space, { content: 'The pool opens at 9 in the morning.', session_id: 'b' }, 'bob');
    await tell(service, space, { content: 'My password hint is the cat.', scope: 'PRIVATE' });
    const edited = await tell(service, space, { content: 'The door is green.' });
    await send(service, space, ['put', `/memory/${edited}`, { gist: 'The door is blue.', tags: ['door'] }]);
    const deleted = await tell(service, space, { content: 'Nobody needs this.' });
    await send(service, space, ['delete', `/memory/${deleted}`]);
    const { contradictions } = (await send(service, space, ['post', '/contradictions', { wait_ms: 5_000 }])).body;
    expect(contradictions).toHaveLength(1);
    for (const { id, a } of contradictions)
      await send(service, space, ['post', `/contradictions/${id}/resolve`, { winner: a.memory_id }]);
    await send(service, space, ['post', '/consolidate', { keep_per_agent: 0 }]);
    await send(service, space, ['post', '/recall', { query: 'When is the release?' }]);
    return { edited, deleted };
  };
  /** Everything that can be read of a space, to the byte. */
  const told = async (service: TestService, space: string) => {
    const texts: string[] = [];
    for (const path of ['/export?vectors=true', '/memories?limit=100', '/pruned', '/consolidate', '/stats'])
      texts.push((await send(service, space, ['get', path])).text);
    const { memories } = JSON.parse(texts[1] as string);
    for (const { id } of memories) texts.push((await send(service, space, ['get', `/memory/${id}/history`])).text);
    texts.push(
      (await send(service, space, ['post', '/contradictions', { states: ['open', 'resolved', 'dismissed'] }])).text,
    );
    const recalled = await send(service, space, [
      'post',
      '/recall',
      {
        query: 'Which door is blue?',
        strengthen: false,
        explain: true,
      },
    ]);
    texts.push(recalled.text.replace(/"took_ms":[\d.]+/, ''));
    return texts;
  };
  const toldOfAll = async (service: TestService) =>
    Object.fromEntries(await Promise.all(SPACES.map(async (space) => [space, await told(service, space)] as const)));

  test('has everything, to the byte, there and back, though both sides are written to until the end', async () => {
    const data = join(folder, 'data');
    const first = await onFiles(data);
    const known: Awaited<ReturnType<typeof fill>>[] = [];
    for (const space of SPACES) known.push(await fill(first, space));
    // While the service runs.
    const online = await run('import', data);
    expect(online).toMatchObject({ code: 0, err: '' });
    expect(online.out).toMatch(/^default: \d memories, up to change \d+: caught up\.\nweb-shop: /);
    for (const space of SPACES) await tell(first, space, { content: 'Somebody rang the bell.', session_id: 'c' });
    await send(first, 'default', ['post', '/recall', { query: 'Who rang the bell?' }]);
    await first.close();
    const again = await onFiles(data);
    const wanted = await toldOfAll(again);
    await again.close();
    expect(await run('import', data)).toMatchObject({ code: 0, err: '' });
    expect((await run('import', data)).out).toMatch(/^default: up to date\.\nweb-shop: up to date\.\n/);

    for (const space of SPACES) expect(wanted[space]?.[2]).toContain('Sounds good, see you!');
    const back = join(folder, 'back');
    await inDatabase(async (service) => {
      expect(await toldOfAll(service)).toEqual(wanted);
      for (const [at, space] of SPACES.entries()) {
        expect(wanted[space]?.join()).toContain('The door is green.');
        expect(
          await tell(service, space, { content: 'Other words.', idempotency_key: 'release' }).catch(String),
        ).toMatch(/409/);
        expect(await service.opened.store.wasDeleted(known[at]?.deleted as string)).toBe(space === 'default');
      }
      // Back, while this replica runs and writes.
      expect(await run('export', back)).toMatchObject({ code: 0, err: '' });
      for (const space of SPACES) await tell(service, space, { content: 'The bell is silent now.', session_id: 'd' });
      await send(service, 'default', ['post', '/consolidate', { keep_per_agent: 0 }]);
    });
    expect(await run('export', back)).toMatchObject({ code: 0, err: '' });
    let atLast: object = {};
    await inDatabase(async (service) => {
      atLast = await toldOfAll(service);
    });
    const returned = await onFiles(back);
    expect(await toldOfAll(returned)).toEqual(atLast);
    await returned.close();
  });

  test('one space alone is copied where it is named', async () => {
    const data = join(folder, 'data');
    const service = await onFiles(data);
    for (const space of SPACES) await tell(service, space, { content: 'The door is green.' });
    await service.close();
    expect((await run('import', data, ['--space', 'web-shop'])).out).toMatch(
      /^web-shop: 1 memories, up to change 1: caught up/,
    );
    const back = join(folder, 'back');
    await run('export', back);
    expect(existsSync(join(back, 'memories.json'))).toBe(false);
    expect(existsSync(join(back, 'spaces/web-shop/memories.json'))).toBe(true);
  });

  test('puts itself in the place of nothing else', async () => {
    const data = join(folder, 'data');
    const service = await onFiles(data);
    await tell(service, 'default', { content: 'The door is green.' });
    await service.close();
    const nothing = { code: 1, err: expect.stringContaining(`${join(folder, 'none')} holds nothing to copy`) };
    expect(await run('import', join(folder, 'none'))).toMatchObject(nothing);
    expect((await run('import', data)).code).toBe(0);
    // What came after the copy stays.
    await inDatabase(async (replica) => void (await say(replica, 'bob', 'The door is red.')));
    expect(await run('import', join(folder, 'none'))).toMatchObject(nothing);
    const refused = await run('import', data);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("The space 'default' in postgres://") });
    await inDatabase(async (replica) => {
      expect((await ask(replica, 'bob', 'Which colour has the door?')).memories).toHaveLength(2);
    });
    expect(await run('export', data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('holds memories already'),
    });
    expect(
      await recordCommand(
        (edge) => runCopyCommand('import', { ...edge, ...machine, newToken: randomUUID, random: () => 0.5 }),
        { argv: [], env: {} },
      ),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('--data-dir and --store must be given'),
    });
  });

  test('is whole once it is done again, wherever it was killed', async () => {
    const data = join(folder, 'data');
    const service = await onFiles(data);
    await fill(service, 'default');
    await service.close();
    const again = await onFiles(data);
    const wanted = await told(again, 'default');
    await again.close();
    const database = await openDatabase();
    const source = copyFromDirectory(data, machine);
    /** Kills the copy at a statement, as far as the database can tell. */
    const dying = (most: number): MemoryDatabase => {
      let statements = 0;
      const alive = () => {
        if (++statements > most) throw new Error('killed');
      };
      const { postgres } = database;
      const query: typeof postgres.query = async (statement) => {
        alive();
        return await postgres.query(statement);
      };
      const transaction: typeof postgres.transaction = (work) =>
        postgres.transaction((client) =>
          work(
            new Proxy(client, {
              get: (target, name) =>
                name === 'query'
                  ? (...about: [string]) => {
                      alive();
                      return target.query(...about);
                    }
                  : Reflect.get(target, name),
            }),
          ),
        );
      return { ...database, postgres: { ...postgres, name: postgres.name, query, transaction } };
    };
    let kills = 0;
    for (; ; kills++) {
      const copying = copySpace('default', { source, target: copyToDatabase(dying(kills), machine) });
      const error = await copying.then(
        () => null,
        (reason: Error) => reason,
      );
      if (error === null) break;
      expect(error.message).toBe('killed');
    }
    expect(kills).toBeGreaterThan(10);
    await inDatabase(async (replica) => expect(await told(replica, 'default')).toEqual(wanted));

    const back = join(folder, 'back');
    for (let most = 0; ; most++) {
      const target = copyToDirectory(back, machine);
      const error = await copySpace('default', { source: copyFromDatabase(dying(most), machine), target }).catch(
        String,
      );
      if (typeof error !== 'string') break;
      expect(error).toBe('Error: killed');
    }
    const returned = await onFiles(back);
    expect(await told(returned, 'default')).toEqual(wanted);
    await returned.close();
    await database.postgres.close();
  });
});
