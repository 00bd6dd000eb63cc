import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { HostSocket, oncePerName } from '../src/host-socket.ts';

type Callback = Parameters<LookupFunction>[2];

describe('the look-up of a name', () => {
  /** A system that answers when the test says so. */
  function slowSystem() {
    const asked: { host: string; answer: Callback }[] = [];
    const lookup = oncePerName((host, _options, answer) => asked.push({ host, answer }));
    return { asked, lookup };
  }

  test('asks once for all that want the same name meanwhile, and tells each of them', () => {
    const { asked, lookup } = slowSystem();
    const told = [jest.fn<Callback>(), jest.fn<Callback>(), jest.fn<Callback>()];
    for (const callback of told) lookup('db-1', { all: true }, callback);
    expect(asked.map(({ host }) => host)).toEqual(['db-1']);
    const gone = Object.assign(new Error('gone'), { code: 'EAI_AGAIN' });
    asked[0]?.answer(gone, []);
    for (const callback of told) expect(callback).toHaveBeenCalledWith(gone, []);
  });

  test('of another name, or in another form, does not wait for it', () => {
    const { asked, lookup } = slowSystem();
    lookup('db-1', { all: true }, () => {});
    lookup('db-2', { all: true }, () => {});
    lookup('db-1', { family: 6 }, () => {});
    expect(asked.map(({ host }) => host)).toEqual(['db-1', 'db-2', 'db-1']);
  });

  test('asks anew once it was answered', () => {
    const { asked, lookup } = slowSystem();
    const second = jest.fn<Callback>();
    lookup('db-1', {}, () => {});
    asked[0]?.answer(null, '10.0.0.1', 4);
    lookup('db-1', {}, second);
    expect(asked).toHaveLength(2);
    asked[1]?.answer(null, '10.0.0.2', 4);
    expect(second).toHaveBeenCalledWith(null, '10.0.0.2', 4);
  });
});

test('a socket reaches a host by its name, found that way', async () => {
  const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const lookup: LookupFunction = (host, _options, callback) => {
    asked.push(host);
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  let said = '';
  for await (const part of new HostSocket(lookup).connect(port, 'db-1').setEncoding('utf8')) said += part;
  server.close();
  expect([said, asked]).toEqual(['here', ['db-1']]);
});
