import type { ManualClock } from '@agent-faculties/service-kit';
import { listen } from '@agent-faculties/service-kit/http';
import { startTestService, type TestServiceOptions } from '../start-service.ts';

/** The service on a real port, over a clock that stands still until it is moved. */
export interface RealService {
  readonly url: string;
  readonly clock: ManualClock;
  /** Resolves to the answer's body. @throws Error unless it is a 200 */
  call(method: string, path: string, agent: string, body?: unknown): Promise<Record<string, never>>;
  /** Ends what is open, such as streams. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startRealService(options?: TestServiceOptions): Promise<RealService> {
  const service = await startTestService(options);
  const { server, address } = await listen(service.app, { host: '127.0.0.1', port: 0 });
  return {
    url: address.url,
    clock: service.clock,
    async call(method, path, agent, body) {
      const response = await fetch(address.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-Agent-ID': agent },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, never>;
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await service.close();
    },
  };
}
