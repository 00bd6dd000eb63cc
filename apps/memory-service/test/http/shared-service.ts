import { afterAll, afterEach, beforeAll } from '@jest/globals';
import {
  closeFastEmbedder,
  emptyStore,
  START_MS,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../start-service.ts';

/** Starts one service for all tests of a file, because a start takes a second; each test finds it empty, and its clock set back. */
export function shareService(share: (service: TestService) => void, options: TestServiceOptions = {}): void {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(options);
    share(service);
  });
  afterEach(async () => {
    await emptyStore(service);
    service.clock.set(START_MS);
  });
  afterAll(async () => {
    await service.close();
    await closeFastEmbedder();
  });
}
