import { createServer, type IncomingHttpHeaders } from 'node:http';
import { urlOf } from './live-services.ts';

/** What the server does with one request. */
export type Step =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  /** The connection ends before an answer. */
  | 'cut'
  /** The connection ends in the middle of the body. */
  | 'half'
  /** Nothing comes. */
  | 'silence';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real server that treats each request as the next step says; the last step applies to all later requests. */
export async function faultyServer() {
  let steps: readonly Step[] = [];
  let taken = 0;
  const seen: Seen[] = [];
  let onRequest = () => {};
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    const step = steps[Math.min(taken++, steps.length - 1)] as Step;
    onRequest();
    if (step === 'silence') return;
    if (step === 'cut') return void req.socket.destroy();
    if (step === 'half') {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      return void res.write('{"memories": [', () => req.socket.destroy());
    }
    const text = typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
    res.writeHead(step.status ?? 200, { 'Content-Type': 'application/json', ...step.headers }).end(text);
  });
  const url = await urlOf(server);
  return {
    url,
    seen,
    /** Forgets the requests so far and takes these steps from now on. */
    will: (...next: Step[]) => {
      steps = next;
      taken = 0;
      seen.length = 0;
      onRequest = () => {};
    },
    /** Resolves when the next request has come whole. */
    nextRequest: () =>
      new Promise<void>((resolve) => {
        onRequest = resolve;
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An error answer of a service. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Step {
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-ID': 'r-1', ...headers },
    body: { type: `urn:agent-faculties:problem:${code}`, title: code, status, detail: 'Do this.', code },
  };
}
