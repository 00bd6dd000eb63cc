import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, systemClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { createMetrics, type Listening, listen, openContract } from '@agent-faculties/service-kit/http';
import { freePort } from '@agent-faculties/testing';
import { createApp } from '../../src/app.ts';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';
import { CONTRACT } from '../../src/wire/contract-file.ts';

/** Compiled once for all services of a file; contract.test.ts asks whether it is one. */
const contract = openContract(CONTRACT, { validateResponses: true, validateContract: false });

/** The service on a real port with a real file; it can go away and come back at the same address. */
export interface RealService {
  readonly url: string;
  post(path: string, body: unknown, agent?: string): Promise<Record<string, never>>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops and removes the file. */
  remove(): Promise<void>;
}

export async function startRealService(): Promise<RealService> {
  const directory = mkdtempSync(join(tmpdir(), 'timing-dashboard-'));
  const dbPath = join(directory, 'timing.db');
  const port = await freePort();
  let running: { listening: Listening; close: () => Promise<void> } | null = null;

  async function start(): Promise<void> {
    const engine = new SqliteEngine({ path: dbPath, synchronous: 'normal' });
    const { app, streams, closeSpaces } = createApp({
      config: {
        host: '127.0.0.1',
        allowedHosts: null,
        agentId: 'default',
        trustIdentityHeader: false,
        bodyLimitBytes: 262_144,
        redact: 'mask',
        abandonAfterSeconds: 86_400,
        retentionDays: null,
        openSpaces: 32,
        maxSpaces: 100,
      },
      engine,
      clock: systemClock,
      ids: timeOrderedIds(systemClock),
      log: createLog({ name: 'timing-service', level: 'silent' }),
      metrics: createMetrics(),
      version: '0.0.0',
      contract,
    });
    const listening = await listen(app, { host: '127.0.0.1', port });
    const close = async () => {
      streams.endAll();
      const closed = new Promise((resolve) => listening.server.close(resolve));
      listening.server.closeAllConnections();
      await closed;
      await closeSpaces();
    };
    running = { listening, close };
  }

  async function stop(): Promise<void> {
    await running?.close();
    running = null;
  }

  await start();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    start,
    stop,
    async post(path, body, agent = 'coder-codex') {
      const lines = typeof body === 'string';
      const response = await fetch(
        `${url}${path}${path.includes('?') ? '&' : '?'}agent_id=${encodeURIComponent(agent)}`,
        {
          method: 'POST',
          ...(body === undefined
            ? {}
            : {
                headers: { 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
                body: lines ? body : JSON.stringify(body),
              }),
        },
      );
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, never>;
    },
    async remove() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
