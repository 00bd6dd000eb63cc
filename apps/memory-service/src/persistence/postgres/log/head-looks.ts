import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request has seen of the head. */
interface Request {
  look: Promise<void> | null;
  /** What it left behind, such as a timer, looks for itself. */
  isOver: boolean;
}

/** Looks at the head of the log: once in a request, and once for all who ask at a time. */
export class HeadLooks {
  readonly #look: () => Promise<void>;
  readonly #requests = new AsyncLocalStorage<Request>();
  /** The look that is under way, and the one that comes after it. */
  #current: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** @param look applies what others have written; one at a time */
  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  /** Runs a request, for which one look is enough. */
  async answering<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const request: Request = { look: null, isOver: false };
    try {
      return await this.#requests.run(request, work);
    } finally {
      request.isOver = true;
    }
  }

  async catchUp(): Promise<void> {
    const request = this.#requests.getStore();
    if (!request || request.isOver) return await this.#lookSoon();
    request.look ??= this.#lookSoon();
    await request.look;
  }

  /** Has the request look again when it next catches up. */
  lookAgain(): void {
    const request = this.#requests.getStore();
    if (request) request.look = null;
  }

  /** One look is enough for all who asked before it began. */
  async #lookSoon(): Promise<void> {
    this.#next ??= this.#lookAfter(this.#current);
    await this.#next;
  }

  async #lookAfter(current: Promise<void> | null): Promise<void> {
    await current?.catch(() => {});
    this.#current = this.#next;
    this.#next = null;
    await this.#look();
  }
}
