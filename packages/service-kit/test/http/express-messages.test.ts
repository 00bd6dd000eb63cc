import { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { listen } from '../../src/http.ts';
import { createSample } from '../sample-service.ts';

const prototypesOf = (...messages: object[]) => messages.map((message) => Object.getPrototypeOf(message));

test('Express changes the prototype of no request and of no answer of a server that listens', async () => {
  const asMade: object[] = [];
  const asHandled: object[] = [];
  const { app } = createSample({
    handlers: {
      getHealth: async ({ req, res }) => {
        asHandled.push(...prototypesOf(req, res));
        expect([req instanceof IncomingMessage, res instanceof ServerResponse]).toEqual([true, true]);
        return { status: 200, body: { status: 'ok' } };
      },
    },
  });
  const { server, address } = await listen(app, { host: '127.0.0.1', port: 0 });
  try {
    server.prependListener('request', (req, res) => void asMade.push(...prototypesOf(req, res)));
    expect((await request(address.url).get('/health')).body).toEqual({ status: 'ok' });
    expect((await request(address.url).head('/health')).status).toBe(200);
    expect(asHandled).toHaveLength(4);
    for (const [index, prototype] of asHandled.entries()) expect(Object.is(prototype, asMade[index])).toBe(true);
    expect(Object.is(asMade[0], app.request) && Object.is(asMade[1], app.response)).toBe(true);
  } finally {
    server.close();
  }
});
