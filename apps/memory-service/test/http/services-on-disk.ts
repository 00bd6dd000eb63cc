import { join } from 'node:path';
import { ManualClock } from '@agent-faculties/service-kit';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import {
  closeFastEmbedder,
  countedIds,
  START_MS,
  startTestService,
  type TestService,
  type TestServiceOptions,
  temporaryFolder,
} from '../start-service.ts';

/** For each test of a file a data directory, a clock and ids of its own, and services that end with the test. */
export function servicesOnDisk() {
  let folder: ReturnType<typeof temporaryFolder>;
  let running: TestService[];
  let clock: ManualClock;
  let ids: ReturnType<typeof countedIds>;
  let copies: number;

  beforeEach(() => {
    folder = temporaryFolder();
    running = [];
    clock = new ManualClock(START_MS);
    ids = countedIds();
    copies = 0;
  });
  afterEach(async () => {
    for (const service of running) await service.close();
    folder.remove();
  });
  afterAll(closeFastEmbedder);

  const dataDir = () => join(folder.path, 'data');
  const start = async (options: TestServiceOptions = {}) => {
    const service = await startTestService({ dataDir: dataDir(), clock, ids, ...options });
    running.push(service);
    return service;
  };
  const stop = async (service: TestService) => {
    running.splice(running.indexOf(service), 1);
    await service.close();
  };
  return {
    dataDir,
    start,
    stop,
    restarted: async (service: TestService, options: TestServiceOptions = {}) => {
      await stop(service);
      return await start(options);
    },
    /** A copy of the data directory as `kill -9` would leave it. */
    killed: () => copyOfKilled(dataDir(), { to: join(folder.path, `copy-${++copies}`), without: [LOCK_FILE] }),
    get clock() {
      return clock;
    },
  };
}
