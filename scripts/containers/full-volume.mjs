import assert from 'node:assert/strict';
import { docker, evaluate, inspect, PROJECT, until } from './engine.mjs';

/** Of the volume, in MiB: some hundred writes. */
const VOLUME_MIB = 3;
const BALLAST = '/data/ballast';

const SERVICES = {
  'timing-service': {
    port: 8080,
    write: '/events',
    body: "{ event_type: 'note', metadata: { text: 'x'.repeat(4000) } }",
  },
  'memory-service': {
    port: 7832,
    write: '/ingest',
    body: "{ content: 'Note ' + number + ': ' + 'the Kestrel release and its notes. '.repeat(4) }",
  },
};

/** Fills the volume of a service on its own and looks at what it answers. @returns what was seen, in words */
export async function fillUp(service, image) {
  const name = `${PROJECT}-full-${service}`;
  const { port, write, body } = SERVICES[service];
  const call = async (source) =>
    JSON.parse(
      await evaluate(
        name,
        `
        const url = 'http://127.0.0.1:${port}';
        const post = (number) => fetch(url + '${write}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(${body}) });
        ${source}`,
      ),
    );
  await docker(
    'run',
    '--detach',
    '--name',
    name,
    '--network',
    'none',
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    `/data:size=${VOLUME_MIB}m,uid=10001,mode=0700`,
    image,
  );
  try {
    await until('healthy', async () => (await inspect(name)).State.Health.Status === 'healthy');
    // Something else than the service takes most of the room, and can be taken away again.
    await docker('exec', name, 'dd', 'if=/dev/zero', `of=${BALLAST}`, 'bs=1M', 'count=1', 'status=none');
    const filled = await call(`
      const kept = [];
      let refusal = null;
      for (let number = 1; number <= 5000 && refusal === null; number++) {
        const response = await post(number);
        const answer = await response.json();
        if (response.status === 200) kept.push(answer.memory?.id ?? answer.event?.id ?? answer.id);
        else refusal = { status: response.status, type: response.headers.get('content-type'), detail: answer.detail };
      }
      console.log(JSON.stringify({ kept, refusal }));`);
    assert.equal(filled.refusal?.status, 503, JSON.stringify(filled.refusal));
    assert.match(filled.refusal.type, /^application\/problem\+json/);
    assert.match(filled.refusal.detail, /disk|room|space/i);
    const path = service === 'memory-service' ? '/memory/' : '/events/';
    const lost = `
      const kept = ${JSON.stringify(filled.kept)};
      const lost = [];
      for (const id of kept) if ((await fetch(url + '${path}' + id)).status !== 200) lost.push(id);`;
    assert.deepEqual(await call(`${lost} console.log(JSON.stringify(lost));`), []);
    await docker('exec', name, 'rm', BALLAST);
    const after = await call(`
      let status = 0;
      for (let attempt = 0; attempt < 50 && status !== 200; attempt++) {
        status = (await post(10_000 + attempt)).status;
        if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
      }
      ${lost}
      console.log(JSON.stringify({ status, lost }));`);
    assert.deepEqual(after, { status: 200, lost: [] });
    return `${service}: full after ${filled.kept.length} writes: "${filled.refusal.detail}"`;
  } finally {
    await docker('rm', '--force', '--volumes', name);
  }
}
