import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

interface EventMessage {
  readonly id: string | null;
  readonly event: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
  readonly data: any;
}

/** Reads server-sent events as the HTML standard says, one at a time; comments, which keep a connection alive, are left out. */
export class EventReader {
  readonly res: IncomingMessage;
  readonly #parts: AsyncIterator<EventMessage>;

  constructor(res: IncomingMessage) {
    this.res = res;
    this.#parts = messages(res);
  }

  /** @throws Error when the stream has ended */
  async next(): Promise<EventMessage> {
    const { value, done } = await this.#parts.next();
    if (done) throw new Error('the stream has ended');
    return value;
  }

  close(): void {
    this.res.destroy();
  }
}

export async function openEventReader(about: {
  readonly port: number;
  readonly path: string;
  readonly headers?: Record<string, string>;
}): Promise<EventReader> {
  const request = get({ host: '127.0.0.1', headers: {}, ...about, agent: false });
  const [res] = (await once(request, 'response')) as [IncomingMessage];
  return new EventReader(res);
}

async function* messages(res: IncomingMessage): AsyncGenerator<EventMessage> {
  let text = '';
  res.setEncoding('utf8');
  for await (const chunk of res) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (block.split('\n').every((line) => line.startsWith(':'))) continue;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
      const data = field('data');
      yield { id: field('id'), event: field('event'), data: data === null ? null : JSON.parse(data) };
    }
  }
}
