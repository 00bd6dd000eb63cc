// The adapters as a user installs them, each in an empty folder beside a framework that is too large to be a development dependency, and
// in the versions that Node 20 does not run: npm run test:frameworks [NAME...]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { lastLines, runQuietly } from '../lib/run-quietly.mjs';
import { startService } from '../lib/service-process.mjs';

const STEP_LIMIT_MS = 300_000;

const CASES = {
  'ai-5': { check: 'ai-sdk.mjs', packages: ['ai@5.0.277', 'zod@4.6.7'] },
  // Node 22 comes from the registry too, as a package.
  'ai-7': {
    check: 'ai-sdk.mjs',
    packages: ['ai@7.0.173', 'zod@4.6.7', 'node@22.23.3'],
    node: 'node_modules/node/bin/node',
  },
  langgraph: { check: 'langgraph.mjs', packages: ['@langchain/langgraph@1.7.3', '@langchain/core@1.4.0'] },
  'openai-agents': { check: 'openai-agents.mjs', packages: ['@openai/agents@0.20.0', 'zod@4.6.7'] },
  python: {
    extras: 'anthropic,langgraph,openai-agents',
    versions: ['anthropic==2.12.0', 'langgraph-checkpoint==4.3.2', 'openai-agents==0.24.0'],
  },
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in CASES)) throw new Error(`There is no case ${name}: there are ${Object.keys(CASES).join(', ')}.`);
}
const home = mkdtempSync(join(tmpdir(), 'agent-faculties-frameworks-'));
const services = ['memory', 'timing'].map((name) =>
  startService({
    name: `${name}-service`,
    entry: join(root, 'apps', `${name}-service`, 'dist', 'main.js'),
    flags: [
      '--port',
      '0',
      ...(name === 'memory' ? ['--data-dir', join(home, 'memory')] : ['--db-path', join(home, 'timing.db')]),
    ],
    logsFolder: home,
  }),
);
let failures = 0;
try {
  await Promise.race([
    Promise.all(services.map(({ ready }) => ready)),
    Promise.race(services.map(({ ended }) => ended)).then(() => {
      throw new Error(services.map(({ name, lastWords }) => `${name}:\n${lastWords()}`).join('\n'));
    }),
  ]);
  const [memoryUrl, timingUrl] = services.map((service) => service.url());
  const env = { ...process.env, MEMORY_URL: memoryUrl, TIMING_URL: timingUrl };
  for (const [name, one] of Object.entries(CASES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = join(home, name);
    mkdirSync(folder);
    const startedMs = performance.now();
    const fault = await (one.check ? tryJavaScript(one, folder, env) : tryPython(one, folder, env));
    const took = `${((performance.now() - startedMs) / 1_000).toFixed(0)} s, ${megabytes(folder)} MB`;
    console.log(`${fault ? 'FAILED' : 'good'}: ${name} (${took})${fault ? `\n${fault}` : ''}`);
    if (fault) failures++;
    rmSync(folder, { recursive: true });
  }
} finally {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(home, { recursive: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function tryJavaScript({ check, packages, node = process.execPath }, folder, env) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const ours = ['client', 'adapters'].map((name) => join(root, 'packages', name));
  cpSync(join(root, 'scripts', 'frameworks', check), join(folder, check));
  const packFault = await faultOf('npm', ['pack', '--silent', ...ours], { folder, env });
  if (packFault) return packFault;
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const install = ['install', '--no-audit', '--no-fund', ...packed, ...packages];
  return (await faultOf('npm', install, { folder, env })) ?? (await faultOf(node, [check], { folder, env }));
}

async function tryPython({ extras, versions }, folder, env) {
  // Copied, because pip builds in the folder of the source.
  const source = join(folder, 'source');
  const isSource = (path) => !['.venv', 'dist', 'build'].includes(basename(path));
  cpSync(join(root, 'clients', 'python'), source, { recursive: true, filter: isSource });
  const python = join(folder, 'venv', 'bin', 'python');
  const install = ['-m', 'pip', 'install', '--quiet', `${source}[${extras}]`, ...versions];
  const check = ['-W', 'error::ResourceWarning', join(source, 'test', 'test_frameworks.py')];
  return (
    (await faultOf('python3', ['-m', 'venv', 'venv'], { folder, env })) ??
    (await faultOf(python, install, { folder, env })) ??
    (await faultOf(python, check, { folder, env }))
  );
}

/** The end of what a failed command said; null where it did well. */
async function faultOf(command, args, { folder, env }) {
  const { code, output } = await runQuietly(command, args, { cwd: folder, env, limitMilliseconds: STEP_LIMIT_MS });
  return code === 0 ? null : `${command} ${args.join(' ')}: exit code ${code}\n${lastLines(output, 40)}`;
}

function megabytes(folder) {
  return spawnSync('du', ['-sm', folder], { encoding: 'utf8' }).stdout.split('\t')[0];
}
