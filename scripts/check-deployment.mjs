#!/usr/bin/env node
// Checks that the files of the deployment agree, without an engine: the variables of the compose files and .env.example, the services of
// an override and of compose.yaml, the manifests in the Dockerfiles, the time zone in those of Kubernetes, the metrics of dashboard and
// alerts and those of the services, and how the workflows pin their actions. promtool, actionlint, kubectl and docker compose check their
// files too where they are installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { memberFolders } from './lib/install-stamp.mjs';
import { isOnPath } from './lib/on-path.mjs';
import { root } from './lib/root.mjs';
import { lastLines, runQuietly } from './lib/run-quietly.mjs';
import { KnownFailure, runMain, say } from './lib/say.mjs';

const DOCKER = join(root, 'docker');
const METRICS = join(DOCKER, 'metrics');
const WORKFLOWS = join(root, '.github', 'workflows');
/** Files that compose reads after compose.yaml. */
const OVERRIDES = ['compose.journald.yaml'];
/** Those that change some of the services. */
const ADDITIONS = ['compose.database.yaml', 'compose.webhooks.yaml'];

/** Figures of Prometheus itself and of the programs' libraries, which no source of ours names. */
const FOREIGN_METRIC = /^(up|process_|nodejs_|scrape_)/;
/** What Prometheus makes of one histogram. */
const HISTOGRAM_SUFFIX = /_(bucket|sum|count)$/;

await runMain(async () => {
  const faults = [
    ...variableFaults(),
    ...overrideFaults(),
    ...manifestFaults(),
    ...zoneFaults(),
    ...metricFaults(),
    ...actionFaults(),
  ];
  for (const fault of faults) console.error(fault);
  await tryTool('promtool', ['check', 'rules', join(METRICS, 'alerts.yml')]);
  await tryTool('promtool', ['check', 'config', '--syntax-only', join(METRICS, 'prometheus.yml')]);
  await tryTool('actionlint', workflows());
  await tryTool('kubectl', ['kustomize', join(DOCKER, 'kubernetes')]);
  await tryCompose();
  if (faults.length > 0) throw new KnownFailure(`deployment: ${faults.length} faults`);
  say('deployment', 'variables, overrides, manifests, metrics and actions fit');
});

/** Every variable is explained, each that is explained is used, and the default that is shown is the one that holds. */
function variableFaults() {
  const used = new Map();
  for (const name of readdirSync(DOCKER).filter((name) => name.endsWith('.yaml'))) {
    const yaml = withoutComments(readFileSync(join(DOCKER, name), 'utf8'));
    for (const [, variable, value] of yaml.matchAll(/\$\{(\w+):-([^}]*)\}/g)) used.set(variable, { value, name });
    for (const [text] of yaml.matchAll(/\$\{\w+(?!\w|:-)[^}]*\}/g)) used.set(text, { value: null, name });
  }
  const explained = new Map();
  let comment = '';
  let isBegun = false;
  for (const line of readFileSync(join(DOCKER, '.env.example'), 'utf8').split('\n')) {
    const setting = /^#?([A-Z]\w*)=(.*)$/.exec(line);
    if (setting) {
      explained.set(setting[1], { value: setting[2], hasNone: /Default: none/.test(comment) });
      isBegun = false;
      continue;
    }
    comment = isBegun ? `${comment} ${line}` : line;
    isBegun = true;
  }
  return [
    ...[...used].flatMap(([variable, { value, name }]) => {
      const shown = explained.get(variable);
      if (value === null) return [`docker/${name}: ${variable} has no default; write \${NAME:-default}`];
      if (!shown) return [`docker/${name}: ${variable} is not explained in docker/.env.example`];
      const isShown = shown.hasNone || value === '' || shown.value === value || isFallback(value);
      return isShown ? [] : [`docker/.env.example: ${variable} shows ${shown.value}, docker/${name} has ${value}`];
    }),
    ...[...explained.keys()]
      // Compose reads this one itself; overrideFaults looks at it.
      .filter((variable) => !used.has(variable) && variable !== 'COMPOSE_FILE')
      .map((variable) => `docker/.env.example: ${variable} is used nowhere`),
  ];
}

/** Stands for "not given". */
function isFallback(value) {
  return value === '/dev/null';
}

/** An override that misses a service leaves its logs behind; one that names another makes a service without an image. */
function overrideFaults() {
  const deployed = servicesOf('compose.yaml')
    .filter(({ text }) => !/^ {4}profiles:/m.test(text))
    .map(({ name }) => name);
  const offered =
    /^#COMPOSE_FILE=(.*)$/m.exec(readFileSync(join(DOCKER, '.env.example'), 'utf8'))?.[1].split(':') ?? [];
  return [
    ...['compose.yaml', ...OVERRIDES]
      .filter((file) => !offered.includes(file))
      .map((file) => `docker/.env.example: COMPOSE_FILE does not show ${file}`),
    ...[...OVERRIDES, ...ADDITIONS].flatMap((file) =>
      servicesOf(file)
        .filter(({ name }) => !deployed.includes(name))
        .map(({ name }) => `docker/${file}: compose.yaml has no ${name}`),
    ),
    ...OVERRIDES.flatMap((file) => {
      const services = servicesOf(file);
      const names = services.map(({ name }) => name);
      return [
        ...deployed.filter((name) => !names.includes(name)).map((name) => `docker/${file}: ${name} is missing`),
        ...services
          .filter(({ text }) => !/^ {4}logging: \{ driver: [a-z]+, /m.test(text))
          .map(({ name }) => `docker/${file}: ${name} has no log driver`),
      ];
    }),
  ];
}

/** The services of a compose file, each with the lines below its name. */
function servicesOf(file) {
  const yaml = withoutComments(readFileSync(join(DOCKER, file), 'utf8'));
  const section = /^services:\n((?:(?: .*)?\n)*)/m.exec(yaml)?.[1] ?? '';
  return [...section.matchAll(/^ {2}([\w-]+):.*\n((?:(?: {4}.*)?\n)*)/gm)].map(([, name, text]) => ({ name, text }));
}

/** pnpm installs only where every member that the lock file names is there. */
function manifestFaults() {
  const manifests = memberFolders().map((member) => join(relative(root, member), 'package.json'));
  return readdirSync(DOCKER)
    .filter((name) => name.endsWith('-service.Dockerfile'))
    .flatMap((name) => {
      const text = readFileSync(join(DOCKER, name), 'utf8');
      return manifests
        .filter((path) => !text.includes(`COPY ${path} `))
        .map((path) => `docker/${name}: does not copy ${path}, which pnpm install needs`);
    });
}

/** A service that compose gives the time zone of the team has it in Kubernetes too: without, its days are those of UTC there. */
function zoneFaults() {
  const folder = join(DOCKER, 'kubernetes');
  const zone = /- \{ name: time-zone, literals: \[TZ=\S+\] \}/;
  const made = zone.test(withoutComments(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')));
  return [
    ...(made ? [] : ['docker/kubernetes/kustomization.yaml: makes no time-zone with TZ']),
    ...servicesOf('services.yaml')
      .filter(({ text }) => /^ {6}TZ:/m.test(text))
      .filter(({ name }) => !takesZone(readFileSync(join(folder, `${name}.yaml`), 'utf8')))
      .map(({ name }) => `docker/kubernetes/${name}.yaml: the container takes no time-zone`),
  ];
}

function takesZone(yaml) {
  return withoutComments(yaml).includes('envFrom: [{ configMapRef: { name: time-zone } }]');
}

function metricFaults() {
  const sources = ['apps/timing-service/src', 'apps/memory-service/src', 'packages/service-kit/src'].map((folder) =>
    join(root, folder),
  );
  const measured = new Set(sources.flatMap(sourceFiles).flatMap((path) => namedMetrics(readFileSync(path, 'utf8'))));
  const files = [join(METRICS, 'alerts.yml'), join(METRICS, 'grafana', 'dashboards', 'agent-faculties.json')];
  return files.filter(existsSync).flatMap((path) => {
    const names = new Set(queriesOf(path).flatMap(metricsIn));
    return [...names]
      .filter(
        (name) =>
          !FOREIGN_METRIC.test(name) && !measured.has(name) && !measured.has(name.replace(HISTOGRAM_SUFFIX, '')),
      )
      .map((name) => `${path.slice(root.length + 1)}: no service measures ${name}`);
  });
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function namedMetrics(source) {
  return [...source.matchAll(/(?:name: |gauge\(\s*)'([a-z]+(?:_[a-z]+)+)'/g)].map(([, name]) => name);
}

function queriesOf(path) {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.yml')) return [...text.matchAll(/^( +)expr: (.+(?:\n\1 .*)*)$/gm)].map(([, , query]) => query);
  const queries = [];
  JSON.parse(text, (key, value) => {
    if (key === 'expr') queries.push(value);
    return value;
  });
  return queries;
}

/** Names with an underscore that stand where PromQL has metrics: not labels, not functions. */
function metricsIn(query) {
  const bare = query.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+|up)\b(?!\s*\()/g)].map(([, name]) => name);
}

/** A tag can be moved to other code; a commit cannot. */
function actionFaults() {
  return workflows().flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const name = path.slice(root.length + 1);
    const loose = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(
      ([, action, rest]) =>
        !action.startsWith('./') && !(/@[0-9a-f]{40}$/.test(action) && /^ # v\d+\.\d+\.\d+$/.test(rest)),
    );
    return [
      ...loose.map(([, action]) => `${name}: ${action} is not pinned by commit with its version in a comment`),
      ...(/^permissions:\n {2}contents: read\n/m.test(text)
        ? []
        : [`${name}: starts without 'permissions: contents: read'`]),
    ];
  });
}

function workflows() {
  return readdirSync(WORKFLOWS).map((name) => join(WORKFLOWS, name));
}

function withoutComments(yaml) {
  return yaml.replaceAll(/^\s*#.*$/gm, '');
}

async function tryTool(tool, args) {
  if (!isOnPath(tool)) return say('deployment', `${tool} is not installed: ${args[0]} ${args[1]} not run`);
  const { code, output } = await runQuietly(tool, args);
  if (code !== 0) throw new KnownFailure(`${tool} ${args.join(' ')}:\n${lastLines(output)}`);
}

async function tryCompose() {
  if ((await runQuietly('docker', ['compose', 'version'])).code !== 0)
    return say('deployment', 'docker compose is not installed: docker compose config not run');
  const ways = [
    ['compose.yaml'],
    ['compose.dev.yaml'],
    ['compose.scale.yaml'],
    ...[...OVERRIDES, ...ADDITIONS].map((file) => ['compose.yaml', file]),
    ['compose.yaml', ...ADDITIONS],
  ];
  for (const files of ways) {
    const named = files.flatMap((file) => ['--file', join(DOCKER, file)]);
    await tryTool('docker', ['compose', ...named, '--profile', 'metrics', 'config', '--quiet']);
  }
}
