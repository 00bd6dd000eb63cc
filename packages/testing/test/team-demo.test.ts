import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const SCRIPT = fileURLToPath(new URL('../../../scripts/demo/team.mjs', import.meta.url));

interface Sent {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  readonly superseded_by?: string;
  readonly supersession?: { readonly at: string };
}

/** What the demonstration sends to be merged. */
async function sentBy(...args: string[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const service = createServer(async (request, response) => {
    const lines = (await text(request)).split('\n');
    sent.push(...lines.map((line) => JSON.parse(line) as Sent));
    response.end(JSON.stringify({ report: { added: 0, rejected_count: 0 } }));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const demo = spawn(process.execPath, [SCRIPT, ...args], {
    env: { ...process.env, MEMORY_URL: url },
    stdio: 'ignore',
  });
  expect(await once(demo, 'close')).toEqual([0, null]);
  service.close();
  return sent;
}

test('in the memory of a team each changed fact is superseded by what was said later, with another value', async () => {
  const sent = await sentBy('--memories', '8000', '--until', '2026-11-22');
  const byId = new Map(sent.map((record) => [record.id, record]));
  const superseded = sent.filter((record) => record.superseded_by !== undefined);
  expect(superseded.length).toBeGreaterThan(100);
  for (const { content, created_at, superseded_by, supersession } of superseded) {
    const successor = byId.get(superseded_by as string) as Sent;
    expect(successor.created_at > created_at).toBe(true);
    expect(supersession?.at).toBe(successor.created_at);
    expect(successor.content).not.toBe(content);
  }
});
