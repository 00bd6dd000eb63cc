import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { spawnChild } from '../../src/child.ts';
import { run } from '../run-cli.ts';
import { BridgeTransport } from './bridge-transport.ts';

const TSX = createRequire(import.meta.url).resolve('tsx');
const folder = mkdtempSync(join(tmpdir(), 'mcp-embedded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LIMIT_MS = 120_000;

/** From the sources, where nothing was built. */
const world = {
  env: { ...process.env, AGENT_ID: 'ann' },
  cwd: folder,
  spawn: spawnChild,
  programs: {
    service: (name: string) => [
      process.execPath,
      '--conditions=@agent-faculties/source',
      '--import',
      TSX,
      fileURLToPath(new URL(`../../../../apps/${name}-service/src/main.ts`, import.meta.url)),
    ],
    start: [],
    dataFolder: folder,
  },
};

test(
  'starts a service on a data directory, which keeps what was said, and ends it with the input',
  async () => {
    for (const expected of [0, 1]) {
      const transport = new BridgeTransport(['mcp', 'timing', '--data', 'data'], world);
      const client = new Client({ name: 'test-host', version: '1.0.0' });
      await client.connect(transport);
      const { structuredContent } = await client.callTool({ name: 'start', arguments: { task_type: 'build' } });
      expect(structuredContent).toMatchObject({ task: { agent_id: 'ann' } });
      const { correlation_id, summary } = structuredContent as {
        correlation_id: string;
        summary: { count: number } | null;
      };
      expect(summary?.count ?? 0).toBe(expected);
      await client.callTool({ name: 'end', arguments: { task_type: 'build', correlation_id } });
      await client.close();
      // The service ends with the command, so the second round can open the same database.
      expect((await transport.ended).code).toBe(0);
    }
  },
  LIMIT_MS,
);

test('says why in the words for people, and leaves its log out', async () => {
  const failing = (...texts: readonly string[]) => ({
    ...world,
    spawn: () => ({
      output: (async function* () {
        yield* texts;
      })(),
      stop: async () => {},
    }),
  });
  const log = '{"level":"info","msg":"embedding model"}\n';
  const { err } = await run(['mcp', 'memory', '--data', 'data'], failing(log, 'The folder is in use.\n'));
  expect(err).toMatch(/did not start on \S+: The folder is in use\.\n$/);
  expect((await run(['mcp', 'memory', '--data', 'data'], failing(log))).err).toContain('"embedding model"');
});

test(
  'says why a service does not start',
  async () => {
    const { code, out, err } = await run(['mcp', 'timing', '--data', 'data'], {
      ...world,
      env: { ...world.env, TIMING_RETENTION_DAYS: 'many' },
    });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^agent-faculties: timing-service did not start on .*timing\.db: .*TIMING_RETENTION_DAYS/s);
    const wrong = await run(['mcp', 'timing', '--data', '/dev/null'], world);
    expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('/dev/null cannot be made') });
  },
  LIMIT_MS,
);
