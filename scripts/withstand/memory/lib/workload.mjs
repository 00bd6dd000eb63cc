// Parallel clients that store, recall, edit, supersede, invalidate, revert, delete and erase, and write into a ledger what they were
// answered.
import { seededRandom } from '../../../lib/seeded-random.mjs';
import { AGENTS } from './ledger.mjs';
import { requester } from './memory-service.mjs';
import { sentenceSource } from './sentences.mjs';

/** One in this many memories is PRIVATE. */
const PRIVATE_EVERY = 5;
const SESSIONS_PER_AGENT = 10;
/** What a client does next, as shares of 1; the rest is recall. */
const SHARES = { ingest: 0.25, ingestAndRecall: 0.1, update: 0.11, delete: 0.11, get: 0.08 };
/** An erasure writes all files anew. */
const LASTING_SHARES = { supersede: 0.06, invalidate: 0.05, revert: 0.06, erase: 0.01 };

/**
 * Works until `until()` is true or the connection breaks; resolves when every client has ended. `round` keeps apart what is
 * said in different calls. Nobody but the client that stored a memory edits or deletes it.
 * @param mostKept memories that a client keeps: it deletes more where it has more @param lasting whether clients supersede,
 * invalidate, revert and erase too
 */
export async function work(
  url,
  ledger,
  { clients, round, until, mostKept = Number.POSITIVE_INFINITY, lasting = false },
) {
  const client = requester(url, { connections: clients });
  const found = { own: 0, ownAsked: 0 };
  const ends = await Promise.allSettled(
    Array.from({ length: clients }, (_, index) =>
      new OneClient({ client, ledger, index, round, mostKept, found, lasting }).work(until),
    ),
  );
  client.close();
  const fault = ends
    .flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    .find(({ code }) => !code?.startsWith('ECONN') && code !== 'EPIPE');
  if (fault) throw fault;
  return found;
}

class OneClient {
  #ids = [];
  /** Of memories that were deleted and can come back. */
  #gone = [];
  /** Of memories that supersede others: other words, and a delete that is taken back, change what those are. */
  #winners = new Set();
  #number = 0;

  constructor({ client, ledger, index, round, mostKept, found, lasting }) {
    this.client = client;
    this.ledger = ledger;
    this.mostKept = mostKept;
    this.found = found;
    this.lasting = lasting;
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
    if (this.lasting && falls(LASTING_SHARES.supersede)) return this.#supersede();
    if (this.lasting && falls(LASTING_SHARES.invalidate)) return this.#invalidate();
    if (this.lasting && falls(LASTING_SHARES.revert)) return this.#revert();
    if (this.lasting && falls(LASTING_SHARES.erase)) return this.#erase();
    return this.#recall();
  }

  /** @param loser the id of the memory in whose place the new one comes */
  async #ingest(path, loser = null) {
    const { ledger, agentId } = this;
    const content = `${this.sentence()} (note ${this.name}-${this.#number++})`;
    const chosen = this.random() < 1 / PRIVATE_EVERY ? 'PRIVATE' : 'TEAM';
    const scope = loser === null ? chosen : ledger.memories.get(loser).scope;
    const session_id = `${agentId}-${Math.floor(this.random() * SESSIONS_PER_AGENT)}`;
    ledger.unanswered.set(content, { agentId, scope });
    if (loser !== null) ledger.memories.get(loser).pending = { op: 'supersede', content };
    const supersedes = loser === null ? undefined : [loser];
    const answer = await this.client.post(path, { content, scope, session_id, role: 'user', supersedes }, { agentId });
    ledger.count(answer, `POST ${path}`, [200]);
    if (answer.status !== 200) return;
    if (loser !== null) {
      ledger.superseded(loser, answer.body.memory.id);
      this.#winners.add(answer.body.memory.id);
    }
    ledger.stored(answer.body);
    this.#ids.push(answer.body.memory.id);
    if (answer.body.duplicate) ledger.unexpected.push(`a new message was called a duplicate: ${content}`);
    this.#checkRecalled(answer.body.memories ?? []);
  }

  async #supersede() {
    const id = this.#anyId();
    if (this.ledger.memories.get(id).supersededBy === null) return this.#ingest('/ingest', id);
  }

  async #invalidate() {
    const { ledger, agentId } = this;
    const id = this.#anyId();
    const reason = `It ended (${this.name}-${this.#number++}).`;
    ledger.memories.get(id).pending = { op: 'invalidate', reason };
    const answer = await this.client.post(`/memory/${id}/invalidate`, { reason }, { agentId });
    ledger.count(answer, `POST /memory/${id}/invalidate`, [200]);
    if (answer.status === 200) ledger.changed(answer.body, 'invalidations');
  }

  /** Takes the last change of a memory back, half the time a delete. */
  async #revert() {
    const { ledger, agentId } = this;
    const isGone = this.#gone.length > 0 && this.random() < 0.5;
    const id = isGone ? this.#gone.pop() : this.#anyId();
    if (this.#winners.has(id)) return;
    const history = await this.client.get(`/memory/${id}/history`, { agentId });
    ledger.count(history, `GET /memory/${id}/history`, [200]);
    const before = history.status === 200 ? history.body.versions[0]?.before : null;
    if (!before) return;
    const { gist, invalidation } = before;
    ledger.memories.get(id).pending = { op: 'revert', gist, endedFor: invalidation?.reason ?? null };
    const { version } = history.body.versions[0];
    const answer = await this.client.post(`/memory/${id}/revert`, { version }, { agentId });
    ledger.count(answer, `POST /memory/${id}/revert`, [200]);
    if (answer.status !== 200) return;
    ledger.reverted(answer.body);
    if (isGone) this.#ids.push(id);
    if (answer.body.memory.gist !== gist) ledger.unexpected.push(`a revert of ${id} answered with another gist`);
  }

  async #erase() {
    const { ledger, agentId } = this;
    const [id] = this.#ids.splice(Math.floor(this.random() * this.#ids.length), 1);
    ledger.memories.get(id).pending = { op: 'erase' };
    const answer = await this.client.delete(`/memory/${id}?erase=true`, { agentId });
    ledger.count(answer, `DELETE /memory/${id}?erase=true`, [200]);
    if (answer.status !== 200) return;
    ledger.erased(id);
    const after = await this.client.get(`/memory/${id}/history`, { agentId });
    ledger.count(after, `GET the history of the erased ${id}`, [404]);
  }

  async #update() {
    const { ledger, agentId } = this;
    const id = this.#anyId();
    if (this.#winners.has(id)) return;
    const gist = `${this.sentence()} (edit ${this.name}-${this.#number++})`;
    ledger.memories.get(id).pending = { op: 'update', gist };
    const answer = await this.client.put(`/memory/${id}`, { gist }, { agentId });
    ledger.count(answer, `PUT /memory/${id}`, [200]);
    if (answer.status !== 200) return;
    ledger.changed(answer.body, 'updates');
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
    if (!this.#winners.has(id)) this.#gone.push(id);
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
