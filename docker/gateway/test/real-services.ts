import { startTestService as startMemory } from '../../../apps/memory-service/test/start-service.ts';
import { startTestService as startTiming } from '../../../apps/timing-service/test/start-service.ts';
import { listen } from '../../../packages/service-kit/src/http.ts';
import { ManualClock } from '../../../packages/service-kit/src/index.ts';

export interface RealServices {
  readonly memoryAddress: string;
  readonly timingAddress: string;
  close(): Promise<void>;
}

/** Both services as a gateway has them: real but for the model, on ports of their own, and they trust its header. */
export async function startRealServices(): Promise<RealServices> {
  const config = { trustIdentityHeader: true };
  const memory = await startMemory({ embedder: null, config });
  // An answer has the date of this machine, by which a dashboard asks for what is recent.
  const timing = startTiming({ config, clock: new ManualClock(Date.now()) });
  const [memoryServer, timingServer] = await Promise.all(
    [memory, timing].map(({ app }) => listen(app, { host: '127.0.0.1', port: 0 })),
  );
  if (!memoryServer || !timingServer) throw new Error('unreachable: two services listen');
  return {
    memoryAddress: `127.0.0.1:${memoryServer.address.port}`,
    timingAddress: `127.0.0.1:${timingServer.address.port}`,
    close: async () => {
      timing.streams.endAll();
      for (const { server } of [memoryServer, timingServer]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      await memory.close();
      timing.close();
    },
  };
}
