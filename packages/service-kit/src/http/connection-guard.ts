import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CODES } from '../problems/problem-codes.ts';

/**
 * A JSON body is buffered, and must arrive whole within this time: far more than it needs, short enough to shed stuck clients. Any
 * other body is a stream of any length: it may take any time, but must not pause for this long.
 */
export const BODY_LIMIT_MS = 30_000;

const CONNECTION_PROBLEMS = {
  malformed_http: 'The request is not valid HTTP/1.1: send it with an HTTP library.',
  broken_off: 'The connection ended before the body did: send it again. What was taken in until then stays.',
  request_timeout: 'The request did not arrive in time: send it again without pauses.',
  headers_too_large: 'The headers are too large: send fewer or shorter ones.',
  expectation_failed: 'The header Expect is not understood: leave it out.',
} as const;

/** A client that takes nothing of its answer for this long is cut off: the answer would stay in memory for as long as it likes. */
const UNREAD_LIMIT_MS = 120_000;

/**
 * Answers a malformed or incomplete request with a problem document, and closes the connection. Requests that come before the answer
 * to an earlier one of their connection wait for it (RFC 9112, 9.3.2): all at once they would change in any order, and fill the memory.
 */
export function guardConnections(server: Server, app: RequestListener, { bodyLimitMs }: { bodyLimitMs: number }): void {
  /** To the request whose turn it is. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => {
    const serve = () => {
      if (req.socket.destroyed) return;
      answers.set(req.socket, res);
      if (hasBody(req)) limitBody(req, res, bodyLimitMs);
      app(req, res);
    };
    const before = latest.get(req.socket);
    latest.set(req.socket, res);
    if (!before || before.closed) serve();
    // In a turn of its own: hundreds may wait on one connection, and others have requests too.
    else before.once('close', () => setImmediate(serve));
  });
  server.setTimeout(UNREAD_LIMIT_MS, (socket) => {
    // Nothing moves either while the service works on an answer.
    const isWorking = answers.get(socket)?.closed === false && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });
  // Node answers it with an empty 417. As an answer, unlike bytes on the socket, it waits for those to earlier requests.
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
    const { status, title, headers, document } = refusal('expectation_failed');
    res.writeHead(status, title, headers).end(document);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    const answering = answer?.headersSent && !answer.writableFinished;
    if (error.code === 'ECONNRESET' || answering) socket.destroy();
    else refuse(socket, codeOf(error, latest.get(socket)?.req));
  });
}

function limitBody(req: IncomingMessage, res: ServerResponse, limitMs: number): void {
  const isBuffered = /^\s*application\/json\b/i.test(req.headers['content-type'] ?? '');
  let seen = req.socket.bytesRead;
  const watch = setInterval(() => {
    if (req.complete) return clearInterval(watch);
    // The client sent bytes in time that the server has not read yet: the server is slow, not the client.
    const moves = req.socket.bytesRead > seen || req.readableLength > 0;
    seen = req.socket.bytesRead;
    if (moves && !isBuffered) return;
    clearInterval(watch);
    if (res.headersSent) req.socket.destroy();
    else refuse(req.socket, 'request_timeout');
  }, limitMs);
  res.once('close', () => clearInterval(watch));
}

function codeOf(
  { code }: NodeJS.ErrnoException,
  request: IncomingMessage | undefined,
): keyof typeof CONNECTION_PROBLEMS {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (code === 'HPE_INVALID_EOF_STATE' && request?.complete === false) return 'broken_off';
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http';
}

function refuse(socket: Duplex, code: keyof typeof CONNECTION_PROBLEMS): void {
  if (!socket.writable) return void socket.destroy();
  const { status, title, headers, document } = refusal(code);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${title}`, ...fields];
  socket.end(`${head.join('\r\n')}\r\n\r\n${document}`, () => socket.destroy());
}

function refusal(code: keyof typeof CONNECTION_PROBLEMS) {
  const { status, title } = PROBLEM_CODES[code];
  const type = `urn:agent-faculties:problem:${code}`;
  const document = JSON.stringify({ type, title, status, detail: CONNECTION_PROBLEMS[code], code });
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(document),
    Connection: 'close',
  };
  return { status, title, headers, document };
}

/** Whether a request has a body, by RFC 9112 (6.3); a Content-Length of 0 counts as none. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
