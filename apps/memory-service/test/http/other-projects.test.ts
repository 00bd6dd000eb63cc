import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

/** What project till shares is read in project shop, and changed by nobody there: not in what goes round an edit either. */
let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(async () => await service.close());
afterAll(closeFastEmbedder);

async function send(project: string, method: 'get' | 'post' | 'put' | 'delete', path: string, body: object = {}) {
  const request = supertest(service.app)[method](path).set('X-Agent-ID', 'bob').set('X-Project', project);
  return await (method === 'get' ? request : request.send(body));
}

const shared = async (agent: string, content: string) =>
  (await say(service, agent, { content, project: 'till', scope: 'SHARED' })).memory.id;
const memory = async (id: string) => (await send('till', 'get', `/memory/${id}`)).body.memory;

describe('what another project shares', () => {
  test('stays where the run that derived it is undone', async () => {
    for (const part of ['pump', 'valve', 'gauge']) {
      await shared('ann', `The Nightshade turbine has a leaking turbine ${part} at the Nightshade turbine hall.`);
    }
    const { report } = (await send('till', 'post', '/consolidate')).body;
    const [{ id }] = report.ids.semantic_created;
    const undo = async (project: string) => (await send(project, 'post', `/consolidate/${report.run_id}/undo`)).body;
    const reason = 'it belongs to another project, which shares it';
    expect(await undo('shop')).toMatchObject({ removed: [], not_undone: [{ id, operation: 'derive', reason }] });
    expect(await memory(id)).toMatchObject({ kind: 'semantic', project: 'till' });
    expect(await undo('till')).toMatchObject({ removed: [id], not_undone: [] });
  });

  test.each([{ reopen: true }, { dismiss: true }])('stays superseded where a decision is to be %j', async (verdict) => {
    const loser = await shared('ann', 'Backups of the ledger database are kept for 30 days.');
    const winner = await shared('cid', 'Backups of the ledger database are kept for 90 days.');
    const { contradictions } = (await send('till', 'post', '/contradictions')).body;
    const resolve = async (project: string, said: object) =>
      await send(project, 'post', `/contradictions/${contradictions[0].id}/resolve`, said);
    expect((await resolve('till', { winner })).status).toBe(200);
    const { status, body } = await resolve('shop', verdict);
    expect([status, body.code]).toEqual([403, 'other_project']);
    expect((await memory(loser)).superseded_by).toBe(winner);
    expect((await resolve('till', verdict)).status).toBe(200);
    expect((await memory(loser)).superseded_by).toBeNull();
  });
});
