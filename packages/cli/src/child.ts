import { spawn } from 'node:child_process';

/** Another program that runs beside this one. */
export interface Child {
  /** What it writes to standard output and error, until it ends or nobody reads on. */
  readonly output: AsyncIterable<string>;
  /** Ends its standard input, and sends a signal where that does not end it; resolves when it has ended. */
  readonly stop: () => Promise<void>;
}

/** A service that stops has requests under way. */
const STOP_LIMIT_MS = 10_000;

export function spawnChild(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Child {
  const child = spawn(program, args, { stdio: 'pipe', env: { ...env } });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const texts: string[] = [];
  let isRead = true;
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      // What nobody reads any more is taken all the same: a full pipe would hold the program up.
      if (isRead) texts.push(text);
      wake();
    });
  }
  child.once('error', ({ message }) => texts.push(message));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    wake();
  });
  async function* output(): AsyncGenerator<string> {
    try {
      for (;;) {
        yield* texts.splice(0);
        if (isOver && texts.length === 0) return;
        if (texts.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      isRead = false;
    }
  }
  return {
    output: output(),
    stop: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
