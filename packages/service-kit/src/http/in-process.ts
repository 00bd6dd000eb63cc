import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Express, Request, Response } from 'express';

/** A request that never was on a wire. */
export interface InProcessRequest {
  readonly method: string;
  /** With its query, encoded. */
  readonly url: string;
  /** In lower case; values as Node hands them over, which is UTF-8 read as latin1. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined for none. */
  readonly body?: unknown;
}

export interface InProcessAnswer {
  readonly status: number;
  /** Undefined where the answer has no such header. */
  readonly header: (name: string) => string | undefined;
  /** The body of the answer, before it became the text of JSON. */
  readonly body: unknown;
}

/**
 * Has an application answer a request that comes from within: by the same guards, contract, identity, handler, log, metrics and
 * audit as one from outside. For operations that answer with JSON or a problem document.
 */
export function requestInProcess(app: Express, request: InProcessRequest): Promise<InProcessAnswer> {
  const req = incoming(request);
  return new Promise((resolve) => {
    const res = new ServerResponse(req) as Response;
    const answer = (body: unknown): Response => {
      const { statusCode: status } = res;
      res.once('finish', () => {
        // Without a server nobody else says so, and the log and the metrics wait for it.
        res.emit('close');
        resolve({ status, header: (name) => res.getHeader(name)?.toString(), body });
      });
      res.end();
      return res;
    };
    // In place of those of Express, which would make a text of it that has to be read again.
    res.json = answer;
    res.send = (text: string) => answer(JSON.parse(text));
    res.assignSocket(nowhere() as Socket);
    app(req as Request, res);
  });
}

function incoming({ method, url, headers, body }: InProcessRequest): IncomingMessage {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const all = {
    host: 'localhost',
    ...headers,
    ...(bytes !== null && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
  };
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  req.headers = { ...all };
  req.rawHeaders = Object.entries(all).flat();
  if (bytes !== null) req.push(bytes);
  req.push(null);
  return req;
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
