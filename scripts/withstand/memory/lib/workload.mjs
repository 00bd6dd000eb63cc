// Parallel clients that store, recall, edit and delete, and write into a ledger what they were answered.
import { seededRandom } from '../../lib/seeded-random.mjs';
import { AGENTS } from './ledger.mjs';
import { requester } from './memory-service.mjs';
import { sentenceSource } from './sentences.mjs';

/** One in this many memories is PRIVATE. */
const PRIVATE_EVERY = 5;
const SESSIONS_PER_AGENT = 10;
/** What a client does next, as shares of 1; the rest is recall. */
const SHARES = { ingest: 0.3, ingestAndRecall: 0.1, update: 0.15, delete: 0.15, get: 0.1 };

/**
 * Works until `until()` is true or the connection breaks; resolves when every client has ended. `round` keeps apart what is
 * said in different calls. Nobody but the client that stored a memory edits or deletes it.
 * @param mostKept memories that a client keeps: it deletes more where it has more
 */
export async function work(url, ledger, { clients, round, until, mostKept = Number.POSITIVE_INFINITY }) {
  const client = requester(url, { connections: clients });
  const found = { own: 0, ownAsked: 0 };
  const ends = await Promise.allSettled(
    Array.from({ length: clients }, (_, index) =>
      new OneClient({ client, ledger, index, round, mostKept, found }).work(until),
    ),
  );
  client.close();
  const fault = ends.find(({ reason }) => reason && !reason.code?.startsWith('ECONN') && reason.code !== 'EPIPE');
  if (fault) throw fault.reason;
  return found;
}

class OneClient {
  #ids = [];
  #number = 0;

  constructor({ client, ledger, index, round, mostKept, found }) {
    Object.assign(this, { client, ledger, mostKept, found });
    // The same clients do the same things in every run.
    this.random = seededRandom(round * 1_000 + index);
    this.sentence = sentenceSource(this.random);
    this.agentId = AGENTS[index % AGENTS.length];
    this.name = `${round}-${index}`;
  }

  async work(until) {
    while (!until()) await this.#step();
  }

  async #step() {
    if (this.#ids.length > this.mostKept) return this.#delete();
    let left = this.random();
    const falls = (share) => {
      left -= share;
      return left < 0;
    };
    if (falls(SHARES.ingest) || this.#ids.length === 0) return this.#ingest('/ingest');
    if (falls(SHARES.ingestAndRecall)) return this.#ingest('/ingest_and_recall');
    if (falls(SHARES.update)) return this.#update();
    if (falls(SHARES.delete)) return this.#delete();
    if (falls(SHARES.get)) return this.#get();
    return this.#recall();
  }

  async #ingest(path) {
    const { ledger, agentId } = this;
    const content = `${this.sentence()} (note ${this.name}-${this.#number++})`;
    const scope = this.random() < 1 / PRIVATE_EVERY ? 'PRIVATE' : 'TEAM';
    const session_id = `${agentId}-${Math.floor(this.random() * SESSIONS_PER_AGENT)}`;
    ledger.unanswered.set(content, { agentId, scope });
    const answer = await this.client.post(path, { content, scope, session_id, role: 'user' }, { agentId });
    ledger.count(answer, `POST ${path}`, [200]);
    if (answer.status !== 200) return;
    ledger.stored(answer.body);
    this.#ids.push(answer.body.memory.id);
    if (answer.body.duplicate) ledger.unexpected.push(`a new message was called a duplicate: ${content}`);
    this.#checkRecalled(answer.body.memories ?? []);
  }

  async #update() {
    const { ledger, agentId } = this;
    const id = this.#anyId();
    const gist = `${this.sentence()} (edit ${this.name}-${this.#number++})`;
    ledger.memories.get(id).pending = { op: 'update', gist };
    const answer = await this.client.put(`/memory/${id}`, { gist }, { agentId });
    ledger.count(answer, `PUT /memory/${id}`, [200]);
    if (answer.status !== 200) return;
    ledger.updated(answer.body);
    if (answer.body.memory.gist !== gist) ledger.unexpected.push(`an edit of ${id} answered with another gist`);
  }

  async #delete() {
    const { ledger, agentId } = this;
    const [id] = this.#ids.splice(Math.floor(this.random() * this.#ids.length), 1);
    ledger.memories.get(id).pending = { op: 'delete' };
    const answer = await this.client.delete(`/memory/${id}`, { agentId });
    ledger.count(answer, `DELETE /memory/${id}`, [200]);
    if (answer.status !== 200) return;
    ledger.deleted(id);
    const after = await this.client.get(`/memory/${id}`, { agentId });
    ledger.count(after, `GET the deleted /memory/${id}`, [404]);
  }

  async #get() {
    const { ledger, agentId } = this;
    const id = this.#anyId();
    const answer = await this.client.get(`/memory/${id}`, { agentId });
    ledger.count(answer, `GET /memory/${id}`, [200]);
    const { gist } = ledger.memories.get(id);
    if (answer.status === 200 && answer.body.memory.gist !== gist) {
      ledger.unexpected.push(`GET ${id} does not answer what was acknowledged: ${answer.body.memory.gist}`);
    }
  }

  /** Half of the questions are the very words of something that the client has said. */
  async #recall() {
    const { ledger, agentId, found } = this;
    const own = this.random() < 0.5 ? this.#anyId() : null;
    const query = own === null ? this.sentence() : ledger.memories.get(own).gist;
    const answer = await this.client.post('/recall', { query }, { agentId });
    ledger.count(answer, 'POST /recall', [200]);
    if (answer.status !== 200) return;
    this.#checkRecalled(answer.body.memories);
    if (own === null) return;
    found.ownAsked++;
    if (answer.body.memories.some(({ id }) => id === own)) found.own++;
  }

  #checkRecalled(memories) {
    for (const { id, scope, agent_id: author } of memories) {
      if (scope === 'PRIVATE' && author !== this.agentId) {
        this.ledger.unexpected.push(`${id}, PRIVATE of ${author}, was recalled for ${this.agentId}`);
      }
    }
  }

  #anyId() {
    return this.#ids[Math.floor(this.random() * this.#ids.length)];
  }
}
