import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The program loads what it needs of the packages from their sources, since a test may run where nothing is built. */
const FROM_SOURCES = ['--conditions=@agent-faculties/source', '--import', 'tsx'];
const PROGRAM = fileURLToPath(new URL('../bin/agent-faculties-hook.mjs', import.meta.url));
/** Far more than it takes on a busy machine. */
const LIMIT_MS = 30_000;

export interface Urls {
  readonly memory: string;
  readonly timing: string;
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
  const child = spawn(
    process.execPath,
    [
      ...FROM_SOURCES,
      ...(preload === undefined ? [] : ['--import', preload]),
      PROGRAM,
      ...args,
      '--limit',
      String(limitMs),
    ],
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
