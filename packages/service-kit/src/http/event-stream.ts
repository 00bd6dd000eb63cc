import type { Request, Response } from 'express';
import { UnavailableError } from '../problems/errors.ts';

/** Proxies close a silent connection after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader. Beyond it the client is disconnected, and resumes from its last id. */
const BACKLOG_LIMIT_BYTES = 1024 * 1024;
/** Each open stream costs a connection and a look at every change. */
const MOST_STREAMS = 1_000;

/** An open answer of server-sent events (HTML standard, section 9.2). */
export class EventStream {
  readonly #res: Response;

  constructor(res: Response) {
    this.#res = res;
    const heartbeat = setInterval(() => this.write(':\n\n'), HEARTBEAT_MS);
    res.once('close', () => clearInterval(heartbeat));
  }

  get isClosed(): boolean {
    return this.#res.destroyed || this.#res.writableEnded;
  }

  /** Whether what was written waits for the reader. */
  get needsDrain(): boolean {
    return this.#res.writableNeedDrain;
  }

  write(text: string): void {
    if (this.isClosed) return;
    if (this.#res.writableLength > BACKLOG_LIMIT_BYTES) this.#res.destroy();
    else this.#res.write(text);
  }

  /** Also resolves when the client is gone. */
  async drained(): Promise<void> {
    const res = this.#res;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        res.off('drain', done).off('close', done);
        resolve();
      };
      res.on('drain', done).on('close', done);
      if (this.isClosed) done();
    });
  }

  onClose(ended: () => void): void {
    this.#res.once('close', ended);
  }

  /** For a client that lags too far behind; it resumes after the last event received. */
  destroy(): void {
    this.#res.destroy();
  }
}

/** The open streams, which a stop must end. */
export class EventStreams {
  readonly #open = new Set<Response>();
  readonly #most: number;

  constructor({ most = MOST_STREAMS }: { most?: number } = {}) {
    this.#most = most;
  }

  /** Answers with the head of a stream; null to HEAD, which gets nothing else. @throws UnavailableError when too many are open */
  begin(req: Request, res: Response): EventStream | null {
    if (this.#open.size >= this.#most) {
      throw new UnavailableError(`${this.#most} event streams are open: close one that nobody reads, then try again.`);
    }
    res
      .status(200)
      .set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    res.flushHeaders();
    if (req.method === 'HEAD') {
      res.end();
      return null;
    }
    this.#open.add(res);
    res.once('close', () => this.#open.delete(res));
    return new EventStream(res);
  }

  get size(): number {
    return this.#open.size;
  }

  endAll(): void {
    for (const res of this.#open) res.end();
  }
}

/** One message. JSON holds no line break, so one data line is enough. */
export function eventMessage(event: string, data: unknown, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A message without an event, which tells a client the id to resume from. */
export function connectedMessage(id: string): string {
  return `id: ${id}\n: connected\n\n`;
}
