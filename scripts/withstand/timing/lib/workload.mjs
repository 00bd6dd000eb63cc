// Parallel clients that start and end tasks and read in between, and a ledger of what the service acknowledged to them.
import { seededRandom } from '../../../lib/seeded-random.mjs';
import { requester } from '../../lib/service.mjs';

export const AGENTS = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
export const TASK_TYPES = ['build', 'run tests', 'tool:a/b', 'deploy', '<img src=x onerror=alert(1)>'];
const OUTCOMES = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'error', 'timeout', 'cancelled'];
/** Shares of tasks that stay open, and of ends that are sent twice. */
const LEFT_OPEN = 0.02;
const SENT_TWICE = 0.1;

export class Ledger {
  /** id -> { agentId, taskType } of every start that was acknowledged. */
  starts = new Map();
  /** id -> { eventId, outcome, durationSeconds } of every end that was acknowledged. */
  ends = new Map();
  /** Requests with a known id whose answer never came: id -> { path, body, agentId }, to be sent again. */
  unanswered = new Map();
  /** Starts without an own id whose answer never came: as many tasks of unknown id may exist. */
  unansweredAnonymous = 0;
  /** Answers by status; reads and writes together. */
  statuses = new Map();
  /** Answers that no client should get. */
  unexpected = [];

  count(answer, what, expected) {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (!expected.includes(answer.status))
      this.unexpected.push(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  acknowledgeStart({ status, body }, task) {
    if (status !== 200) return;
    this.starts.set(body.correlation_id, task);
  }

  acknowledgeEnd({ status, body }) {
    if (status !== 200) return;
    const { correlation_id: id, outcome } = body.task;
    const first = this.ends.get(id);
    const end = { eventId: body.event.id, outcome, durationSeconds: body.duration_seconds };
    if (!first) this.ends.set(id, end);
    else if (first.eventId !== end.eventId || first.durationSeconds !== end.durationSeconds) {
      this.unexpected.push(`a repeated end of ${id} answered with another result`);
    }
  }
}

/**
 * Works until `until()` is true or the connection breaks; resolves when every client has ended. `round` keeps the clients'
 * own ids apart from those of earlier calls.
 */
export async function work(url, ledger, { clients, round, until }) {
  const client = requester(url, { connections: clients });
  const tasks = Array.from({ length: clients }, (_, index) => oneClient(client, ledger, { index, round, until }));
  const ends = await Promise.allSettled(tasks);
  client.close();
  const fault = ends
    .flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    .find(({ code }) => !code?.startsWith('ECONN') && code !== 'EPIPE');
  if (fault) throw fault;
}

async function oneClient(client, ledger, { index, round, until }) {
  // The same clients do the same things in every run.
  const random = seededRandom(round * 1_000 + index);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const agentId = AGENTS[index % AGENTS.length];
  for (let number = 0; !until(); number++) {
    const taskType = pick(TASK_TYPES);
    const ownId = random() < 0.5 ? `own-${round}-${index}-${number}` : null;
    const start = { task_type: taskType, metadata: { number }, ...(ownId && { correlation_id: ownId }) };
    const started = await write(client, ledger, { path: '/events/task-start', body: start, agentId, id: ownId });
    ledger.acknowledgeStart(started, { agentId, taskType });

    const path = pick(READS)({ agentId, taskType: encodeURIComponent(taskType), random });
    ledger.count(await client.get(path, { agentId }), `GET ${path}`, [200, 404]);

    const id = started.body.correlation_id;
    if (started.status !== 200 || random() < LEFT_OPEN) continue;
    const end = { task_type: taskType, correlation_id: id, outcome: pick(OUTCOMES) };
    ledger.acknowledgeEnd(await write(client, ledger, { path: '/events/task-end', body: end, agentId, id }));
    if (random() < SENT_TWICE) {
      const again = await write(client, ledger, { path: '/events/task-end', body: end, agentId, id });
      if (again.body.replayed !== true) ledger.unexpected.push(`a repeated end of ${id} was not called a replay`);
      ledger.acknowledgeEnd(again);
    }
  }
}

/** Sends again what was never answered; afterwards everything with a known id is acknowledged. */
export async function sendUnansweredAgain(url, ledger) {
  const client = requester(url);
  for (const [id, { path, body, agentId }] of [...ledger.unanswered]) {
    const answer = await write(client, ledger, { path, body, agentId, id });
    if (path === '/events/task-start') ledger.acknowledgeStart(answer, { agentId, taskType: body.task_type });
    else ledger.acknowledgeEnd(answer);
  }
  client.close();
}

async function write(client, ledger, { path, body, agentId, id }) {
  if (id) ledger.unanswered.set(id, { path, body, agentId });
  else ledger.unansweredAnonymous++;
  const answer = await client.post(path, body, { agentId });
  if (id) ledger.unanswered.delete(id);
  else ledger.unansweredAnonymous--;
  ledger.count(answer, `POST ${path}`, [200]);
  return answer;
}

/** 404 is an answer here: a type may have no ended task yet. */
const READS = [
  ({ taskType }) => `/stats/durations/${taskType}`,
  ({ taskType }) => `/stats/durations/${taskType}?agent_id=*`,
  ({ taskType }) => `/stats/recommend-timeout/${taskType}`,
  ({ taskType, random }) => `/stats/check-timeout/${taskType}?elapsed_seconds=${random()}&timeout_seconds=2`,
  ({ taskType }) => `/stats/distribution/${taskType}`,
  () => '/stats/durations',
  () => '/stats/task-types',
  () => '/events?limit=20&agent_id=*',
  ({ taskType }) => `/events?limit=20&task_type=${taskType}`,
  () => '/tasks?limit=20&state=ended',
  () => '/tasks?limit=20&agent_id=*',
  () => '/events/active',
  () => '/agents',
  () => '/health',
];
