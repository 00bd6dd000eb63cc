import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  closeFastEmbedder,
  type TestService as MemoryService,
  startTestService as startMemory,
  temporaryFolder,
} from '../../../apps/memory-service/test/start-service.ts';
import {
  startTestService as startTiming,
  type TestService as TimingService,
} from '../../../apps/timing-service/test/start-service.ts';

export interface LiveServices {
  readonly memory: MemoryService;
  readonly timing: TimingService;
  readonly memoryUrl: string;
  readonly timingUrl: string;
  readonly close: () => Promise<void>;
}

/** All of a file have one embedder. */
let running = 0;

/** Both services, empty, as they are, on ports of this machine; their clocks stand still. */
export async function startLiveServices(): Promise<LiveServices> {
  const folder = temporaryFolder();
  running++;
  const [memory, timing] = [await startMemory({ dataDir: folder.path }), startTiming()];
  const servers = [createServer(memory.app), createServer(timing.app)] as const;
  const [memoryUrl, timingUrl] = (await Promise.all(servers.map(urlOf))) as [string, string];
  return {
    memory,
    timing,
    memoryUrl,
    timingUrl,
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      timing.close();
      await memory.close();
      if (--running === 0) await closeFastEmbedder();
      folder.remove();
    },
  };
}

/** Listens on a free port. */
export async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
