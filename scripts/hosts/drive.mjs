// Drives real hosts end to end, without a network: both services, `agent-faculties install HOST` into an empty home, the host itself
// with a scripted stand-in for its model, and then what both services hold.
//
//   npm run bootstrap && npm run build
//   npm install --prefix /tmp/hosts @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai @github/copilot cline
//   node scripts/hosts/drive.mjs /tmp/hosts/node_modules/.bin [HOST...]
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { startService } from '../lib/service-process.mjs';
import { ANSWER, startModel } from './model-stand-in.mjs';

const HOST_LIMIT_MS = 180_000;
/** Of the hook program, so that a busy machine does not decide what is found. */
const HOOK_LIMIT_MS = 10_000;
const COMMAND = 'node --version';
const FAILING = 'node -e "process.exit(3)"';
/** Runs on behind its call where the host can do that. */
const LATE = 'git --version && sleep 2';
const PROMPT = 'When is the deploy window of the billing service?';
const KNOWN = 'The deploy window of the billing service is Tuesday from 14:00 to 16:00.';

/** How each host is told of its model, and asked something without a terminal. `tells` names what its hooks cannot say. */
const HOSTS = {
  'claude-code': {
    program: 'claude',
    args: ['-p', PROMPT, '--allowedTools', 'Bash'],
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'stand-in',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    hasBackground: true,
  },
  codex: {
    program: 'codex',
    args: [
      'exec',
      '--skip-git-repo-check',
      // A person reviews the hooks in /hooks instead.
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      PROMPT,
    ],
    prepare: ({ home, url }) =>
      put(
        join(home, '.codex', 'config.toml'),
        [
          'model = "stand-in"',
          'model_provider = "stand-in"',
          '[model_providers.stand-in]',
          'name = "stand-in"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "STAND_IN_KEY"',
          '',
        ].join('\n'),
      ),
    env: () => ({ STAND_IN_KEY: 'x' }),
    unsaid: ['failure'],
  },
  gemini: {
    program: 'gemini',
    args: ['-m', 'gemini-2.5-flash', '--yolo', '-p', PROMPT],
    prepare: ({ home }) =>
      put(
        join(home, '.gemini', 'settings.json'),
        JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      ),
    env: ({ url }) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    hasBackground: true,
  },
  opencode: {
    program: 'opencode',
    args: ['run', PROMPT],
    prepare: ({ work, url }) =>
      writeFileSync(
        join(work, 'opencode.json'),
        JSON.stringify({
          model: 'stand-in/stand-in',
          small_model: 'stand-in/stand-in',
          provider: {
            'stand-in': {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: 'x' },
              models: { 'stand-in': { limit: { context: 100_000, output: 1_000 } } },
            },
          },
        }),
      ),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  },
  'copilot-cli': {
    program: 'copilot',
    args: ['-p', PROMPT],
    env: ({ url }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_ALLOW_ALL: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'stand-in',
    }),
    unsaid: ['reply'],
    hasBackground: true,
  },
  cline: {
    program: 'cline',
    args: ['-P', 'openai', PROMPT],
    before: ({ url }) => ['auth', '-p', 'openai', '-k', 'x', '-m', 'stand-in', '-b', `${url}/v1`],
    env: () => ({}),
    // Its command line calls no hook at a prompt; the extension of VS Code does.
    unsaid: ['prompt', 'context', 'time', 'exchange'],
  },
};

const [bin, ...asked] = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(HOSTS);
if (bin === undefined || names.some((name) => !(name in HOSTS))) {
  console.error(`Usage: node scripts/hosts/drive.mjs FOLDER [HOST...]   (HOST: ${Object.keys(HOSTS).join(', ')})`);
  process.exit(2);
}
let failed = 0;
for (const name of names) {
  if (!existsSync(join(bin, HOSTS[name].program))) {
    console.log(`${name}: not installed in ${bin}`);
    continue;
  }
  const faults = await drive(name, HOSTS[name]);
  if (faults.length > 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;

async function drive(name, host) {
  const folder = mkdtempSync(join(tmpdir(), `drive-${name}-`));
  const [home, work] = ['home', 'work'].map((part) => join(folder, part));
  for (const part of [home, work]) mkdirSync(part);
  const model = await startModel({ command: COMMAND });
  const services = ['memory', 'timing'].map((service) => startOne(service, folder));
  let isKept = true;
  try {
    await Promise.all(services.map(({ ready }) => ready));
    const [memory, timing] = services.map((service) => service.url());
    await ask(`${memory}/ingest?agent_id=ops`, { content: KNOWN });
    const where = { home, work, url: model.url };
    const env = {
      PATH: process.env.PATH,
      TERM: 'dumb',
      HOME: home,
      AGENT_FACULTIES_HOOK_LIMIT_MS: String(HOOK_LIMIT_MS),
      MEMORY_URL: memory,
      TIMING_URL: timing,
    };
    host.prepare?.(where);
    const cli = join(root, 'packages', 'cli', 'bin', 'agent-faculties.mjs');
    await run(process.execPath, [cli, 'install', name], { cwd: work, env, folder });
    const program = join(bin, host.program);
    const hostEnv = { ...env, ...host.env(where) };
    if (host.before) await run(program, host.before(where), { cwd: work, env: hostEnv, folder });
    const scripts = [
      { command: COMMAND, isInBackground: false },
      { command: FAILING, isInBackground: false },
      ...(host.hasBackground ? [{ command: LATE, isInBackground: true }] : []),
    ];
    for (const script of scripts) {
      Object.assign(model.script, script);
      await run(program, host.args, { cwd: work, env: hostEnv, folder });
    }
    const found = await lookedUp({ memory, timing, requests: model.requests });
    const faults = Object.keys(found).filter((what) => found[what] === (host.unsaid ?? []).includes(what));
    const marks = Object.entries(found).map(([what, is]) => `${is ? '+' : '-'}${what}`);
    console.log(
      `${name}: ${faults.length === 0 ? 'as expected' : `NOT AS EXPECTED: ${faults.join(', ')}`}  ${marks.join(' ')}`,
    );
    if (faults.length > 0) console.log(`  look into ${folder}`);
    isKept = faults.length > 0;
    return faults;
  } finally {
    model.close();
    await Promise.all(services.map((service) => service.stop()));
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}

function startOne(service, folder) {
  const flags = {
    memory: ['--embedding-model', 'none', '--contradiction-model', 'none', '--data-dir', join(folder, 'memories')],
    timing: ['--db-path', join(folder, 'timing.db')],
  };
  const entry = join(root, 'apps', `${service}-service`, 'dist', 'main.js');
  return startService({ name: service, entry, flags: [...flags[service], '--port', '0'], logsFolder: folder });
}

/** What came of it, each as a question that is answered with yes or no. */
async function lookedUp({ memory, timing, requests }) {
  const sent = JSON.stringify(requests);
  const { memories } = await ask(`${memory}/memories`);
  const { tasks } = await ask(`${timing}/tasks?agent_id=*`);
  const { hooks } = await ask(`${timing}/hooks?agent_id=*`);
  const said = (text) => memories.some(({ content }) => content.includes(text));
  const endedAs = (type, outcome) => tasks.filter((task) => task.task_type === type && task.outcome === outcome).length;
  return {
    context: sent.includes('The deploy window of the billing service is Tuesday'),
    time: /It is \w+day \d{4}-\d\d-\d\d \d\d:\d\d \(/.test(sent),
    prompt: said(PROMPT),
    reply: said(ANSWER),
    exchange: endedAs('exchange', 'ok') > 1,
    tool: endedAs('node', 'ok') === (endedAs('node', 'error') === 0 ? 2 : 1),
    failure: endedAs('node', 'error') === 1,
    // Nothing is said of how long it took, and that it has ended is no prompt of the user.
    background: endedAs('git && sleep', 'ok') === 0 && !said('background') && !said('notification'),
    unrefused: hooks.length > 0 && hooks.every(({ result }) => result !== 'refused'),
  };
}

/** @returns {Promise<any>} the answer */
async function ask(url, body) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

async function run(program, args, { cwd, env, folder }) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: HOST_LIMIT_MS });
  const log = join(folder, 'host.log');
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => appendFileSync(log, chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) console.log(`  ${program} ${args[0]}: exit code ${code}, see ${log}`);
}

function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
