#!/usr/bin/env node
// Starts the built services with their data under data/ (or AGENT_FACULTIES_DATA), shows where they are, and stops them together on Ctrl-C.
// node scripts/start.mjs [timing|memory]; TIMING_* and MEMORY_* variables reach the services.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mendNativeModules } from './lib/native-modules.mjs';
import { root } from './lib/root.mjs';
import { KnownFailure, runMain } from './lib/say.mjs';
import { startService } from './lib/service-process.mjs';

const PARENT_POLL_MILLISECONDS = 500;

const data = process.env.AGENT_FACULTIES_DATA || join(root, 'data');

// A flag beats its environment variable, so a default is passed as a flag only where the variable is not set.
const services = {
  timing: {
    name: 'timing-service',
    defaults: { TIMING_DB_PATH: ['--db-path', join(data, 'timing.db')] },
    links: { dashboard: '/dashboard', docs: '/docs' },
  },
  memory: {
    name: 'memory-service',
    defaults: { MEMORY_DATA_DIR: ['--data-dir', join(data, 'memory')], MEMORY_AUTO_SAVE: ['--auto-save', '300'] },
    links: { dashboard: '/dashboard', docs: '/docs' },
  },
};

process.stdout.on('error', () => {}); // a closed terminal must not keep the services from being stopped

await runMain(async () => {
  const chosen = chooseServices(process.argv.slice(2));
  // A package has it in another place than the repository; each app finds it.
  const ofApp = createRequire(new URL('../apps/timing-service/package.json', import.meta.url));
  const { makeFolder } = await import(pathToFileURL(ofApp.resolve('@agent-faculties/service-kit/make-folder')).href);
  const logs = join(data, 'logs');
  try {
    makeFolder(logs);
  } catch (error) {
    throw new KnownFailure(
      `${logs} cannot be made (${error.message}): say with AGENT_FACULTIES_DATA where the data are to be.`,
    );
  }
  const begin = () => chosen.map((service) => startService({ ...service, logsFolder: logs }));
  let running = begin();

  const told = new Promise((resolve) => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        signals += 1;
        if (signals === 1) {
          console.log('\nStopping (again to stop at once) ...');
          resolve(null);
        } else {
          for (const service of running) service.kill();
        }
      });
    }
    if (process.env.npm_lifecycle_event) watchParent(() => resolve(null));
  });
  /** 'ready', the service that ended, or null when told to stop. */
  const outcome = () =>
    Promise.race([Promise.all(running.map(({ ready }) => ready)).then(() => 'ready'), ended(running), told]);

  let culprit = await outcome();
  if (culprit !== 'ready' && culprit !== null) {
    // Another Node than that of the install, or one whose npm ran no script: from version 12 on it asks first.
    await Promise.all(running.map((service) => service.stop()));
    if (await mendNativeModules()) {
      running = begin();
      culprit = await outcome();
    }
  }
  if (culprit === 'ready') {
    console.log(describe(chosen, running));
    culprit = await Promise.race([ended(running), told]);
  }
  const wasUp = culprit?.isReady() ?? true;
  const codes = await Promise.all(running.map((service) => service.stop()));
  if (culprit) throw new KnownFailure(explainEnd(culprit, { wasUp }));
  const unclean = running.filter((_, index) => codes[index] !== 0);
  if (unclean.length > 0) throw new KnownFailure(unclean.map((service) => explainUncleanStop(service)).join('\n'));
  console.log('Stopped.');
});
process.exit();

/** Resolves to the first of the services that ends. */
function ended(running) {
  return Promise.race(running.map((service) => service.ended.then(() => service)));
}

/** npm does not hand on a SIGTERM through its shell: under npm, a parent that is gone means stop. */
function watchParent(onGone) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_POLL_MILLISECONDS);
  watch.unref();
}

function chooseServices(names) {
  const unknown = names.filter((name) => !(name in services));
  if (unknown.length > 0) {
    throw new KnownFailure(
      `Unknown service: ${unknown.join(', ')}. Choose timing or memory, or name none to start both.`,
    );
  }
  const chosen = names.length > 0 ? [...new Set(names)] : Object.keys(services);
  return chosen.map((key) => {
    const { name, defaults, links } = services[key];
    const entry = join(root, 'apps', name, 'dist', 'main.js');
    if (!existsSync(entry)) throw new KnownFailure(`${name} is not built. Use npm start, or run: npm run build`);
    const flags = Object.entries(defaults).flatMap(([variable, flag]) => (process.env[variable] ? [] : flag));
    return { name, links, entry, flags };
  });
}

function describe(chosen, running) {
  const lines = chosen.flatMap(({ name, links }, index) => {
    const url = running[index].url();
    return [
      `  ${name.padEnd(16)} ${url}`,
      ...Object.entries(links).map(([label, path]) => `  ${''.padEnd(16)} ${label.padEnd(10)} ${url}${path}`),
    ];
  });
  return ['', ...lines, '', `  logs in ${join(data, 'logs')}   stop with Ctrl-C`, ''].join('\n');
}

function explainEnd(service, { wasUp }) {
  const what = wasUp ? 'ended unexpectedly' : 'did not start';
  return `${service.name} ${what} (${service.endedHow()}):\n${service.lastWords()}`;
}

function explainUncleanStop(service) {
  return `${service.name} did not stop cleanly (${service.endedHow()}):\n${service.lastWords()}`;
}
