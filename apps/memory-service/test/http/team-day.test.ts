import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openPairScorer, type PairScorer } from '@agent-faculties/embeddings';
import { recordCommand } from '@agent-faculties/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { runTransferCommand } from '../../src/commands/transfer-command.ts';
import { ask, closeFastEmbedder, say, startTestService, type TestService, temporaryFolder } from '../start-service.ts';

const HOUR_MS = 3_600_000;

const folder = temporaryFolder();
let pairScorer: PairScorer;
let remote: TestService;
let server: Server;
let address: string;

beforeAll(async () => {
  pairScorer = await openPairScorer({ model: 'bundled' });
  remote = await startTestService({ dataDir: join(folder.path, 'central'), pairScorer });
  server = createServer(remote.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await remote.close();
  await pairScorer.close();
  await closeFastEmbedder();
  folder.remove();
});

/** What each agent is told on this day, in its own store. Where two of them disagree, the night finds it. */
const DAY = {
  ann: [
    {
      content: 'The payment gateway of project Kestrel drops requests when the connection pool is full.',
      session_id: 'bug',
    },
    { content: 'I raised the connection pool of the Kestrel payment gateway from 10 to 40.', session_id: 'bug' },
    { content: 'Since then the Kestrel payment gateway drops no requests any more.', session_id: 'bug' },
    { content: 'The release of Kestrel 2.4 is on Friday.', session_id: 'plan' },
    { content: 'My salary talk is on Thursday.', session_id: 'plan', scope: 'PRIVATE' },
  ],
  bob: [
    { content: 'The customer asked for invoices in Portuguese.', session_id: 'call' },
    { content: 'The release of Kestrel 2.4 is not on Friday.', session_id: 'call' },
    { content: 'The customer asked for invoices in Portuguese.', session_id: 'call' },
  ],
} as const;

test('a day of the team: read the central store, write locally, push, consolidate, know it all the next morning', async () => {
  // Morning: what the team knows is in the central store.
  await say(remote, 'eve', 'We decided to run the Kestrel payment gateway on db-7.');
  for (const agent of Object.keys(DAY)) {
    expect((await ask(remote, agent, 'Where does the payment gateway run?')).context).toContain('db-7');
  }

  // Day: each writes into a store of its own.
  for (const [agent, messages] of Object.entries(DAY)) {
    remote.clock.advance(HOUR_MS);
    const local = await startTestService({ dataDir: localOf(agent), clock: remote.clock, ids: idsOf(agent) });
    for (const message of messages) await say(local, agent, { ...message });
    await local.close();
  }
  const before = await ask(remote, 'eve', 'What did the customer ask for?');
  expect(before.memories.some(({ content }) => content.includes('Portuguese'))).toBe(false);

  // Evening: each pushes, one of them twice.
  expect(await transfer('push', 'ann')).toContain('4 memories: 4 added, 0 updated, 0 known already, 0 rejected.');
  expect(await transfer('push', 'bob')).toContain('2 memories: 2 added, 0 updated, 0 known already, 0 rejected.');
  expect(await transfer('push', 'ann')).toContain('4 memories: 0 added, 0 updated, 4 known already, 0 rejected.');

  // Night.
  remote.clock.advance(10 * HOUR_MS);
  const night = await supertest(remote.app).post('/consolidate').send({});
  expect([night.status, night.body.report.semantic_created > 0]).toEqual([200, true]);
  const again = await supertest(remote.app).post('/consolidate').send({});
  expect(again.body.report).toMatchObject({ semantic_created: 0, deduplicated: 0, pruned: 0 });
  const evening = await transfer('push', 'ann');
  expect(evening).toMatch(/4 memories: 0 added, 0 updated, 4 known already, 0 rejected/);

  // Next morning: an agent that told none of it knows all of it, except what was PRIVATE.
  remote.clock.advance(2 * HOUR_MS);
  expect((await ask(remote, 'eve', 'What did the customer ask for?')).context).toContain('Portuguese');
  const pool = await ask(remote, 'eve', 'What was done about the connection pool of the payment gateway?');
  expect(pool.context).toContain('from 10 to 40');
  expect((await ask(remote, 'eve', 'Which database does the payment gateway run on?')).context).toContain('db-7');
  const salary = await ask(remote, 'eve', 'When is the salary talk?');
  expect(JSON.stringify(salary)).not.toContain('salary talk is');
  const [disagreement] = await disagreements();
  expect([disagreement?.a, disagreement?.b].map((claim) => [claim?.agent_id, claim?.gist])).toEqual([
    ['ann', 'The release of Kestrel 2.4 is on Friday.'],
    ['bob', 'The release of Kestrel 2.4 is not on Friday.'],
  ]);

  // Somebody who knows decides which statement holds; from then on the other one says that it is superseded.
  const verdict = { winner: disagreement?.b.memory_id };
  await supertest(remote.app).post(`/contradictions/${disagreement?.id}/resolve`).send(verdict).expect(200);
  const release = await ask(remote, 'eve', 'When is the release of Kestrel 2.4?');
  const found = release.memories.filter(({ content }) => content.includes('release of Kestrel'));
  expect(found.map(({ id }) => id)).toEqual([disagreement?.b.memory_id, disagreement?.a.memory_id]);
  expect(found[1]).toMatchObject({ superseded_by: disagreement?.b.memory_id });
  expect(await disagreements()).toEqual([]);

  // And takes it along.
  expect(await transfer('pull', 'eve')).toContain(' 0 rejected');
  const local = await startTestService({ dataDir: localOf('eve'), clock: remote.clock, ids: idsOf('eve') });
  try {
    expect((await ask(local, 'eve', 'What did the customer ask for?')).context).toContain('Portuguese');
    expect(JSON.stringify(await ask(local, 'ann', 'When is the salary talk?'))).not.toContain('salary talk is');
  } finally {
    await local.close();
  }
});

interface Claim {
  readonly memory_id: string;
  readonly agent_id: string;
  readonly gist: string;
}

/** What the night has found and nobody has decided. */
async function disagreements(): Promise<{ id: string; a: Claim; b: Claim }[]> {
  const answer = await supertest(remote.app).post('/contradictions').send({}).expect(200);
  return answer.body.contradictions;
}

function localOf(agent: string): string {
  return join(folder.path, agent);
}

/** Each store has ids of a series of its own. */
function idsOf(agent: string) {
  const series = Buffer.from(agent).toString('hex').slice(0, 6);
  let count = 0;
  return { next: () => `00000000-0000-7000-9000-${series}${String(++count).padStart(6, '0')}` };
}

async function transfer(command: 'push' | 'pull', agent: string): Promise<string> {
  const { code, out, err } = await recordCommand(
    (edge) =>
      runTransferCommand(command, {
        ...edge,
        clock: remote.clock,
        process: { pid: process.pid, hostname: 'test' },
        progress: { isTerminal: false, write: () => {} },
        fetch,
        pause: async () => {},
      }),
    { argv: ['--data-dir', localOf(agent), command === 'push' ? '--to' : '--from', address, '--agent-id', agent] },
  );
  if (code !== 0) throw new Error(err);
  return out;
}
