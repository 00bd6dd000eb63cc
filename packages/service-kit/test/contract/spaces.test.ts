import { beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Handlers, ServiceAppOptions } from '../../src/http.ts';
import { createSample, SAMPLE_HANDLERS, type SampleOperations } from '../sample-service.ts';

type InSpace = 'getThing' | 'createThing' | 'getActiveThings';
type Options = ServiceAppOptions<SampleOperations, InSpace>;

/** What happened with the spaces, in order. */
let log: string[];
let fault: Error | null;
beforeEach(() => {
  log = [];
  fault = null;
});

function handlersOf(space: string): Pick<Handlers<SampleOperations>, InSpace> {
  return {
    getThing: ({ path }) => ({ status: 200, body: { name: `${path.name} of ${space}` } }),
    createThing: ({ caller: { agentId, sessionId } }) => {
      log.push(`create in ${space}`);
      return { status: 200, body: { body: {}, agent_id: agentId, session_id: sessionId } };
    },
    // A stream: it goes on after its handler.
    getActiveThings: ({ res }) => {
      res.status(200).type('application/json').write('{"active":');
      setImmediate(() => {
        log.push(`stream of ${space} ends`);
        res.end('true}');
      });
      return undefined;
    },
  };
}

const spaces: NonNullable<Options['spaces']> = {
  operationIds: ['getThing', 'createThing', 'getActiveThings'],
  use: async (name, { makes }, work) => {
    log.push(`enter ${name}${makes ? ', made' : ''}`);
    if (fault) throw fault;
    await work({ handlers: handlersOf(name) });
    log.push(`leave ${name}`);
  },
};

const { getThing: _, createThing: __, getActiveThings: ___, ...others } = SAMPLE_HANDLERS;
const OTHERS = others as Handlers<SampleOperations>;

/** The sample, where three operations happen in a space. */
function sample() {
  return createSample({ options: { handlers: OTHERS, spaces: spaces as never } });
}

describe('operations in a space', () => {
  test('get the handlers of the one that the request names', async () => {
    const { app } = sample();
    expect((await request(app).get('/things/tea')).body).toEqual({ name: 'tea of default' });
    expect((await request(app).get('/things/tea').set('X-Space', 'team-a')).body).toEqual({ name: 'tea of team-a' });
    expect(log).toEqual(['enter default', 'leave default', 'enter team-a', 'leave team-a']);
  });

  test('make it when they write', async () => {
    const { app } = sample();
    await request(app).post('/things').set('X-Space', 'team-a').send({ name: 'tea' }).expect(200);
    expect(log).toEqual(['enter team-a, made', 'create in team-a', 'leave team-a']);
  });

  test('stay in it as long as their stream', async () => {
    const { app } = sample();
    await request(app).get('/things/active').set('X-Space', 'team-a').expect(200, { active: true });
    expect(log).toEqual(['enter team-a', 'stream of team-a ends', 'leave team-a']);
  });

  test('tell why it cannot be opened, and those of the process go on', async () => {
    const { app } = sample();
    fault = new Error('damaged');
    expect((await request(app).get('/things/tea').set('X-Space', 'team-a')).body.code).toBe('internal_error');
    await request(app).get('/things?limit=1').set('X-Space', 'team-a').expect(200);
    expect(log).toEqual(['enter team-a']);
  });

  test('refuse what is no name of one, before it is opened', async () => {
    const { app } = sample();
    const refused = await request(app).get('/things/tea').set('X-Space', 'Team A');
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_identity']);
    expect(log).toEqual([]);
  });

  test('name it in the log and in the audit, unless it is the default one', async () => {
    const { app, lines } = sample();
    await request(app).post('/things').set('X-Space', 'team-a').send({ name: 'tea' });
    await request(app).post('/things').send({ name: 'tea' });
    expect(lines.map(({ msg, space }) => [msg, space])).toEqual([
      ['audit', 'team-a'],
      ['request', 'team-a'],
      ['audit', undefined],
      ['request', undefined],
    ]);
  });

  test('have to be handled by somebody, and to be in the contract', () => {
    const without = { ...spaces, operationIds: spaces.operationIds.slice(1) };
    const options = { handlers: OTHERS, spaces: without as never };
    expect(() => createSample({ options })).toThrow('Operations without a handler: getThing.');
  });
});

test('a service without spaces refuses every one but the default', async () => {
  const { app } = createSample();
  const refused = await request(app).get('/things/tea').set('X-Space', 'team-a');
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_input']);
  expect(refused.body.detail).toBe("This service has no spaces beside 'default': name none.");
  await request(app).get('/things/tea').set('X-Space', 'default').expect(200);
});
