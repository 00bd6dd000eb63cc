#!/usr/bin/env node
// The container suite: builds the images, and exposes a deployment to the faults that deployments meet.
//   npm run test:containers [-- --no-build] [--without-upgrade] [--keep]
// Needs a Docker engine with buildx and compose. It works in a project of its own, which it removes before and after.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../lib/root.mjs';
import { connect, createKey, Load, lostOf } from './client.mjs';
import {
  compose,
  composeArgs,
  containerOf,
  docker,
  environment,
  evaluate,
  inspect,
  isHealthy,
  PROJECT,
  run,
  SERVICES,
  TAG,
  timed,
  until,
} from './engine.mjs';
import { fillUp } from './full-volume.mjs';
import { buildOldImage, OLD_COMMIT } from './old-image.mjs';
import { failOver, whyNoDatabase } from './scale.mjs';

const DATA_SERVICES = ['timing-service', 'memory-service'];
const ANSWER_LIMIT_SECONDS = 10;
/** Writes before, between and after faults, so that each fault happens during writes. */
const WRITES_BETWEEN = 60;

const flags = new Set(process.argv.slice(2));
const scratch = mkdtempSync(join(tmpdir(), 'containers-'));
const image = (service) => `agent-faculties/${service}:${TAG}`;
const down = () => compose('--profile', 'metrics', 'down', '--volumes', '--remove-orphans', '--timeout', '5');
const say = (text) => console.log(`   ${text}`);

let client;
let writer;
let admin;

before(async () => {
  await down();
  if (!flags.has('--no-build')) say(`images built in ${await timed(() => compose('build'))} s`);
  for (const service of SERVICES) {
    const { Size } = await inspect(image(service));
    say(`${service}: ${Math.round(Size / 1e6)} MB`);
  }
});

after(async () => {
  client?.close();
  if (!flags.has('--keep')) await down();
  rmSync(scratch, { recursive: true, force: true });
});

describe('images', () => {
  test('say what they are, run as no root, and keep data in a volume', async () => {
    for (const service of SERVICES) {
      const { Config } = await inspect(image(service));
      assert.equal(Config.User, 'service');
      assert.equal(Config.Labels['org.opencontainers.image.title'], service);
      assert.ok(Config.Labels['org.opencontainers.image.version']);
      assert.ok(Config.Labels['org.opencontainers.image.revision']);
      assert.equal(Object.keys(Config.Volumes).length, 1);
      assert.ok(Config.Healthcheck.Test.length > 1);
    }
  });

  test('hold only what runs', async () => {
    const search = [
      'for program in npm npx pnpm g++ make python3 git curl; do command -v $program; done',
      // Browsers load the maps of the dashboards.
      "find /app -path '*/dist/dashboard' -prune -o \\( -name '*.ts' -o -name '*.map' -o -name '*.test.*' -o -name 'typescript@*' -o -name 'jest@*' \\) -print",
    ].join('; ');
    for (const service of DATA_SERVICES) {
      assert.equal(await docker('run', '--rm', '--user', '0', '--entrypoint', 'sh', image(service), '-c', search), '');
    }
  });

  test('of the memory serves with no network at all, and stops within the 10 s that an engine gives', async () => {
    const name = `${PROJECT}-alone`;
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
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
      image('memory-service'),
    );
    try {
      await until('healthy', async () => (await inspect(name)).State.Health.Status === 'healthy');
      const found = await evaluate(
        name,
        `
        const call = async (path, body) => await (await fetch('http://127.0.0.1:7832' + path, {
          method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
        await call('/ingest', { content: 'The deploy key of the billing service expires in May.' });
        console.log((await call('/recall', { query: 'Until when is the credential for invoices good?' })).memories[0].content);`,
      );
      assert.match(found, /expires in May/); // by meaning: the model is there
      const seconds = await timed(() => docker('stop', '--time', '10', name));
      assert.equal((await inspect(name)).State.ExitCode, 0);
      say(`stopped in ${seconds} s`);
    } finally {
      await docker('rm', '--force', '--volumes', name);
    }
  });
});

describe('a deployment', () => {
  test('comes up from nothing, healthy in the order of its parts', async () => {
    say(`up and healthy in ${await timed(() => compose('up', '--detach', '--wait', '--no-build'))} s`);
    const started = await Promise.all(
      SERVICES.map(async (service) => (await inspect(await containerOf(service))).State.StartedAt),
    );
    assert.ok(started[2] > started[0] && started[2] > started[1], 'the gateway starts last');
    client = await connect();
    writer = await createKey('writer', 'agent-rw');
    admin = await createKey('admin', 'system-admin');
  });

  test('has nothing beside the services that asks what a user of it wants', async () => {
    const { services } = JSON.parse(await compose('--profile', 'metrics', 'config', '--format', 'json'));
    const reaching = Object.keys(services).filter((name) => 'internal' in services[name].networks);
    assert.deepEqual(reaching.sort(), ['gateway', 'memory-service', 'prometheus', 'timing-service']);
  });

  test('publishes the port of the gateway and no other', async () => {
    const published = async (...profiles) => {
      const { services } = JSON.parse(await compose(...profiles, 'config', '--format', 'json'));
      return Object.entries(services).flatMap(([name, { ports = [] }]) =>
        ports.map((port) => `${name} ${port.host_ip}`),
      );
    };
    assert.deepEqual(await published(), ['gateway 127.0.0.1']);
    assert.deepEqual((await published('--profile', 'metrics')).sort(), ['gateway 127.0.0.1', 'grafana 127.0.0.1']);
    for (const service of DATA_SERVICES) {
      const { NetworkSettings } = await inspect(await containerOf(service));
      assert.deepEqual(Object.values(NetworkSettings.Ports).flat().filter(Boolean), []);
      assert.deepEqual(Object.keys(NetworkSettings.Networks), [`${PROJECT}_internal`]);
    }
  });

  test('confines every container: read-only, no rights, limits, bounded logs, a new start', async () => {
    for (const service of SERVICES) {
      const id = await containerOf(service);
      const { HostConfig } = await inspect(id);
      assert.equal(HostConfig.ReadonlyRootfs, true);
      assert.deepEqual(HostConfig.CapDrop, ['ALL']);
      assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges:true']);
      assert.ok(HostConfig.Memory > 0 && HostConfig.NanoCpus > 0 && HostConfig.PidsLimit > 0);
      assert.equal(HostConfig.LogConfig.Config['max-size'], '10m');
      assert.equal(HostConfig.RestartPolicy.Name, 'unless-stopped');
      const inside = await docker(
        'exec',
        id,
        'sh',
        '-c',
        'id -u; grep -E "^(CapEff|NoNewPrivs)" /proc/1/status; touch /x 2>&1 || true; touch /usr/x 2>&1 || true',
      );
      assert.match(inside, /^10001\n/);
      assert.match(inside, /CapEff:\s+0+\nNoNewPrivs:\s+1\n/);
      assert.equal(inside.match(/Read-only file system/g)?.length, 2);
    }
  });

  test('lets no service reach out', async () => {
    const gateway = await inspect(await containerOf('gateway'));
    const outside = gateway.NetworkSettings.Networks[`${PROJECT}_edge`].Gateway;
    for (const service of DATA_SERVICES) {
      const said = await evaluate(
        await containerOf(service),
        `
        import { connect } from 'node:net';
        import { Resolver } from 'node:dns/promises';
        const reach = (host, port) => new Promise((resolve) => {
          const socket = connect({ host, port, timeout: 1500 });
          socket.on('connect', () => resolve('reached')).on('error', (error) => resolve(error.code)).on('timeout', () => resolve('timeout'));
        });
        console.log(JSON.stringify([await reach('192.0.2.1', 443), await reach('${outside}', ${environment.GATEWAY_PORT}),
          await new Resolver({ timeout: 1500, tries: 1 }).resolve4('example.com').then(() => 'found', (error) => error.code)]));
        process.exit();`,
      );
      const [test, edge, name] = JSON.parse(said);
      assert.notEqual(test, 'reached');
      assert.notEqual(edge, 'reached');
      assert.notEqual(name, 'found');
    }
  });

  test('answers the first calls of a team', async () => {
    const told = await client.call(writer, 'POST', '/ingest', {
      role: 'user',
      name: 'Dana',
      content: 'Send me the status on Monday, please.',
    });
    assert.equal(told.status, 200);
    assert.equal(told.body.memory.agent_id, 'writer');
    const recalled = await client.call(writer, 'POST', '/recall', { query: 'When does Dana want the status?' });
    assert.match(recalled.body.memories[0].content, /Monday/);
    const begun = await client.call(writer, 'POST', '/timing/events/task-start', {
      task_type: 'run tests',
      correlation_id: 'run-1',
    });
    assert.equal(begun.status, 200);
    const ended = await client.call(writer, 'POST', '/timing/events/task-end', {
      task_type: 'run tests',
      correlation_id: 'run-1',
    });
    assert.equal(ended.body.task.state, 'ended');
    assert.equal((await client.call(null, 'POST', '/recall', { query: 'x' })).status, 401);
    assert.equal((await client.call(writer, 'GET', '/metrics')).status, 404);
  });
});

describe('under load', () => {
  let everything = { memories: [], tasks: [] };

  /** A fault in the midst of writes; afterwards everything that was answered is there. */
  async function survives(name, fault, service) {
    const load = new Load(client, writer, name);
    await until('writes', async () => load.count > WRITES_BETWEEN);
    const restarts = (await inspect(await containerOf(service))).RestartCount;
    await fault(restarts);
    await until(`${service} healthy`, () => isHealthy(service), 90_000);
    const before = load.count;
    await until('writes again', async () => load.count > before + WRITES_BETWEEN);
    await load.stop();
    everything = { memories: [...everything.memories, ...load.memories], tasks: [...everything.tasks, ...load.tasks] };
    assert.deepEqual(load.unexpected, []);
    assert.deepEqual(await lostOf(client, admin, load), []);
    say(`${name}: ${load.count} writes were answered and are there, ${load.refused} were refused or not answered`);
  }

  for (const service of SERVICES) {
    test(`kill -9 of ${service} loses nothing that was answered`, async () => {
      await survives(
        `kill-${service}`,
        async (restarts) => {
          // All processes but the first, which then ends too: the engine takes it for a crash.
          const id = await containerOf(service);
          await docker('exec', id, 'sh', '-c', 'kill -9 -1').catch(() => {});
          await until('a new start', async () => (await inspect(id)).RestartCount > restarts);
        },
        service,
      );
    });

    test(`a restart of ${service} loses nothing that was answered, and takes less than ${ANSWER_LIMIT_SECONDS} s to stop`, async () => {
      await survives(
        `restart-${service}`,
        async () => {
          const seconds = await timed(() => compose('stop', '--timeout', '30', service));
          const { State } = await inspect(await containerOf(service));
          assert.equal(State.ExitCode, 0);
          assert.ok(Number(seconds) < ANSWER_LIMIT_SECONDS, `${seconds} s`);
          say(`stopped in ${seconds} s`);
          await compose('start', service);
        },
        service,
      );
    });
  }

  test('a backup holds all that was answered before it, and brings it back after the volumes are gone', async () => {
    const load = new Load(client, writer, 'backup');
    await until('writes', async () => load.count > WRITES_BETWEEN);
    const before = { memories: [...load.memories], tasks: [...load.tasks] };
    const folder = join(scratch, 'backups');
    say(`backup under load in ${await timed(() => run(join(root, 'docker', 'backup.sh'), [folder]))} s`);
    await load.stop();
    const files = readdirSync(folder).sort();
    assert.equal(files.length, 3);
    assert.ok(files.every((name) => !name.endsWith('.part')));
    const [keys, memory, timing] = files.map((name) => readFileSync(join(folder, name)));
    await compose('down', '--volumes');
    const restore = (service, ...command) => composeArgs(['run', '--rm', '--no-deps', '-T', ...command, service]);
    await run('docker', [...restore('timing-service'), 'restore'], { input: timing });
    await run('docker', [...restore('memory-service'), 'restore'], { input: memory });
    await run('docker', [...restore('gateway', '--entrypoint', 'sh'), '-c', 'umask 077; cat >/var/lib/gateway/keys'], {
      input: keys,
    });
    await compose('up', '--detach', '--wait', '--no-build');
    client.close();
    client = await connect();
    assert.deepEqual(await lostOf(client, admin, before), []);
    assert.deepEqual(await lostOf(client, admin, everything), []);
    say(
      `${before.memories.length + everything.memories.length} memories and ${before.tasks.length + everything.tasks.length} tasks counted again`,
    );
  });

  test('down and up keep everything', async () => {
    await compose('down');
    await compose('up', '--detach', '--wait', '--no-build');
    client.close();
    client = await connect();
    assert.deepEqual(await lostOf(client, admin, everything), []);
  });
});

describe('faults', () => {
  test('the gateway says in a problem document that a service is away, and serves the other one', async () => {
    await compose('stop', 'memory-service');
    const away = await client.call(writer, 'POST', '/recall', { query: 'x' });
    assert.ok([502, 503, 504].includes(away.status), `${away.status}`);
    assert.match(away.type, /^application\/problem\+json/);
    assert.ok(away.body.detail.length > 20);
    assert.equal((await client.call(writer, 'GET', '/timing/health')).status, 200);
    await compose('start', 'memory-service');
    await until('an answer', async () => (await client.call(writer, 'GET', '/health')).status === 200);
  });

  for (const service of DATA_SERVICES) {
    test(`a full volume of ${service} refuses writes with 503, and goes on once there is room`, async () => {
      say(await fillUp(service, image(service)));
    });
  }
});

test('compose.dev.yaml serves without the gateway, on this machine only', async () => {
  const dev = (...args) =>
    run('docker', composeArgs(args, 'compose.dev.yaml'), {
      env: { ...environment, COMPOSE_PROJECT_NAME: `${PROJECT}-dev` },
    });
  try {
    await dev('up', '--detach', '--wait', '--no-build');
    for (const port of [environment.TIMING_DEV_PORT, environment.MEMORY_DEV_PORT]) {
      assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
    }
    const { services } = JSON.parse(await dev('config', '--format', 'json'));
    const hosts = Object.values(services).flatMap(({ ports }) => ports.map(({ host_ip }) => host_ip));
    assert.deepEqual(hosts, ['127.0.0.1', '127.0.0.1']);
  } finally {
    await dev('down', '--volumes');
  }
});

test('compose.scale.yaml loses nothing when the first server of its database is lost and comes back', async (context) => {
  const why = await whyNoDatabase();
  if (why) return context.skip(why);
  await down(); // its gateway takes the same port
  say(await failOver(scratch));
});

test('a volume of an older version is taken over', { skip: flags.has('--without-upgrade') }, async () => {
  const old = await buildOldImage(scratch);
  say(`memory-service of ${OLD_COMMIT} built in ${old.seconds} s`);
  const volume = `${PROJECT}-upgrade`;
  const start = async (name, tag) => {
    await docker(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      'none',
      '--no-healthcheck',
      '--volume',
      `${volume}:/data`,
      tag,
    );
    await until(
      `${name} answers`,
      async () =>
        (await evaluate(name, "console.log((await fetch('http://127.0.0.1:7832/health')).status)")).trim() === '200',
    );
  };
  const format = async (name) =>
    JSON.parse(
      (await docker('exec', name, 'head', '-n', '1', '/data/memory/memories.json')).replace(/,?"memories":\[\s*$/, '}'),
    ).format;
  const stop = async (name) => {
    await docker('stop', '--time', '20', name);
    await docker('rm', name);
  };
  const ask = (name) =>
    evaluate(
      name,
      `
    const post = async (path, body) => await (await fetch('http://127.0.0.1:7832' + path, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
    console.log((await post('/recall', { query: 'Which city is the archive of shard 17 in?', top_k: 1 })).memories[0]?.content);
    console.log((await (await fetch('http://127.0.0.1:7832/health')).json()).memories);`,
    );
  try {
    await start(`${volume}-old`, old.tag);
    await evaluate(
      `${volume}-old`,
      `
      for (let number = 1; number <= 40; number++) {
        const { status } = await fetch('http://127.0.0.1:7832/ingest', { method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ content: 'The archive of shard ' + number + ' is kept in the city of ' + ['Porto', 'Turin', 'Lyon'][number % 3] + '.' }) });
        if (status !== 200) throw new Error(status);
        if (number === 20) await fetch('http://127.0.0.1:7832/save', { method: 'POST' });
      }`,
    );
    const before = await ask(`${volume}-old`);
    assert.match(before, /shard 17 .*Lyon/);
    assert.equal(await format(`${volume}-old`), 1);
    // Without a clean stop: half of it is in the journal of the old version.
    await docker('kill', `${volume}-old`);
    await docker('rm', `${volume}-old`);
    await start(`${volume}-new`, image('memory-service'));
    assert.equal(await ask(`${volume}-new`), before);
    await evaluate(`${volume}-new`, "await fetch('http://127.0.0.1:7832/save', { method: 'POST' })");
    // Written anew, in whatever format is today's.
    assert.ok((await format(`${volume}-new`)) > 1);
    await stop(`${volume}-new`);
  } finally {
    await docker('rm', '--force', `${volume}-old`, `${volume}-new`).catch(() => {});
    await docker('volume', 'rm', '--force', volume).catch(() => {});
  }
});
