import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { ask, START_MS, say, type TestService } from '../start-service.ts';
import { servicesOnDisk } from './services-on-disk.ts';

const DAY_MS = 86_400_000;
const WORD = 'Rumpelstilzchen';

const inDays = (days: number) => new Date(START_MS + days * DAY_MS).toISOString();

const disk = servicesOnDisk();
const { start, stop, killed } = disk;

function filesWith(word: string, path = disk.dataDir()): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
    .map(({ name }) => name);
}

type Version = {
  version: string;
  by: string | null;
  operation: string;
  reason: string | null;
  run_id: string | null;
  changed: string[];
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

function as(service: TestService, agent = 'ann') {
  const send = (
    method: 'get' | 'put' | 'post' | 'delete',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) => {
    const request = supertest(service.app)[method](path).set('X-Agent-ID', agent).set(headers);
    return body ? request.send(body) : request;
  };
  return {
    send,
    versions: async (id: string): Promise<Version[]> => {
      const answer = await send('get', `/memory/${id}/history`).expect(200);
      return answer.body.versions;
    },
    revert: (id: string, version: string, more: object = {}) =>
      send('post', `/memory/${id}/revert`, { version, ...more }),
    edit: (id: string, change: object) => send('put', `/memory/${id}`, change).expect(200),
    consolidate: async () => (await send('post', '/consolidate', {}).expect(200)).body.report,
  };
}

type Agent = ReturnType<typeof as>;
type Told = { id: string; gist: string; tags: string[] };

describe('the history of a memory', () => {
  test('says who changed what, and a revert makes it what it was, as a change of its own', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', { content: 'The train leaves at nine.', idempotency_key: 'k' });
    const ann = as(service);
    const bob = as(service, 'bob');
    expect(await ann.versions(memory.id)).toEqual([]);
    disk.clock.advance(60_000);
    await bob.edit(memory.id, { gist: 'The bus leaves at ten.', tags: ['travel'] });
    const [edit, ...none] = await ann.versions(memory.id);
    expect(none).toEqual([]);
    expect(edit).toMatchObject({
      at: new Date(START_MS + 60_000).toISOString(),
      by: 'bob',
      operation: 'edit',
      reason: null,
      run_id: null,
      before: { gist: 'The train leaves at nine.', tags: [] },
      after: { gist: 'The bus leaves at ten.', tags: ['travel'] },
    });
    expect(edit?.changed).toEqual(['gist', 'tags']);
    disk.clock.advance(60_000);
    const reverted = await ann.revert(memory.id, edit?.version as string, { reason: 'It was a train.' }).expect(200);
    expect(reverted.body.memory).toMatchObject({ gist: 'The train leaves at nine.', tags: [], agent_id: 'ann' });
    expect((await ask(service, 'ann', 'bus at ten')).memories.map(({ gist }) => gist)).not.toContain(
      'The bus leaves at ten.',
    );
    const [revert, before] = await ann.versions(memory.id);
    expect(revert).toMatchObject({ operation: 'revert', by: 'ann', reason: 'It was a train.' });
    expect(before).toEqual(edit);
    // The same again changes nothing.
    const again = await ann.revert(memory.id, edit?.version as string).expect(200);
    expect(again.headers.etag).toBe(reverted.headers.etag);
    expect(await ann.versions(memory.id)).toHaveLength(2);
    await ann.revert(memory.id, 'none').expect(404);
    await ann.send('get', '/memory/none/history').expect(404);
  });

  test('brings a deleted memory back under its id and key, through a kill and a restart', async () => {
    const service = await start();
    const message = { content: `The wiki password is ${WORD}.`, idempotency_key: 'k' };
    const { memory } = await say(service, 'ann', message);
    await as(service).send('delete', `/memory/${memory.id}`).expect(200);
    await as(service).send('get', `/memory/${memory.id}`).expect(404);
    for (const dataDir of [killed(), null]) {
      if (dataDir === null) await stop(service);
      const after = await start(dataDir === null ? {} : { dataDir });
      const [gone] = await as(after, 'bob').versions(memory.id);
      expect(gone).toMatchObject({ operation: 'delete', by: 'ann', after: null, before: { content: message.content } });
      await as(after, 'bob')
        .revert(memory.id, gone?.version as string)
        .expect(200);
      expect((await ask(after, 'ann', 'wiki password')).memories[0]?.id).toBe(memory.id);
      expect((await say(after, 'ann', message)).memory.id).toBe(memory.id);
    }
  });

  test.each([
    ['a delete', (ann: Agent, id: string) => ann.send('delete', `/memory/${id}`).expect(200)],
    ['another scope', (ann: Agent, id: string) => ann.edit(id, { scope: 'PRIVATE' })],
  ])('takes the place of others again that it had before %s, through a kill and a restart', async (_what, change) => {
    const service = await start();
    const old = [];
    for (const content of ['Lunch is at ten.', 'Lunch is at eleven.', 'Lunch is at noon.']) {
      old.push((await say(service, 'bob', content)).memory.id);
    }
    const { memory: winner } = await say(service, 'ann', { content: 'Lunch is at two.', supersedes: old });
    const [same, reworded, released] = old as [string, string, string];
    disk.clock.advance(60_000);
    // Said before the winner went, so it says nothing about that.
    await as(service).edit(same, { tags: ['lunch'] });
    await as(service).edit(released, { superseded_by: null });
    disk.clock.advance(60_000);
    await change(as(service), winner.id);
    disk.clock.advance(60_000);
    await as(service).edit(same, { tags: ['lunch', 'food'] });
    await as(service).edit(reworded, { gist: 'Lunch was at eleven.' });
    for (const dataDir of [killed(), null]) {
      if (dataDir === null) {
        await as(service).send('post', '/save').expect(200);
        await stop(service);
      }
      const after = await start(dataDir === null ? {} : { dataDir });
      const ann = as(after);
      const [changed] = await ann.versions(winner.id);
      await ann.revert(winner.id, changed?.version as string).expect(200);
      const now = [];
      for (const id of old) now.push((await ann.send('get', `/memory/${id}`)).body.memory);
      expect(now.map((one) => one.superseded_by)).toEqual([winner.id, null, null]);
      expect(now[0].supersession).toMatchObject({ agent_id: 'ann', reason: 'what replaced it was brought back' });
      expect(await ann.versions(same)).toMatchObject([{ operation: 'revert' }, {}, {}, { operation: 'supersede' }]);
    }
  });

  test('supersedes again what it let go of, also where it is otherwise as it was', async () => {
    const service = await start();
    const ann = as(service);
    const { memory: old } = await say(service, 'ann', 'The lamp is green.');
    const { memory: winner } = await say(service, 'ann', { content: 'The lamp is white.', supersedes: [old.id] });
    const successor = async () => (await ann.send('get', `/memory/${old.id}`)).body.memory.superseded_by;
    await ann.edit(winner.id, { scope: 'PRIVATE' });
    await ann.edit(winner.id, { scope: 'TEAM' });
    expect(await successor()).toBe(null);
    const toldFirst = (await ann.versions(winner.id)).at(-1)?.version as string;
    await ann.revert(winner.id, toldFirst).expect(200);
    expect(await successor()).toBe(winner.id);
    const count = (await ann.versions(winner.id)).length;
    await ann.revert(winner.id, toldFirst).expect(200);
    expect(await ann.versions(winner.id)).toHaveLength(count);
    await stop(service);
  });

  test('takes a place again that what had superseded it has had meanwhile', async () => {
    const service = await start();
    const ann = as(service);
    const { memory: old } = await say(service, 'ann', 'Lunch is at ten.');
    const { memory: winner } = await say(service, 'ann', { content: 'Lunch is at noon.', supersedes: [old.id] });
    const { memory: next } = await say(service, 'ann', { content: 'Lunch is at two.', supersedes: [winner.id] });
    const successor = async () => (await ann.send('get', `/memory/${old.id}`)).body.memory.superseded_by;
    await ann.send('delete', `/memory/${winner.id}`).expect(200);
    expect(await successor()).toBe(next.id);
    disk.clock.advance(60_000);
    await ann.edit(old.id, { tags: ['lunch'] });
    const [gone] = await ann.versions(winner.id);
    await ann.revert(winner.id, gone?.version as string).expect(200);
    expect(await successor()).toBe(winner.id);
    expect((await ann.send('get', `/memory/${winner.id}`)).body.memory.superseded_by).toBe(next.id);
  });

  test.each([
    ['deleted', (ann: Agent, id: string) => ann.send('delete', `/memory/${id}`).expect(200)],
    ['expired', async () => disk.clock.advance(DAY_MS)],
  ])('is superseded by what had replaced its successor, which is %s since', async (_how, leave) => {
    const service = await start();
    const ann = as(service);
    const { memory: old } = await say(service, 'ann', 'Lunch is at ten.');
    const noon = { content: 'Lunch is at noon.', supersedes: [old.id], expires_at: inDays(1) };
    const { memory: successor } = await say(service, 'ann', noon);
    const { memory: last } = await say(service, 'ann', { content: 'Lunch is at two.', supersedes: [successor.id] });
    await ann.edit(old.id, { tags: ['lunch'] });
    disk.clock.advance(60_000);
    await leave(ann, successor.id);
    const [edit] = await ann.versions(old.id);
    const back = await ann.revert(old.id, edit?.version as string).expect(200);
    expect(back.body.memory).toMatchObject({
      tags: [],
      superseded_by: last.id,
      supersession: { agent_id: 'ann', reason: 'what replaced it was replaced' },
    });
  });

  test('that was gone is superseded by what had replaced its successor, where all who see it see that', async () => {
    const service = await start();
    const ann = as(service);
    const { memory: old } = await say(service, 'ann', 'Lunch is at ten.');
    const { memory: first } = await say(service, 'ann', { content: 'Lunch is at noon.', supersedes: [old.id] });
    await ann.send('delete', `/memory/${old.id}`).expect(200);
    const { memory: second } = await say(service, 'ann', { content: 'Lunch is at one.', supersedes: [first.id] });
    const { memory: third } = await say(service, 'ann', { content: 'Lunch is at two.', supersedes: [second.id] });
    for (const { id } of [first, second]) await ann.send('delete', `/memory/${id}`).expect(200);
    const [gone] = await ann.versions(old.id);
    const revert = async () =>
      (await ann.revert(old.id, gone?.version as string).expect(200)).body.memory.superseded_by;
    expect(await revert()).toBe(third.id);
    await ann.send('delete', `/memory/${old.id}`).expect(200);
    await ann.edit(third.id, { scope: 'PRIVATE' });
    expect(await revert()).toBeNull();
  });

  test('stays in the place of others through an edit of its words and the revert of that, a kill and a restart', async () => {
    const service = await start();
    const { memory: old } = await say(service, 'bob', 'Lunch is at noon.');
    const { memory: winner } = await say(service, 'ann', { content: 'Lunch is at twoo.', supersedes: [old.id] });
    const lunch = async (at: TestService) => {
      const { strength, ...told } = (await as(at).send('get', `/memory/${old.id}`)).body.memory;
      return told;
    };
    const before = await lunch(service);
    expect(before).toMatchObject({ superseded_by: winner.id, supersession: { agent_id: 'ann', reason: 'said anew' } });
    disk.clock.advance(60_000);
    await as(service, 'bob').edit(winner.id, { gist: 'Lunch is at two.' });
    expect(await lunch(service)).toEqual(before);
    expect((await ask(service, 'ann', 'When is lunch?')).memories.map(({ gist }) => gist)).toEqual([
      'Lunch is at two.',
      'Lunch is at noon.',
    ]);
    const after = await start({ dataDir: killed() });
    expect(await lunch(after)).toEqual(before);
    const [edit] = await as(after).versions(winner.id);
    await as(after)
      .revert(winner.id, edit?.version as string)
      .expect(200);
    expect(await lunch(after)).toEqual(before);
    await as(after).send('delete', `/memory/${winner.id}?erase=true`).expect(200);
    expect(await lunch(after)).toMatchObject({ superseded_by: null, supersession: null });
  });

  test('is brought back with another scope by its creator alone', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', { content: 'The vault key hangs behind door nine.', project: 'p' });
    const [ann, bob] = [as(service), as(service, 'bob')];
    await ann.edit(memory.id, { scope: 'SHARED' });
    await ann.edit(memory.id, { scope: 'TEAM' });
    await bob.send('delete', `/memory/${memory.id}`).expect(200);
    const [{ version: last }, { version: shared }] = (await bob.versions(memory.id)) as [Version, Version, Version];
    const { body } = await bob.revert(memory.id, shared).expect(403);
    expect(body.code).toBe('not_the_creator');
    const elsewhere = () => bob.send('get', `/memory/${memory.id}`, undefined, { 'X-Project': 'q' });
    await elsewhere().expect(404);
    expect((await bob.revert(memory.id, last).expect(200)).body.memory.scope).toBe('TEAM');
    await bob.send('delete', `/memory/${memory.id}`).expect(200);
    await ann.revert(memory.id, shared).expect(200);
    await elsewhere().expect(200);
  });

  test('is not brought back where its key says something else, or there is no room', async () => {
    const service = await start({ config: { maxMemories: 2 } });
    const { memory } = await say(service, 'ann', { content: 'Said first.', idempotency_key: 'k' });
    const ann = as(service);
    await ann.send('delete', `/memory/${memory.id}`).expect(200);
    const [gone] = await ann.versions(memory.id);
    const other = await say(service, 'ann', { content: 'Said then.', idempotency_key: 'k' });
    expect((await ann.revert(memory.id, gone?.version as string)).body).toMatchObject({
      status: 409,
      code: 'cannot_revert',
    });
    await ann.send('delete', `/memory/${other.memory.id}`).expect(200);
    for (const content of ['The kettle is red.', 'Dana owns the garden.']) await say(service, 'ann', content);
    expect((await ann.revert(memory.id, gone?.version as string)).body.code).toBe('memory_limit_reached');
  });

  test('hides what was PRIVATE of another, and everything once the memory is', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', { content: 'My salary talk is on Friday.', scope: 'PRIVATE' });
    const ann = as(service);
    const bob = as(service, 'bob');
    await ann.edit(memory.id, { gist: 'The talk is on Friday.' });
    await bob.send('get', `/memory/${memory.id}/history`).expect(404);
    await ann.edit(memory.id, { scope: 'TEAM' });
    await ann.edit(memory.id, { tags: ['talk'] });
    expect((await ann.versions(memory.id)).map(({ operation }) => operation)).toEqual(['edit', 'edit', 'edit']);
    const seen = await bob.versions(memory.id);
    expect(seen.map(({ changed }) => changed)).toEqual([['tags']]);
    const hidden = (await ann.versions(memory.id)).at(-1)?.version as string;
    await bob.revert(memory.id, hidden).expect(404);
    await ann.edit(memory.id, { scope: 'PRIVATE' });
    await bob.send('get', `/memory/${memory.id}/history`).expect(404);
    await ann.send('delete', `/memory/${memory.id}`).expect(200);
    await bob.send('get', `/memory/${memory.id}/history`).expect(404);
    await bob.send('delete', `/memory/${memory.id}?erase=true`).expect(404);
    expect(await ann.versions(memory.id)).toHaveLength(5);
  });

  test('is not kept with --history-days 0, and a revert and an undo say so', async () => {
    const service = await start({ historyMs: 0 });
    const { memory } = await say(service, 'ann', 'The wiki moves on Friday.');
    await as(service).edit(memory.id, { gist: 'The wiki moves.' });
    expect(await as(service).versions(memory.id)).toEqual([]);
    const why = 'this service keeps no versions (--history-days 0)';
    const revert = await as(service).revert(memory.id, 'mi9x2k4c');
    expect([revert.status, revert.body.code]).toEqual([404, 'unknown_version']);
    expect(revert.body.detail).toContain(`has no version 'mi9x2k4c': ${why}, edit the memory instead.`);
    const undo = await as(service).send('post', `/consolidate/${memory.id}/undo`, {});
    expect([undo.status, undo.body.code]).toEqual([404, 'unknown_run']);
    expect(undo.body.detail).toContain(`can be undone: ${why}. POST /pruned/restore brings back what it pruned.`);
  });

  test('ends after its days, by the nightly run', async () => {
    const service = await start({ historyMs: 2 * DAY_MS });
    const { memory } = await say(service, 'ann', `The wiki password is ${WORD}.`);
    await as(service).edit(memory.id, { gist: 'The wiki has a password.' });
    await as(service).send('delete', `/memory/${memory.id}`).expect(200);
    await as(service).send('post', '/save').expect(200);
    expect(filesWith(WORD)).toEqual(['history.ndjson']);
    disk.clock.advance(2 * DAY_MS + 1);
    await as(service).send('get', `/memory/${memory.id}/history`).expect(404);
    await as(service).send('post', '/end_of_day', {}).expect(200);
    expect(filesWith(WORD)).toEqual([]);
    expect(service.opened.indexes.versions.size).toBe(0);
  });
});

describe('an erasure', () => {
  test('leaves nothing on the disk when it is answered', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', `The wiki password is ${WORD}.`);
    const kept = await say(service, 'ann', 'Kestrel ships on Friday.');
    await as(service).edit(memory.id, { tags: ['secret'] });
    await as(service).edit(kept.memory.id, { tags: ['release'] });
    await as(service).send('post', '/save').expect(200);
    expect(filesWith(WORD)).not.toEqual([]);
    await as(service).send('delete', `/memory/${memory.id}?erase=true`).expect(200);
    const copy = killed();
    expect(filesWith(WORD, copy)).toEqual([]);
    const after = await start({ dataDir: copy });
    await as(after).send('get', `/memory/${memory.id}/history`).expect(404);
    expect(await as(after).versions(kept.memory.id)).toHaveLength(1);
  });

  test('is not brought back by a revert that runs beside its erasure, or that of its agent', async () => {
    const service = await start();
    const ann = as(service);
    for (const [number, erasesFirst] of [true, false, true, false].entries()) {
      const { memory } = await say(service, 'ann', `${WORD} is the name, told in ${1990 + number}.`);
      await ann.send('delete', `/memory/${memory.id}`).expect(200);
      const [gone] = await ann.versions(memory.id);
      const what = number < 2 ? `/memory/${memory.id}` : '/memories/agent/ann';
      const erase = async () => await ann.send('delete', `${what}?erase=true`).expect(200);
      const revert = async () => (await ann.revert(memory.id, gone?.version as string)).status;
      await Promise.all(erasesFirst ? [erase(), revert()] : [revert(), erase()]);
      await ann.send('get', `/memory/${memory.id}`).expect(404);
      expect(filesWith(WORD)).toEqual([]);
    }
  });

  test('takes what is left of a memory that was deleted, pruned or absorbed before', async () => {
    const service = await start();
    const ann = as(service);
    const { memory } = await say(service, 'ann', { content: `The wiki password is ${WORD}.`, session_id: 'a' });
    await say(service, 'ann', { content: `the wiki password is ${WORD}`, session_id: 'b' });
    expect(await ann.consolidate()).toMatchObject({ deduplicated: 1 });
    await ann.send('delete', `/memory/${memory.id}`).expect(200);
    await ann.send('post', '/save').expect(200);
    expect(filesWith(WORD)).not.toEqual([]);
    await ann.send('delete', `/memory/${memory.id}?erase=true`).expect(200);
    expect(filesWith(WORD)).toEqual(['history.ndjson']);
    // The near duplicate is a memory of its own, and its version is erased with all of the agent.
    await ann.send('delete', '/memories/agent/ann?erase=true').expect(200);
    expect(filesWith(WORD)).toEqual([]);
    await ann.send('delete', '/memories/agent/ann?erase=true').expect(404);
  });
});

describe('If-Match', () => {
  test('of another version is refused with the memory as it is, by every change', async () => {
    const service = await start();
    const ann = as(service);
    const { memory } = await say(service, 'ann', 'The train leaves at nine.');
    const read = await ann.send('get', `/memory/${memory.id}`);
    const old = { 'If-Match': read.headers.etag as string };
    const { headers } = await as(service, 'bob').edit(memory.id, { tags: ['travel'] });
    const [edit] = await ann.versions(memory.id);
    for (const answer of [
      await ann.send('put', `/memory/${memory.id}`, { tags: [] }, old),
      await ann.send('delete', `/memory/${memory.id}`, undefined, old),
      await ann.send('post', `/memory/${memory.id}/revert`, { version: edit?.version }, old),
    ]) {
      expect(answer.status).toBe(412);
      expect(answer.body).toMatchObject({ etag: headers.etag, current: { id: memory.id, tags: ['travel'] } });
    }
    await ann.send('delete', `/memory/${memory.id}`, undefined, { 'If-Match': headers.etag as string }).expect(200);
  });

  test('of what was pruned or deleted since is refused, and takes nothing of it away', async () => {
    const service = await start();
    const ann = as(service);
    const old = { content: 'The train leaves at nine.', importance: 0, timestamp: '2026-01-01T00:00:00Z' };
    const { memory } = await say(service, 'ann', old);
    const { headers } = await ann.send('get', `/memory/${memory.id}`);
    const read = { 'If-Match': headers.etag as string };
    const prune = { prune_after_days: 1, prune_strength: 1, keep_per_agent: 0 };
    expect((await ann.send('post', '/consolidate', prune)).body.report).toMatchObject({ pruned: 1 });
    for (const query of ['', '?erase=true']) {
      const { status, body } = await ann.send('delete', `/memory/${memory.id}${query}`, undefined, read);
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await ann.send('get', '/pruned')).body.total).toBe(1);
    await ann.send('delete', `/memory/${memory.id}`).expect(200);
    expect((await ann.send('get', '/pruned')).body.total).toBe(0);
    await ann.send('delete', `/memory/${memory.id}?erase=true`, undefined, read).expect(412);
    expect(await ann.versions(memory.id)).not.toEqual([]);
    await ann.send('delete', `/memory/${memory.id}?erase=true`).expect(200);
    await ann.send('get', `/memory/${memory.id}/history`).expect(404);
  });
});

describe('If-Match of', () => {
  test.each([
    ['a tag without quotes', (etag: string) => etag.slice(1, -1)],
    ['nothing', () => ''],
    ['one quote', (etag: string) => etag.slice(1)],
    ['two tags without a comma', (etag: string) => `${etag} ${etag}`],
    ['a star among tags', (etag: string) => `${etag}, *`],
  ])('%s is refused with how it is written', async (_what, made) => {
    const service = await start();
    const ann = as(service);
    const { memory } = await say(service, 'ann', 'The train leaves at nine.');
    const { headers } = await ann.send('get', `/memory/${memory.id}`);
    const sent = { 'If-Match': made(headers.etag as string) };
    const answer = await ann.send('put', `/memory/${memory.id}`, { tags: ['a'] }, sent);
    expect(answer.body).toMatchObject({ status: 422, errors: [{ where: 'header/If-Match' }] });
    expect(answer.body.detail).toContain('with its quotes');
  });

  test('a weak tag fits no version, and one of several may fit', async () => {
    const service = await start();
    const ann = as(service);
    const { memory } = await say(service, 'ann', 'The train leaves at nine.');
    const path = `/memory/${memory.id}`;
    const { etag } = (await ann.send('get', path)).headers;
    const weak = await ann.send('put', path, { tags: ['a'] }, { 'If-Match': `W/${etag}` });
    expect(weak.body).toMatchObject({ status: 412, etag, current: { tags: [] } });
    expect(weak.body.detail).toContain('without W/');
    for (const sent of [
      `"a,b" ,, ${etag}`,
      `, ${etag},`,
      `W/"a",${(await ann.send('get', path)).headers.etag}`,
      ' * ',
    ]) {
      const current = (await ann.send('get', path)).headers.etag as string;
      const header = sent.replace(etag as string, current);
      await ann.send('put', path, { tags: [`t${sent.length}`] }, { 'If-Match': header }).expect(200);
    }
  });
});

describe('an edit that changes nothing', () => {
  test('makes no version, and leaves the ETag as it is', async () => {
    const service = await start();
    const ann = as(service);
    const { memory } = await say(service, 'ann', { content: 'The train leaves at nine.', tags: ['travel'] });
    const path = `/memory/${memory.id}`;
    const { etag } = (await ann.send('get', path)).headers;
    disk.clock.advance(60_000);
    const same = { gist: 'The train leaves at nine.', tags: ['travel'], superseded_by: null, valid_until: null };
    expect((await ann.edit(memory.id, same)).headers.etag).toBe(etag);
    expect(await ann.versions(memory.id)).toEqual([]);
  });
});

describe('the undo of a consolidation', () => {
  const POOL = [
    'The database connection pool of the ledger service is capped at 10 connections per replica.',
    'The ledger service ran out of database connections when the pool of connections was full.',
    'We raised the database connection pool of the ledger service to 18 connections per replica.',
  ];

  /** A service that has derived one memory from what was said of the pool. */
  const withDerived = async () => {
    const service = await start();
    const ann = as(service);
    for (const content of POOL) await say(service, 'ann', { content, session_id: 'pool' });
    const { ids } = await ann.consolidate();
    const derived: string = ids.semantic_created[0].id;
    const { gist, sources } = (await ann.send('get', `/memory/${derived}`).expect(200)).body.memory;
    return { service, ann, derived, gist, sources };
  };

  test('brings back what was made one, removes what was derived, and changes nothing a second time', async () => {
    const service = await start();
    const ann = as(service);
    for (const content of POOL) await say(service, 'ann', { content, session_id: 'pool' });
    const one = await say(service, 'ann', { content: 'The staging database runs on port 5433.', session_id: 's1' });
    const other = await say(service, 'bob', {
      content: 'the staging database runs on port 5433',
      session_id: 's2',
      tags: ['again'],
    });
    const listed = async () => (await ann.send('get', '/memories?limit=100')).body.memories as { id: string }[];
    const before = (await listed()).map(({ id }) => id).sort();
    const report = await ann.consolidate();
    expect(report).toMatchObject({ deduplicated: 1, semantic_created: 1 });
    expect((await ann.send('get', '/consolidate')).body.last_report.run_id).toBe(report.run_id);
    const [absorbed] = await ann.versions(other.memory.id);
    expect(absorbed).toMatchObject({ operation: 'absorb', by: null, run_id: report.run_id, after: null });
    expect((await ann.revert(other.memory.id, absorbed?.version as string)).body).toMatchObject({
      code: 'cannot_revert',
      absorbed_by: one.memory.id,
    });
    const undo = `/consolidate/${report.run_id}/undo`;
    const undone = (await ann.send('post', undo).expect(200)).body;
    expect(undone).toMatchObject({
      set_apart: [other.memory.id],
      removed: [report.ids.semantic_created[0].id],
      put_back: [],
      restored: [],
      not_undone: [],
    });
    expect((await listed()).map(({ id }) => id).sort()).toEqual(before);
    expect((await ann.send('get', `/memory/${one.memory.id}`)).body.memory.tags).toEqual([]);
    expect((await ann.send('get', `/memory/${other.memory.id}`)).body.memory).toMatchObject({
      agent_id: 'bob',
      tags: ['again'],
    });
    const twice = (await ann.send('post', undo).expect(200)).body;
    expect(twice).toMatchObject({ set_apart: [], removed: [], put_back: [], restored: [] });
    const reasons = twice.not_undone.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toEqual(Array.from({ length: 3 }, () => 'it is undone already'));
    // Also of what was changed after that.
    await ann.edit(one.memory.id, { tags: ['staging'] });
    expect((await ann.send('post', undo).expect(200)).body.not_undone).toEqual(twice.not_undone);
    // They were told apart, so the next run does not make them one.
    expect(await ann.consolidate()).toMatchObject({ deduplicated: 0 });
    await ann.send('post', '/consolidate/none/undo').expect(404);
  });

  test('takes back the part that is named, and leaves the rest', async () => {
    const service = await start();
    const ann = as(service);
    for (const content of POOL) await say(service, 'ann', { content, session_id: 'pool' });
    const one = await say(service, 'ann', { content: 'The staging database runs on port 5433.', session_id: 's1' });
    const other = await say(service, 'bob', { content: 'the staging database runs on port 5433', session_id: 's2' });
    const report = await ann.consolidate();
    const derived = report.ids.semantic_created[0].id;
    const undo = (ids: string[], status = 200) =>
      ann.send('post', `/consolidate/${report.run_id}/undo`, { ids }).expect(status);
    const nothing = { set_apart: [], removed: [], put_back: [], restored: [], not_undone: [] };
    // The id of either leads to both.
    expect((await undo([other.memory.id])).body).toMatchObject({ ...nothing, set_apart: [other.memory.id] });
    expect((await ann.send('get', `/memory/${other.memory.id}`)).body.memory.id).toBe(other.memory.id);
    await ann.send('get', `/memory/${derived}`).expect(200);
    expect((await undo([derived])).body).toMatchObject({ ...nothing, removed: [derived] });
    await ann.send('get', `/memory/${derived}`).expect(404);
    expect((await undo([one.memory.id])).body).toMatchObject({
      ...nothing,
      not_undone: [{ id: one.memory.id, reason: 'it is undone already' }],
    });
    const { memory } = await say(service, 'ann', { content: 'Nothing was done to this one.' });
    expect((await undo([memory.id], 404)).body.code).toBe('unknown_run');
    await undo([], 422);
  });

  test('takes back what was derived also after its sources are separate again, once, through a kill', async () => {
    const service = await start();
    const ann = as(service);
    for (const content of POOL) await say(service, 'ann', { content, session_id: 'pool' });
    const { memory: twin } = await say(service, 'bob', {
      content: (POOL[0] as string).toLowerCase(),
      session_id: 's2',
    });
    const report = await ann.consolidate();
    expect(report).toMatchObject({ deduplicated: 1, semantic_created: 1 });
    const derived = report.ids.semantic_created[0].id;
    const undo = async (ids: string[]) =>
      (await ann.send('post', `/consolidate/${report.run_id}/undo`, { ids }).expect(200)).body;
    expect((await undo([twin.id])).set_apart).toEqual([twin.id]);
    expect(await undo([derived])).toMatchObject({ removed: [derived], not_undone: [] });
    const again = [{ id: derived, operation: 'derive', reason: 'it is undone already' }];
    expect(await undo([derived])).toMatchObject({ removed: [], not_undone: again });
    const after = as(await start({ dataDir: killed() }));
    await after.send('get', `/memory/${derived}`).expect(404);
    expect((await after.send('get', `/memory/${twin.id}`).expect(200)).body.memory.id).toBe(twin.id);
    const path = `/consolidate/${report.run_id}/undo`;
    expect((await after.send('post', path, { ids: [derived] }).expect(200)).body.not_undone).toEqual(again);
  });

  test('is told with the last run, to each who sees nothing more of it, through a kill', async () => {
    const service = await start();
    const twice = async (agent: string, content: string, scope: string) => {
      await say(service, agent, { content, scope, session_id: 's1' });
      await say(service, agent, { content: content.toLowerCase(), scope, session_id: 's2' });
    };
    await twice('ann', 'The staging database runs on port 5433.', 'TEAM');
    await twice('ann', 'The staging cache runs on port 6380.', 'TEAM');
    await twice('bob', 'My locker in the hall is number 14.', 'PRIVATE');
    const [ann, bob] = [as(service), as(service, 'bob')];
    const { run_id: run, ids, undone } = await bob.consolidate();
    expect([undone, ids.deduplicated.length]).toEqual([false, 3]);
    const told = async (whose: Agent) => (await whose.send('get', '/consolidate').expect(200)).body.last_report.undone;
    const ofHealth = async () => (await ann.send('get', '/health')).body.consolidation.last_report.undone;
    await ann.send('post', `/consolidate/${run}/undo`, { ids: [ids.deduplicated[0].id] }).expect(200);
    expect([await told(ann), await ofHealth()]).toEqual([false, false]);
    await ann.send('post', `/consolidate/${run}/undo`).expect(200);
    expect([await told(ann), await told(bob), await ofHealth()]).toEqual([true, false, true]);
    await bob.send('post', `/consolidate/${run}/undo`).expect(200);
    const after = await start({ dataDir: killed() });
    expect([await told(as(after)), await told(as(after, 'bob'))]).toEqual([true, true]);
    await say(service, 'ann', { content: 'The ramp is wet.', session_id: 's1' });
    await say(service, 'ann', { content: 'the ramp is wet', session_id: 's2' });
    await ann.consolidate();
    expect(await told(ann)).toBe(false);
  });

  test('is told as part of a run to one who may change all of it in its project, and none beyond', async () => {
    const service = await start();
    const ann = as(service);
    for (const project of ['north', 'south'])
      for (const session_id of ['s1', 's2'])
        await ann
          .send(
            'post',
            '/ingest',
            { content: `The ${project} gate opens at six.`, session_id, scope: 'SHARED' },
            {
              'X-Project': project,
            },
          )
          .expect(200);
    const { run_id: run } = await ann.consolidate();
    const told = async (headers = {}) =>
      (await ann.send('get', '/consolidate', undefined, headers).expect(200)).body.last_report.undone;
    const north = { 'X-Project': 'north' };
    await ann.send('post', `/consolidate/${run}/undo`, undefined, north).expect(200);
    expect([await told(north), await told()]).toEqual([false, false]);
    await ann.send('post', `/consolidate/${run}/undo`).expect(200);
    expect([await told(north), await told()]).toEqual([true, true]);
  });

  test('makes what was derived again what it was, and brings back what was pruned', async () => {
    const { service, ann, derived, gist, sources } = await withDerived();
    await say(service, 'ann', {
      content: 'The database connection pool of the ledger service now holds 24 connections per replica.',
      session_id: 'pool',
    });
    const small = { content: 'Sounds good, see you!', importance: 0.1, timestamp: '2026-01-05T10:00:00Z' };
    const { memory: weak } = await say(service, 'ann', small);
    const again = (await ann.send('post', '/consolidate', { keep_per_agent: 0 }).expect(200)).body.report;
    expect(again).toMatchObject({ semantic_rebuilt: 1, pruned: 1 });
    expect((await ann.send('get', `/memory/${derived}`)).body.memory.sources).toHaveLength(sources.length + 1);
    await ann.send('get', `/memory/${weak.id}`).expect(404);
    const undo = `/consolidate/${again.run_id}/undo`;
    expect((await ann.send('post', undo).expect(200)).body).toMatchObject({
      put_back: [derived],
      restored: [weak.id],
      not_undone: [],
    });
    expect((await ann.send('get', `/memory/${derived}`)).body.memory).toMatchObject({ gist, sources });
    expect((await ann.send('get', `/memory/${weak.id}`).expect(200)).body.memory.gist).toBe(small.content);
    expect((await ann.send('get', '/pruned')).body.total).toBe(0);
    expect((await ask(service, 'ann', 'Sounds good, see you!')).memories.map(({ id }) => id)).toContain(weak.id);
  });

  test('takes back one run after the other, the newest first', async () => {
    const service = await start();
    const ann = as(service);
    const listed = async () =>
      (await ann.send('get', '/memories?limit=100')).body.memories.map(({ id, gist, tags }: Told) => [id, gist, tags]);
    const staging = (session_id: string, content: string, tag: string) =>
      say(service, 'ann', { content, session_id, tags: [tag] });
    for (const content of POOL) await say(service, 'ann', { content, session_id: 'pool' });
    await staging('s1', 'The staging database runs on port 5433.', 'one');
    await staging('s2', 'the staging database runs on port 5433', 'two');
    const told = await listed();
    disk.clock.advance(DAY_MS);
    const first = await ann.consolidate();
    expect(first).toMatchObject({ semantic_created: 1, deduplicated: 1 });
    await say(service, 'ann', {
      content: 'The database connection pool of the ledger service now holds 24 connections per replica.',
      session_id: 'pool',
    });
    await staging('s3', 'The STAGING database runs on port 5433!', 'three');
    disk.clock.advance(DAY_MS);
    const second = await ann.consolidate();
    expect(second).toMatchObject({ semantic_rebuilt: 1, deduplicated: 1 });
    await stop(service);
    const later = await start();
    disk.clock.advance(DAY_MS);
    for (const { run_id } of [second, first]) {
      const undone = (await as(later).send('post', `/consolidate/${run_id}/undo`).expect(200)).body;
      expect(undone.not_undone).toEqual([]);
    }
    const left = (await as(later).send('get', '/memories?limit=100')).body.memories;
    const ids = told.map(([id]: [string]) => id);
    const same = left.filter(({ id }: Told) => ids.includes(id)).map(({ id, gist, tags }: Told) => [id, gist, tags]);
    expect(same).toEqual(told);
    expect(left).toHaveLength(told.length + 2);
  });

  test('takes back what was only said again since, and leaves what that brought', async () => {
    const service = await start();
    const ann = as(service);
    const [first, ...others] = POOL.map((content) => ({ content, session_id: 'pool' }));
    for (const message of [first, ...others]) await say(service, 'ann', message as { content: string });
    const staging = { content: 'The staging database runs on port 5433.', session_id: 's1', tags: ['own'] };
    const one = await say(service, 'ann', staging);
    const twin = { content: 'the staging database runs on port 5433', session_id: 's2', tags: ['twin'] };
    const other = await say(service, 'ann', twin);
    const report = await ann.consolidate();
    expect(report).toMatchObject({ deduplicated: 1, semantic_created: 1 });
    const more = { tags: ['more'], metadata: { run: 7 }, importance: 0.95 };
    const repeats = [
      { ...staging, ...more, idempotency_key: 'k1' },
      { ...twin, ...more, idempotency_key: 'k2' },
    ];
    for (const message of [...repeats, ...repeats]) {
      expect((await say(service, 'ann', message)).memory.id).toBe(one.memory.id);
    }
    await say(service, 'ann', { ...(first as { content: string }), tags: ['pool'] });
    const undone = (await ann.send('post', `/consolidate/${report.run_id}/undo`).expect(200)).body;
    expect(undone).toMatchObject({
      set_apart: [other.memory.id],
      removed: [report.ids.semantic_created[0].id],
      not_undone: [],
    });
    const told = async (id: string) => (await ann.send('get', `/memory/${id}`)).body.memory;
    expect(await told(one.memory.id)).toMatchObject({
      tags: ['own', 'more'],
      metadata: { run: 7 },
      importance: 0.95,
    });
    expect(await told(other.memory.id)).toMatchObject({ tags: ['twin'], metadata: {} });
    // Each key leads to the memory whose words came with it.
    disk.clock.advance(2 * DAY_MS);
    const idOf = async (message: { content: string; idempotency_key: string }) =>
      (await say(service, 'ann', message)).memory.id;
    const found: string[] = [];
    for (const message of repeats) found.push(await idOf(message));
    expect(found).toEqual([one.memory.id, other.memory.id]);
  });

  test('makes what was derived again what it was, where a source was only said again since', async () => {
    const { service, ann, derived, gist, sources } = await withDerived();
    disk.clock.advance(1000);
    await say(service, 'ann', {
      content: 'The database connection pool of the ledger service now holds 24 connections per replica.',
      session_id: 'pool',
    });
    const again = await ann.consolidate();
    expect(again).toMatchObject({ semantic_rebuilt: 1 });
    disk.clock.advance(1000);
    const repeat = { content: POOL[0] as string, session_id: 'pool', tags: ['pool'] };
    const { memory } = await say(service, 'ann', repeat);
    const undone = (await ann.send('post', `/consolidate/${again.run_id}/undo`).expect(200)).body;
    expect(undone).toMatchObject({ put_back: [derived], not_undone: [] });
    expect((await ann.send('get', `/memory/${derived}`)).body.memory).toMatchObject({ gist, sources });
    expect((await ann.send('get', `/memory/${memory.id}`)).body.memory.tags).toEqual(['pool']);
  });

  test('leaves what somebody has changed since, and says so', async () => {
    const service = await start();
    const ann = as(service);
    const one = await say(service, 'ann', { content: 'The staging database runs on port 5433.', session_id: 's1' });
    const other = await say(service, 'ann', { content: 'the staging database runs on port 5433', session_id: 's2' });
    const { run_id } = await ann.consolidate();
    await ann.edit(one.memory.id, { tags: ['staging'] });
    await say(service, 'ann', { content: 'The staging database runs on port 5433.', session_id: 's1', tags: ['x'] });
    const undone = (await ann.send('post', `/consolidate/${run_id}/undo`).expect(200)).body;
    expect(undone).toMatchObject({
      set_apart: [],
      not_undone: [
        { id: one.memory.id, operation: 'absorb', reason: 'it has changed since' },
        { id: other.memory.id, operation: 'absorb', reason: expect.stringContaining(one.memory.id) },
      ],
    });
  });
});
