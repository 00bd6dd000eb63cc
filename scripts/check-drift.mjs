#!/usr/bin/env node
// Fails when something generated is older than its source: the types of each openapi.yaml, the migrations of the database schema.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './lib/root.mjs';
import { lastLines, runQuietly } from './lib/run-quietly.mjs';
import { KnownFailure, runMain, say } from './lib/say.mjs';

const services = ['timing', 'memory'];
const generated = [
  ...services.map((name) => join(root, 'apps', `${name}-service`, 'src', 'api.gen.ts')),
  ...services.flatMap((name) =>
    ['', '-operations'].map((part) => join(root, 'packages', 'client', 'src', `${name}${part}.gen.ts`)),
  ),
  ...[...services, 'calls', 'clients'].map((name) =>
    join(root, 'clients', 'python', 'src', 'agent_faculties', `_${name}_gen.py`),
  ),
];
const databaseApp = join(root, 'apps', 'timing-service');
const migrations = join(databaseApp, 'migrations');

await runMain(async () => {
  await checkGenerated();
  await checkMigrations();
});

async function checkGenerated() {
  const before = generated.map(readIfThere);
  const { code, output } = await runQuietly('npm', ['run', '--silent', 'codegen']);
  if (code !== 0) throw new KnownFailure(`Types could not be generated:\n${lastLines(output)}`);
  const stale = generated.filter((path, index) => readIfThere(path) !== before[index]);
  if (stale.length > 0) {
    throw new KnownFailure(
      `Older than openapi.yaml (generated anew just now; look at them and commit them):\n${stale.map(display).join('\n')}`,
    );
  }
  say('types', 'those of the services and of their clients fit each openapi.yaml');
}

async function checkMigrations() {
  const before = readFolder(migrations);
  const drizzleKit = join(databaseApp, 'node_modules', 'drizzle-kit', 'bin.cjs');
  const { code, output } = await runQuietly(process.execPath, [drizzleKit, 'generate'], { cwd: databaseApp });
  const after = readFolder(migrations);
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
  for (const path of changed) {
    if (before.has(path)) writeFileSync(path, before.get(path));
    else rmSync(path);
  }
  // It exits with 0 even when it would ask a question, so only its output counts.
  if (code !== 0 || changed.length > 0 || !output.includes('No schema changes')) {
    throw new KnownFailure(
      `The migrations of timing-service do not fit src/storage/tables/schema.ts. Write one:\n\n  cd apps/timing-service && npx drizzle-kit generate --name what_changes\n\nWhat drizzle-kit said:\n${lastLines(output, 10)}`,
    );
  }
  say('migrations', 'fit src/storage/tables/schema.ts in timing-service');
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function readFolder(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((file) => join(file.parentPath ?? file.path, file.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

function display(path) {
  return `  ${relative(root, path)}`;
}
