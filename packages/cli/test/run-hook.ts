import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PROGRAM = fileURLToPath(new URL('../bin/agent-faculties-hook.mjs', import.meta.url));
/** Far more than it takes on a busy machine. */
const LIMIT_MS = 30_000;

export interface Urls {
  readonly memory: string;
  readonly timing: string;
}

let bundled: Promise<string> | undefined;

/**
 * The program beside what it loads of the packages, as JavaScript: a test may run where nothing is built, and with a loader of
 * TypeScript each start would take several times as long.
 */
async function bundle(): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'hook-program-'));
  await build({
    entryPoints: { hook: PROGRAM },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@agent-faculties/source'],
  });
  return join(outdir, 'hook.mjs');
}

/** Runs the hook program as a host does. @param world `state` is the folder in which it keeps what waits */
export async function runHook(
  args: readonly string[],
  input: unknown,
  {
    memory,
    timing,
    state,
    limitMs = LIMIT_MS,
    preload,
    zone,
    env,
  }: Urls & {
    readonly state: string;
    readonly limitMs?: number;
    readonly preload?: string;
    readonly zone?: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<{ code: unknown; out: string; err: string }> {
  bundled ??= bundle();
  const program = await bundled;
  const child = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ['--import', preload]), program, ...args, '--limit', String(limitMs)],
    {
      env: {
        PATH: process.env.PATH ?? '',
        XDG_STATE_HOME: state,
        MEMORY_URL: memory,
        TIMING_URL: timing,
        ...(zone && { TZ: zone }),
        ...env,
      },
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  // The program may end before it has read all of its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, out, err };
}
