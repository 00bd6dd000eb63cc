import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { mostConnections } from '../../src/http/most-connections.ts';
import { listen } from '../../src/http.ts';
import { createLog, gracefulStop, runService } from '../../src/index.ts';
import { rawExchange } from '../raw-exchange.ts';

const ok = (_req: IncomingMessage, res: ServerResponse) => void res.end('ok');
const local = { host: '127.0.0.1', port: 0 };
const log = createLog({ name: 'x', level: 'silent' });

/** Stands for the process: keeps what is said and resolves `exited` with the code. */
function fakeProcess() {
  const edge = new EventEmitter();
  const said = { out: '', err: '' };
  let leave: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    leave = resolve;
  });
  return Object.assign(edge, {
    said,
    exited,
    exit: (code: number) => leave(code),
    stdout: {
      write: (line: string) => {
        said.out += line;
      },
    },
    stderr: {
      write: (line: string) => {
        said.err += line;
      },
    },
  });
}

describe('listen', () => {
  test('picks a free port and says which', async () => {
    const { server, address } = await listen(ok, local);
    expect(address.url).toBe(`http://127.0.0.1:${address.port}`);
    expect((await request(address.url).get('/')).status).toBe(200);
    await gracefulStop({ server });
  });

  test('says what to do when the port is in use', async () => {
    const { server, address } = await listen(ok, local);
    await expect(listen(ok, address)).rejects.toThrow(
      `Port ${address.port} on 127.0.0.1 is in use: stop what runs there or choose another port (0 picks a free one).`,
    );
    await gracefulStop({ server });
  });

  test('says what to do when the address is not of this machine', async () => {
    await expect(listen(ok, { host: '192.0.2.1', port: 0 })).rejects.toThrow('192.0.2.1 is no address of this machine');
  });
});

describe('a connection', () => {
  const readAll = (req: IncomingMessage, res: ServerResponse) => void req.resume().once('end', () => res.end('all'));
  const head = 'POST / HTTP/1.1\r\nHost: x\r\n';
  const post = (type: string) => `${head}Content-Type: ${type}\r\nContent-Length: 3\r\n\r\n1`;
  const problem = (answer: string) => {
    const [head, body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain('\r\nContent-Type: application/problem+json');
    const { status, code } = JSON.parse(body);
    return [head?.split(' ')[1], status, code];
  };
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400, 'malformed_http'],
    ['an Expect that nobody knows', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n', 417, 'expectation_failed'],
    ['headers of 20 kB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('that sends %s is answered with a problem document and closed', async (_, bytes, status, code) => {
    const listening = await listen(ok, local);
    expect(problem(await rawExchange(listening, bytes))).toEqual([String(status), status, code]);
    await gracefulStop(listening);
  });

  test.each([
    ['a body with fewer bytes than it says', post('application/json')],
    ['a body without its last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`],
  ])('that ends behind %s is told that it broke off', async (_, bytes) => {
    const listening = await listen(readAll, local);
    expect(problem(await rawExchange(listening, bytes, { isHalfClosed: true }))).toEqual(['400', 400, 'broken_off']);
    await gracefulStop(listening);
  });

  test('that ends within the headers of a second request is told that this is no HTTP', async () => {
    const listening = await listen(ok, local);
    const answer = await rawExchange(listening, `GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /`, { isHalfClosed: true });
    expect(problem(answer.slice(answer.indexOf('HTTP/1.1 400')))).toEqual(['400', 400, 'malformed_http']);
    await gracefulStop(listening);
  });

  test('that sends an unknown Expect behind a request is answered in turn', async () => {
    const listening = await listen((_req, res) => void setImmediate(() => res.end('first')), local);
    const line = 'GET / HTTP/1.1\r\nHost: x\r\n';
    const answer = await rawExchange(listening, `${line}\r\n${line}Expect: 200-ok\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417']);
    await gracefulStop(listening);
  });

  test('whose requests do not wait for answers gets each in turn, begun when the one before is answered', async () => {
    const begun: string[] = [];
    const waiting: ServerResponse[] = [];
    const listening = await listen((req, res) => {
      begun.push(req.url ?? '');
      waiting.push(res);
      listening.server.emit('begun');
    }, local);
    const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const answer = rawExchange(listening, line('/1') + line('/2') + line('/3', 'Connection: close\r\n'));
    for (const before of [1, 2, 3]) {
      while (waiting.length === 0) await once(listening.server, 'begun');
      expect(begun).toHaveLength(before);
      waiting.pop()?.end(`answer ${before}`);
    }
    expect((await answer).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
    await gracefulStop(listening);
  });

  test('whose requests do not wait for answers lets others have their turn between two', async () => {
    const order: string[] = [];
    const listening = await listen((req, res) => {
      order.push(req.url ?? '');
      setImmediate(() => order.push('others'));
      res.end('ok');
    }, local);
    const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    await rawExchange(listening, line('/1') + line('/2', 'Connection: close\r\n'));
    expect(order.slice(0, 3)).toEqual(['/1', 'others', '/2']);
    await gracefulStop(listening);
  });

  test('that takes nothing of its answer is cut off', async () => {
    const size = 64 * 1024 * 1024;
    const listening = await listen((req, res) => {
      res.end(Buffer.alloc(size));
      // As after the two minutes.
      setImmediate(() => listening.server.emit('timeout', req.socket));
    }, local);
    expect(listening.server.timeout).toBe(120_000);
    const { port, host } = listening.address;
    const socket = connect({ port, host }).pause();
    const [connection] = await once(listening.server, 'connection');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(connection, 'close');
    await once(
      socket.resume().on('error', () => {}),
      'close',
    );
    expect(socket.bytesRead).toBeLessThan(size);
    await gracefulStop(listening);
  });

  test('that waits for an answer for long gets it', async () => {
    const listening = await listen((req, res) => {
      listening.server.emit('timeout', req.socket);
      res.end('late');
    }, local);
    const answer = await rawExchange(listening, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 .*late$/s);
    await gracefulStop(listening);
  });

  test('above as many as may be is closed at once', async () => {
    const listening = await listen(ok, { ...local, mostConnections: 1 });
    const { port, host } = listening.address;
    const first = connect({ port, host });
    await once(first, 'connect');
    const second = connect({ port, host }).resume();
    const [refused] = await Promise.all([once(listening.server, 'drop'), once(second, 'close')]);
    expect(refused).toHaveLength(1);
    first.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(String(await once(first, 'data'))).toMatch(/^HTTP\/1.1 200/);
    await gracefulStop(listening);
  });

  test.each([
    ['20000', 19_488],
    ['1024', 512],
    ['256', 128],
    ['unlimited', Number.POSITIVE_INFINITY],
  ])('is one of so many that files have room, of %s that may be open', (files, most) => {
    const limits = `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${files}    524288   files\n`;
    expect(mostConnections(limits)).toBe(most);
  });

  test.each(['application/json', 'application/x-ndjson'])('whose body of %s stands still is closed', async (type) => {
    const listening = await listen(readAll, { ...local, bodyLimitMs: 1 });
    expect(problem(await rawExchange(listening, post(type)))).toEqual(['408', 408, 'request_timeout']);
    await gracefulStop(listening);
  });

  test.each([
    ['application/x-ndjson', '200'],
    ['application/json', '408'],
  ])('whose body of %s arrives over a longer time, never standing still, ends with %s', async (type, status) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'Date'] });
    const listening = await listen((req, res) => {
      req.on('data', () => listening.server.emit('chunk'));
      readAll(req, res);
    }, local);
    const { port, host } = listening.address;
    const socket = connect({ port, host });
    let answer = '';
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
      socket.end();
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const part of [post(type), '2', '3']) {
      const chunk = new Promise((resolve) => listening.server.once('chunk', resolve));
      socket.write(part);
      await Promise.race([chunk, closed]);
      jest.advanceTimersByTime(20_000);
    }
    await closed;
    expect(answer.split(' ')[1]).toBe(status);
    jest.useRealTimers();
    await gracefulStop(listening);
  });
});

describe('gracefulStop', () => {
  test('lets a request finish, closes what idles, and releases in reverse order', async () => {
    const steps: string[] = [];
    let finish = () => {};
    const { server, address } = await listen((_req, res) => {
      finish = () => void res.end('late');
      server.emit('entered');
    }, local);
    const entered = new Promise((resolve) => server.once('entered', resolve));
    const answer = request(address.url)
      .get('/')
      .set('Connection', 'keep-alive')
      .then((got) => void steps.push(got.text));
    await entered;
    const stopped = gracefulStop({
      server,
      onStopping: [() => void steps.push('stopping')],
      releasers: [() => void steps.push('first'), async () => void steps.push('second')],
    });
    finish();
    await Promise.all([answer, stopped]);
    expect(steps[0]).toBe('stopping');
    expect(steps.filter((step) => step !== 'late')).toEqual(['stopping', 'second', 'first']);
    expect(steps).toContain('late');
  });

  test('cuts requests that outlast the limit', async () => {
    const { server, address } = await listen(() => server.emit('entered'), local);
    const entered = new Promise((resolve) => server.once('entered', resolve));
    const answer = request(address.url)
      .get('/')
      .then(
        () => 'answered',
        () => 'cut',
      );
    await entered;
    await gracefulStop({ server, drainLimitMs: 1 });
    expect(await answer).toBe('cut');
  });

  test('tries every releaser and reports the first fault', async () => {
    const { server } = await listen(ok, local);
    const tried: number[] = [];
    const failing = (number: number) => () => {
      tried.push(number);
      throw new Error(`fault ${number}`);
    };
    await expect(gracefulStop({ server, releasers: [failing(1), failing(2)] })).rejects.toThrow('fault 2');
    expect(tried).toEqual([2, 1]);
  });
});

describe('runService', () => {
  const run = async (extra: { releasers?: (() => void)[]; port?: number } = {}) => {
    const process = fakeProcess();
    const listening = await runService({ name: 'x-service', app: ok, ...local, log, process, ...extra });
    return { process, listening };
  };

  test.each(['SIGTERM', 'SIGINT'])('says where it listens and stops with exit 0 on %s', async (signal) => {
    let released = false;
    const { process, listening } = await run({
      releasers: [
        () => {
          released = true;
        },
      ],
    });
    const url = listening?.address.url;
    expect(process.said.out).toBe(`x-service listening on ${url} (dashboard: ${url}/dashboard, docs: ${url}/docs)\n`);
    process.emit(signal);
    expect(await process.exited).toBe(0);
    expect(released).toBe(true);
    expect(listening?.server.listening).toBe(false);
  });

  const stopping = async (stopDelaySeconds: number) => {
    const process = fakeProcess();
    const steps: string[] = [];
    const app = Object.assign(ok.bind(null), { drain: () => steps.push('told') });
    const onStopping = [() => void steps.push('closed')];
    const listening = await runService({ name: 'x', app, ...local, log, process, stopDelaySeconds, onStopping });
    process.emit('SIGTERM');
    return { process, steps, listening };
  };

  test('tells the application of a stop, and closes the port when the stop delay is over', async () => {
    const { process, steps } = await stopping(0.001);
    expect(steps).toEqual(['told']);
    expect(await process.exited).toBe(0);
    expect(steps).toEqual(['told', 'closed']);
  });

  test('serves until the stop delay is over, or a second signal comes', async () => {
    const { process, steps, listening } = await stopping(300);
    expect((await request(listening?.address.url ?? '').get('/')).text).toBe('ok');
    process.emit('SIGTERM');
    expect(await process.exited).toBe(1);
    expect(steps).toEqual(['told']);
    listening?.server.close();
  });

  test('listens before the application is warm, and makes it so', async () => {
    let calls = 0;
    const warmUp = () => {
      calls++;
      return new Promise<void>(() => {});
    };
    const process = fakeProcess();
    const listening = await runService({ name: 'x', app: Object.assign(() => {}, { warmUp }), ...local, log, process });
    expect([process.said.out.includes(' listening on '), calls]).toEqual([true, 1]);
    listening?.server.close();
  });

  test('exits 1 when it cannot be made warm', async () => {
    const process = fakeProcess();
    const warmUp = () => Promise.reject(new Error('The contract is none.'));
    const app = Object.assign(() => {}, { warmUp });
    const listening = await runService({ name: 'x-service', app, ...local, log, process });
    expect(await process.exited).toBe(1);
    listening?.server.close();
  });

  test('exits 1 when a releaser fails', async () => {
    const { process } = await run({
      releasers: [
        () => {
          throw new Error('disk full');
        },
      ],
    });
    process.emit('SIGTERM');
    expect(await process.exited).toBe(1);
  });

  test('exits 1 on an error that nobody caught', async () => {
    const { process, listening } = await run();
    process.emit('unhandledRejection', new Error('lost'));
    expect(await process.exited).toBe(1);
    listening?.server.close();
  });

  test('says why it cannot listen, releases and exits 1', async () => {
    const first = await run();
    const port = first.listening?.address.port ?? 0;
    let released = false;
    const second = await run({
      port,
      releasers: [
        () => {
          released = true;
        },
      ],
    });
    expect([await second.process.exited, second.listening, released]).toEqual([1, null, true]);
    expect(second.process.said.err).toBe(
      `x-service: Port ${port} on 127.0.0.1 is in use: stop what runs there or choose another port (0 picks a free one).\n`,
    );
    first.process.emit('SIGTERM');
    await first.process.exited;
  });
});
