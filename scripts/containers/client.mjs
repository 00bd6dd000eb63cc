// Talks to the gateway over TLS, and trusts only the certificate that the gateway made for itself.
import { Agent, request } from 'node:https';
import { compose, environment } from './engine.mjs';

const LIMIT_MILLISECONDS = 20_000;

/** What is sent again by `acknowledged`: nobody was told that it was kept. */
const PASSING = [429, 502, 503, 504];

/** @param of runs docker compose for the deployment */
export async function connect(of = compose) {
  const ca = await of('exec', '-T', 'gateway', 'cat', '/var/lib/gateway/self-signed.crt');
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca });
  /** @returns {Promise<{status: number, type: string, body: any}>} status 0 when no answer came */
  const call = (key, method, path, body) =>
    new Promise((resolve) => {
      const headers = {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      };
      const options = {
        host: '127.0.0.1',
        port: environment.GATEWAY_PORT,
        agent,
        method,
        path,
        headers,
        timeout: LIMIT_MILLISECONDS,
      };
      const req = request(options, (res) => {
        const chunks = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('error', (error) => resolve({ status: 0, type: '', body: error.message }));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const type = res.headers['content-type'] ?? '';
          resolve({ status: res.statusCode, type, body: /json/.test(type) ? JSON.parse(text) : text });
        });
      });
      req.on('timeout', () => req.destroy(new Error('timed out')));
      req.on('error', (error) => resolve({ status: 0, type: '', body: error.message }));
      req.end(body && JSON.stringify(body));
    });
  return { call, close: () => agent.destroy() };
}

/** A key of the gateway for an agent. */
export async function createKey(agent, role, of = compose) {
  return (await of('exec', '-T', 'gateway', 'gateway-keys', 'create', '--agent', agent, '--role', role)).trim();
}

/** Writes from several sides until it is stopped, and keeps what was answered with 200. */
export class Load {
  /** Ids of memories. */
  memories = [];
  /** Correlation ids of tasks. */
  tasks = [];
  /** Answers that were neither 200 nor passing: there should be none. */
  unexpected = [];
  /** Calls that were not answered, or with a passing status. */
  refused = 0;
  #isOver = false;
  #writers;

  constructor({ call }, key, name) {
    const write = async (writer) => {
      for (let number = 1; !this.#isOver; number++) {
        const content = `${name} ${writer}-${number}: the Kestrel build ${number} of shard ${writer} took ${number * 7} seconds.`;
        this.#note(await call(key, 'POST', '/ingest', { content }), ({ memory }) => this.memories.push(memory.id));
        const task = { task_type: `${name} ${writer}`, correlation_id: `${name}-${writer}-${number}` };
        this.#note(await call(key, 'POST', '/timing/events/task-start', task), () =>
          this.tasks.push(task.correlation_id),
        );
      }
    };
    this.#writers = Promise.all([1, 2, 3, 4].map(write));
  }

  get count() {
    return this.memories.length + this.tasks.length;
  }

  async stop() {
    this.#isOver = true;
    await this.#writers;
  }

  #note({ status, body }, keep) {
    if (status === 200) keep(body);
    else if (status === 0 || PASSING.includes(status)) this.refused += 1;
    else this.unexpected.push({ status, body });
  }
}

/** Ids of what was acknowledged and is not there. */
export async function lostOf({ call }, key, { memories, tasks }) {
  const paths = [...memories.map((id) => `/memory/${id}`), ...tasks.map((id) => `/timing/tasks/${id}`)];
  const lost = [];
  for (let at = 0; at < paths.length; at += 16) {
    const batch = paths.slice(at, at + 16);
    const answers = await Promise.all(batch.map((path) => call(key, 'GET', path)));
    lost.push(...batch.filter((_, index) => answers[index].status !== 200));
  }
  return lost;
}
