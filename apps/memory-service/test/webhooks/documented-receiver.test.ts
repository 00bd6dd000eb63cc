import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signatureHeaders } from '../../src/webhooks/signature.ts';

const PAGE = new URL('../../../../docs/integrations/webhooks.md', import.meta.url);
const KEY = Buffer.from('the key of a receiver');
const BODY = '{"type":"added","data":{"by":"Jürgen"}}';

let receiver: ChildProcess;
let port: number;

beforeAll(async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const onFreePort = program.replace(
    "listen(9000, '127.0.0.1'",
    "listen(0, '127.0.0.1', function () { console.log(this.address().port) }",
  );
  receiver = spawn(process.execPath, ['--input-type=module', '--eval', onFreePort], {
    env: { ...process.env, WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(receiver.stdout as NodeJS.ReadableStream, 'data');
  port = Number(said);
});
afterAll(() => void receiver.kill());

const headersNow = () => signatureHeaders({ id: '7', at: Date.now(), body: BODY }, [KEY]);
const answerTo = async (headers: Record<string, string>) =>
  (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: BODY })).status;

test('the receiver of the page takes what is signed, and nothing else', async () => {
  expect(await answerTo(headersNow())).toBe(204);
  expect(await answerTo({})).toBe(401);
  expect(await answerTo({ ...headersNow(), 'webhook-id': '8' })).toBe(401);
  const old = signatureHeaders({ id: '7', at: Date.now() - 600_000, body: BODY }, [KEY]);
  expect(await answerTo(old)).toBe(401);
});

test('it outlives a signature of other characters, and a body that breaks off', async () => {
  const { 'webhook-signature': signature = '' } = headersNow();
  expect(await answerTo({ ...headersNow(), 'webhook-signature': 'é'.repeat(signature.length) })).toBe(401);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', resolve));
  socket.resetAndDestroy();
  expect(await answerTo(headersNow())).toBe(204);
});
