import { spawn } from 'node:child_process';

/** Another program that runs beside this one. */
export interface Child {
  /** Its standard output and error, until it ends or the reader stops. */
  readonly output: AsyncIterable<string>;
  /** Closes its standard input, then sends a signal if it still runs; resolves when it has ended. */
  readonly stop: () => Promise<void>;
}

/** How long a service may take to finish its requests. */
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
      // Output is read even when nobody wants it any more, because a full pipe would block the program.
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
