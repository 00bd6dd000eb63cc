import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { listen } from '../../src/http.ts';
import { createSample } from '../sample-service.ts';

describe('requestLog', () => {
  test('writes one line per request, with what the handler adds, without query values and bodies', async () => {
    const { app, lines, clock } = createSample({
      handlers: {
        createThing: () => {
          clock.advance(12.3456);
          return { status: 200, body: { body: null, agent_id: '', session_id: null }, log: { thing_ids: ['t-1'] } };
        },
      },
    });
    const sent = { name: 'secret', session_id: 's' };
    await request(app).post('/things').set({ 'X-Agent-ID': 'a', 'X-Request-ID': 'r-1' }).send(sent);
    await request(app).get('/things?q=secret').set('X-Request-ID', 'r-2');
    expect(lines.filter(({ msg }) => msg === 'request').map(({ time, ...line }) => line)).toEqual([
      {
        level: 'info',
        name: 'sample',
        request_id: 'r-1',
        method: 'POST',
        path: '/things',
        route: '/things',
        agent: 'a',
        session: 's',
        status: 200,
        duration_ms: 12.346,
        thing_ids: ['t-1'],
        msg: 'request',
      },
      {
        level: 'info',
        name: 'sample',
        request_id: 'r-2',
        method: 'GET',
        path: '/things',
        route: '/things',
        agent: 'default',
        session: null,
        status: 200,
        duration_ms: 0,
        msg: 'request',
      },
    ]);
  });

  test('echoes a usable request id', async () => {
    const answer = await request(createSample().app).get('/health').set('X-Request-ID', 'a.B_1.2-3');
    expect(answer.headers['x-request-id']).toBe('a.B_1.2-3');
  });

  test.each(['', 'a b', '{"x":1}', 'x'.repeat(65), 'a:b', 'caf\u00e9'])(
    'replaces the unusable request id %p',
    async (given) => {
      const answer = await request(createSample().app).get('/health').set('X-Request-ID', given);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  test('logs a request whose client has gone', async () => {
    const handler = new EventEmitter();
    const { app, lines } = createSample({
      handlers: {
        getHealth: async ({ res }) => {
          handler.emit('entered');
          await once(res, 'close');
          handler.emit('left');
          return undefined;
        },
      },
    });
    const { server, address } = await listen(app, { host: '127.0.0.1', port: 0 });
    const entered = once(handler, 'entered');
    const socket = connect({ host: address.host, port: address.port });
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await entered;
    const left = once(handler, 'left');
    socket.destroy();
    await left;
    server.close();
    expect(lines).toMatchObject([{ msg: 'request aborted', aborted: true, path: '/health' }]);
  });

  test('is quiet at level silent', async () => {
    const { app, lines } = createSample({ level: 'silent' });
    await request(app).get('/health');
    expect(lines).toEqual([]);
  });
});
