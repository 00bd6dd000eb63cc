import { runCli } from '../src/cli.ts';
import type { Edge } from '../src/command.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with everything of the world that is not handed in left out. */
export async function run(argv: readonly string[], world: Partial<Edge> & { input?: string } = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const { input = '', ...edge } = world;
  const code = await runCli({
    version: '0.0.0-test',
    argv,
    env: {},
    cwd: '/nowhere',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    overwrite: (text) => {
      err += `\r${text}`;
    },
    stdin: (async function* () {
      if (input !== '') yield new TextEncoder().encode(input);
    })(),
    isTerminal: { stdin: false, stdout: false, stderr: false },
    clock: { now: () => Date.UTC(2026, 10, 21, 9, 30) },
    pause: async () => {},
    fetch: globalThis.fetch,
    execute: async () => 0,
    spawn: () => {
      throw new Error('nothing is started here');
    },
    programs: { service: (name) => [`${name}-service`], start: ['start'], dataFolder: '/data' },
    signal: new AbortController().signal,
    ...edge,
  });
  return { code, out, err };
}
