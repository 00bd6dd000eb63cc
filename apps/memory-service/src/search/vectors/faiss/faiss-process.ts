import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaissReply, FaissRequest } from './faiss-protocol.ts';

const ENTRY = fileURLToPath(new URL('./faiss-child.js', import.meta.url));

/** Far beyond what each takes; a process that has not answered by then never will. */
const ANSWER_LIMITS_MILLISECONDS = {
  start: 60_000,
  open: 10_000,
  close: 10_000,
  load: 60_000,
  sample: 10_000,
  train: 600_000,
  add: 10_000,
  search: 10_000,
};

/** What it says last is kept for the log. */
const LAST_WORDS_CHARACTERS = 500;

/** FAISS could not do what it was asked, or its process is gone. */
export class FaissError extends Error {
  override readonly name = 'FaissError';
}

interface Pending {
  readonly limitMilliseconds: number;
  resolve(reply: FaissReply): void;
  reject(error: FaissError): void;
}

/**
 * FAISS in a process of its own. A thread would be quicker to start, but faiss-node loses memory with every search, which only
 * the end of a process gives back; it cannot be used from two threads; and an error inside FAISS ends the process it is in.
 */
export class FaissProcess {
  /** Resolves to the reason when the process is gone, by itself or through kill. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #pending: Pending[] = [];
  #limit: NodeJS.Timeout | undefined;
  #lastWords = '';
  #reason: string | undefined;
  #isRetiring = false;

  private constructor() {
    this.#child = fork(ENTRY, [], {
      serialization: 'advanced',
      // What it allocates is gone with the answer; in larger spaces the arrays of vectors that are added take 30 MB.
      execArgv: ['--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }, // they spin while they wait for work
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    this.#child.on('message', (reply: FaissReply) => this.#settle(reply));
    this.ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#reason ??= [how, this.#lastWords.trim()].filter(Boolean).join(': ');
        clearTimeout(this.#limit);
        for (const { reject } of this.#pending.splice(0)) reject(new FaissError(this.#reason));
        resolve(this.#reason);
      };
      this.#child.on('error', (error) => end(error.message));
      this.#child.on('exit', (code, signal) => end(signal ? `ended by ${signal}` : `ended with code ${code}`));
    });
  }

  /** Starts one and waits until it is ready. @throws FaissError */
  static async start(): Promise<FaissProcess> {
    const started = new FaissProcess();
    await started.#reply('start');
    return started;
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** Asks; answers come in the order of the requests. @throws FaissError */
  async ask(request: FaissRequest): Promise<{ held: number; positions?: Int32Array }> {
    if (this.#reason !== undefined) throw new FaissError(this.#reason);
    this.#child.send(request, () => {}); // a failure to send is followed by the end of the process
    return this.#reply(request.do);
  }

  kill(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** Ends it when it has answered what it was asked. */
  retire(): void {
    this.#isRetiring = true;
    if (this.#pending.length === 0) this.kill('it was replaced');
  }

  async #reply(to: keyof typeof ANSWER_LIMITS_MILLISECONDS): Promise<{ held: number; positions?: Int32Array }> {
    const reply = await new Promise<FaissReply>((resolve, reject) => {
      this.#pending.push({ limitMilliseconds: ANSWER_LIMITS_MILLISECONDS[to], resolve, reject });
      if (this.#pending.length === 1) this.#watch();
    });
    if (reply.failure !== undefined) throw new FaissError(reply.failure);
    return reply;
  }

  #settle(reply: FaissReply): void {
    this.#pending.shift()?.resolve(reply);
    this.#watch();
    if (this.#isRetiring) this.retire();
  }

  /** One clock for the oldest request. */
  #watch(): void {
    clearTimeout(this.#limit);
    const oldest = this.#pending[0];
    if (!oldest) return;
    this.#limit = setTimeout(() => this.kill('it did not answer any more'), oldest.limitMilliseconds);
  }
}
