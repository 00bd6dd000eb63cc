import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { build, type Plugin } from 'esbuild';

const SCRIPT = fileURLToPath(new URL('hold-directory.ts', import.meta.url));
const OURS = /^(?:\.|@agent-faculties\/)/;

/** Leaves out each module of which the script uses nothing; service-kit alone would load a web server. */
const onlyWhatIsUsed: Plugin = {
  name: 'only-what-is-used',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (from.kind === 'entry-point' || pluginData === onlyWhatIsUsed) return undefined;
      const found = OURS.test(path)
        ? await resolve(path, { ...from, pluginData: onlyWhatIsUsed })
        : { path, external: true };
      return { ...found, sideEffects: false };
    });
  },
};

let bundled: Promise<string> | undefined;

/** The script as JavaScript: with a loader of TypeScript each process would take twenty times as long to start. */
async function bundle(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'hold-directory-')), 'hold-directory.mjs');
  await build({
    entryPoints: [SCRIPT],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@agent-faculties/source'],
    plugins: [onlyWhatIsUsed],
    logLevel: 'error',
  });
  return outfile;
}

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) await killed(child);
  }
});

/** Lets another process take a data directory. @returns the process, and what it says: 'held', or why not */
export async function otherProcess(path: string): Promise<{ child: ChildProcessWithoutNullStreams; says: string }> {
  bundled ??= bundle();
  const child = spawn(process.execPath, [await bundled, path]);
  children.push(child);
  child.stderr.pipe(process.stderr);
  const [says] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, says: says.trim() };
}

export async function killed(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
