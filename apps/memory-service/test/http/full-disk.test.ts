import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { lockHolder } from '../../src/persistence/directory/lock-holder.ts';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import { canBeFull, fillForLock } from '../persistence/full-disk.ts';
import { say, startTestService, temporaryFolder } from '../start-service.ts';

const SELF = { pid: process.pid, hostname: 'test' };
const LOOK_FOR_ROOM_MS = 2_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
});
afterEach(() => {
  jest.useRealTimers();
  folder.remove();
});

(canBeFull ? describe : describe.skip)('a service that is started on a full disk', () => {
  const start = (dataDir: string) => startTestService({ dataDir, embedder: null, logLevel: 'info' });

  test('serves reads, says so, and writes by itself once there is room', async () => {
    const before = await start(join(folder.path, 'data'));
    await say(before, 'ann', 'The wiki moves on Friday.');
    await before.opened.persistence.save();
    await say(before, 'ann', 'The audit is on Monday.');
    // As after kill -9: the journal stays, and the lock of a process that is no more.
    const dataDir = copyOfKilled(join(folder.path, 'data'), { to: join(folder.path, 'killed'), without: [LOCK_FILE] });
    await before.close();
    writeFileSync(join(dataDir, LOCK_FILE), JSON.stringify({ ...(await lockHolder(SELF)), startTicks: 1 }));
    await fillForLock(dataDir, SELF);

    const service = await start(dataDir);
    const get = async (path: string) => (await supertest(service.app).get(path)).body;
    const FULL = expect.stringMatching(/^The disk is full/);
    expect(service.lines.find(({ msg }) => msg === 'loaded')).toMatchObject({ memories: 2, replayed: 1 });
    expect(service.lines[0]).toMatchObject({ level: 'error', why: FULL });
    expect((await get('/memories')).total).toBe(2);
    expect((await get('/health')).persistence.refusal).toEqual(FULL);
    expect(await get('/health/ready')).toEqual({
      status: 'degraded',
      reasons: [{ code: 'storage_unavailable', detail: FULL }],
    });
    await fillForLock(dataDir, SELF);
    const refused = await supertest(service.app).post('/ingest').send({ content: 'No room for this.' });
    expect([refused.status, refused.body.code]).toEqual([503, 'storage_unavailable']);

    await jest.advanceTimersByTimeAsync(LOOK_FOR_ROOM_MS);
    while (service.lines.every(({ msg }) => msg !== 'the disk takes writes again')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await get('/health/ready')).toEqual({ status: 'ready', reasons: [] });
    await say(service, 'ann', 'There is room again.');
    expect((await get('/memories')).total).toBe(3);
    await service.close();
  });
});
