import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import {
  closeFastEmbedder,
  fastEmbedder,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

describe('/health/ready', () => {
  const folder = temporaryFolder();
  let service: TestService;
  let files: FileHandle;

  beforeAll(async () => {
    service = await startTestService({ dataDir: folder.path });
    const handle = await open(fileURLToPath(import.meta.url));
    files = Object.getPrototypeOf(handle);
    await handle.close();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    folder.remove();
    await closeFastEmbedder();
  });

  const readiness = async ({ app }: Pick<TestService, 'app'> = service) => {
    const { status, body } = await supertest(app).get('/health/ready');
    return [status, body];
  };
  const READY = [200, { status: 'ready', reasons: [] }];
  const FULL = [
    200,
    {
      status: 'degraded',
      reasons: [{ code: 'storage_unavailable', detail: expect.stringMatching(/^The disk is full/) }],
    },
  ];
  const fillDisk = () =>
    jest
      .spyOn(files, 'write')
      .mockRejectedValue(
        Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write', errno: -28 }) as never,
      );

  test('says that the disk refuses writes, until it takes one: what is there is still recalled', async () => {
    expect(await readiness()).toEqual(READY);
    await supertest(service.app).post('/ingest').send({ content: 'The kettle holds 2 litres.' });
    fillDisk();
    expect((await supertest(service.app).post('/ingest').send({ content: 'No room for this.' })).status).toBe(503);
    expect(await readiness()).toEqual(FULL);
    const recalled = await supertest(service.app).post('/recall').send({ query: 'What does the kettle hold?' });
    expect(recalled.body.memories[0].content).toBe('The kettle holds 2 litres.');
    jest.restoreAllMocks();
    expect(await readiness()).toEqual(FULL);
    await supertest(service.app).post('/ingest').send({ content: 'Room again.' });
    expect(await readiness()).toEqual(READY);
  });

  test('says that a save was refused, until one is not', async () => {
    fillDisk();
    expect((await supertest(service.app).post('/save')).status).toBe(503);
    jest.restoreAllMocks();
    await supertest(service.app).post('/ingest').send({ content: 'The journal takes it.' });
    expect(await readiness()).toEqual(FULL);
    await supertest(service.app).post('/save');
    expect(await readiness()).toEqual(READY);
  });

  test('lets requests come while the model is started again: words and names are served', async () => {
    const { modelId, dimension, kind, judgesAnswers, maxTokens, embed, close } = await fastEmbedder();
    const own = await startTestService({
      embedder: { modelId, dimension, kind, judgesAnswers, maxTokens, embed, close, isReady: () => false },
    });
    const [status, body] = await readiness(own);
    expect([status, body]).toEqual([
      200,
      {
        status: 'degraded',
        reasons: [{ code: 'not_ready', detail: expect.stringMatching(/model is starting again/) }],
      },
    ]);
    await own.close();
  });
});
