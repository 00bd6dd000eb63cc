// What the service acknowledged, and a comparison with what it exports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requester } from './memory-service.mjs';

/** Agents of the workload; a PRIVATE memory may be exported to its own agent only. */
export const AGENTS = Array.from({ length: 8 }, (_, index) => `agent-${index}`);

export class Ledger {
  /**
   * id -> { agentId, scope, content, gist, importance, supersededBy, endedFor, past, isDeleted, isErased, pending } of every memory
   * whose ingest was answered. `past` are the gists before each change that was answered, oldest first; null where there was none.
   * `pending` is a change that was sent and not answered: it may have happened or not.
   */
  memories = new Map();
  /** content -> { agentId, scope } of ingests that were not answered. Contents are unique. */
  unanswered = new Map();
  counts = { ingests: 0, updates: 0, deletes: 0, supersessions: 0, invalidations: 0, reverts: 0, erasures: 0 };
  /** All that was said of the memories whose erasure was answered since it was last looked for. */
  erasedWords = [];
  /** Answers by status; reads and writes together. */
  statuses = new Map();
  /** Answers that no client should get. */
  unexpected = [];

  count(answer, what, expected) {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (expected.includes(answer.status)) return;
    if (this.unexpected.length < 1_000) this.unexpected.push(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  get answers() {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  stored({ memory }) {
    this.counts.ingests++;
    this.unanswered.delete(memory.content);
    this.memories.set(memory.id, keep(memory));
  }

  /** @param kind what it is counted as */
  changed({ memory }, kind) {
    this.counts[kind]++;
    this.memories.set(memory.id, keep(memory, this.memories.get(memory.id)));
  }

  superseded(id, by) {
    this.counts.supersessions++;
    const known = this.memories.get(id);
    known.past.push(known.gist);
    Object.assign(known, { supersededBy: by, pending: null });
  }

  /** A revert to what the memory is makes no version. */
  reverted({ memory }) {
    this.counts.reverts++;
    const known = this.memories.get(memory.id);
    if (known.isDeleted || !isSame(memory, known, this.memories)) this.memories.set(memory.id, keep(memory, known));
    else known.pending = null;
  }

  deleted(id) {
    this.counts.deletes++;
    remove(this.memories.get(id));
  }

  erased(id) {
    this.counts.erasures++;
    const known = this.memories.get(id);
    this.erasedWords.push(...new Set([known.content, known.gist, ...known.past.filter((gist) => gist !== null)]));
    erase(known);
  }

  /** Memories that must be there. */
  get living() {
    return [...this.memories.values()].filter(({ isDeleted }) => !isDeleted).length;
  }
}

function stateOf({ agent_id: agentId, scope, content, gist, importance, superseded_by: supersededBy, invalidation }) {
  return { agentId, scope, content, gist, importance, supersededBy, endedFor: invalidation?.reason ?? null };
}

/**
 * Compares the exports of all agents with the ledger. What was never answered is settled: from now on it must stay as it was
 * found. Every entry but `memories` and `settled` is a list of faults.
 */
export async function compareWithExport(url, ledger) {
  const { memories, faults: leaked } = await exported(url);
  const found = { memories, settled: 0, lost: [], changed: [], returned: [], unknown: [], halfDone: [], leaked };
  const contents = new Set([...memories.values()].map(({ content }) => content));
  for (const [id, known] of ledger.memories) {
    const there = memories.get(id);
    const { pending } = known;
    if (pending) found.settled++;
    known.pending = null;
    if (known.isDeleted) {
      if (there && pending?.op === 'revert') ledger.memories.set(id, keep(there, known));
      else if (there) found.returned.push(`${id} was deleted and is there again`);
    } else if (!there) {
      if (pending?.op === 'delete') remove(known);
      else if (pending?.op === 'erase') erase(known);
      else found.lost.push(`${id} is gone: ${known.content.slice(0, 80)}`);
    } else if (hasHappened(pending, { there, known, memories })) ledger.memories.set(id, keep(there, known));
    else if (pending?.op === 'supersede' && contents.has(pending.content)) {
      found.halfDone.push(`${id} is not superseded, and what supersedes it is there`);
    } else if (!isSame(there, known, memories)) {
      found.changed.push(`${id} is ${JSON.stringify(stateOf(there)).slice(0, 300)}`);
    }
  }
  for (const [id, there] of memories) {
    if (ledger.memories.has(id)) continue;
    if (!ledger.unanswered.has(there.content))
      found.unknown.push(`${id} was never sent: ${there.content.slice(0, 80)}`);
    ledger.memories.set(id, keep(there));
    found.settled++;
  }
  ledger.unanswered.clear();
  return found;
}

/** Whether a change that was not answered has been made. */
function hasHappened(pending, { there, known, memories }) {
  const now = stateOf(there);
  switch (pending?.op) {
    case 'update':
      return now.gist === pending.gist;
    case 'invalidate':
      return now.endedFor === pending.reason;
    case 'supersede':
      return memories.get(now.supersededBy)?.content === pending.content;
    case 'revert':
      return !isSame(there, known, memories) && now.gist === pending.gist && now.endedFor === pending.endedFor;
    default:
      return false;
  }
}

/** @param before what the ledger had of it; absent: it is new */
function keep(memory, before) {
  const past = before ? [...before.past, before.isDeleted ? null : before.gist] : [];
  return { ...stateOf(memory), past, isDeleted: false, isErased: false, pending: null };
}

function remove(known) {
  known.past.push(known.gist);
  Object.assign(known, { isDeleted: true, pending: null });
}

function erase(known) {
  Object.assign(known, { past: [], isDeleted: true, isErased: true, pending: null });
}

/** @param memories by id, those that are gone supersede nothing */
function isSame(there, known, memories) {
  const isSuperseded = memories.has(known.supersededBy) && !memories.get(known.supersededBy).isDeleted;
  const wanted = { ...known, supersededBy: isSuperseded ? known.supersededBy : null };
  const state = stateOf(there);
  return Object.keys(state).every((key) => state[key] === wanted[key]);
}

/** Everything by id, as all agents together see it. */
async function exported(url) {
  const client = requester(url);
  const memories = new Map();
  const faults = [];
  for (const agentId of AGENTS) {
    const { status, text } = await client.get(`/export?agent_id=${agentId}`);
    if (status !== 200) faults.push(`export for ${agentId}: ${status}`);
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const memory = JSON.parse(line);
      if (memory.scope === 'PRIVATE' && memory.agent_id !== agentId) {
        faults.push(`${memory.id} is PRIVATE of ${memory.agent_id} and was exported to ${agentId}`);
      }
      memories.set(memory.id, memory);
    }
  }
  client.close();
  return { memories, faults };
}

/** Counts of /health, of /stats of every agent and of the list against the ledger; a list of faults. */
export async function compareCounts(url, ledger) {
  const client = requester(url);
  const faults = [];
  const living = [...ledger.memories.values()].filter(({ isDeleted }) => !isDeleted);
  const isPublic = ({ scope }) => scope !== 'PRIVATE';
  const expect = (what, shown, wanted) => {
    if (shown !== wanted) faults.push(`${what}: ${shown}, there are ${wanted}`);
  };
  const { body: health } = await client.get('/health');
  expect('/health memories', health.memories, living.filter(isPublic).length);
  if (health.embedding.model !== null) expect('/health vectors', health.vectors, living.filter(isPublic).length);
  expect('/health embedding.pending', health.embedding.pending, 0);
  for (const agentId of AGENTS) {
    const { body: stats } = await client.get(`/stats?agent_id=${agentId}`);
    const visible = living.filter((memory) => isPublic(memory) || memory.agentId === agentId);
    expect(`/stats of ${agentId}`, stats.totals.total, visible.length);
    for (const author of AGENTS) {
      const own = visible.filter((memory) => memory.agentId === author).length;
      expect(`/stats of ${author} for ${agentId}`, stats.agents[author]?.total ?? 0, own);
    }
  }
  const { body: list } = await client.get(`/memories?agent_id=${AGENTS[0]}&limit=1`);
  expect('/memories total', list.total, living.filter(({ agentId }) => agentId === AGENTS[0]).length);
  client.close();
  return faults;
}

/** The histories of some memories that were changed against the ledger, those that were stored last; a list of faults. */
export async function compareHistories(url, ledger, { most }) {
  const client = requester(url);
  const faults = [];
  const changed = [...ledger.memories].filter(([, { past, isErased }]) => past.length > 0 || isErased).slice(-most);
  for (const [id, { agentId, past }] of changed) {
    const { status, body } = await client.get(`/memory/${id}/history`, { agentId });
    const told = status === 200 ? body.versions.map(({ before }) => before?.gist).reverse() : [];
    if (JSON.stringify(told) !== JSON.stringify(past)) {
      faults.push(`${id}: ${status}, ${told.length} versions of ${past.length}, or other ones`);
    }
  }
  client.close();
  return { faults, compared: changed.length };
}

/** What of the words that were erased since the last look is still in a file of a folder. */
export function erasedIn(folder, ledger) {
  const words = ledger.erasedWords.splice(0);
  const files = words.length === 0 ? [] : readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name));
      return words.filter((one) => text.includes(one)).map((one) => `${name} holds what was erased: ${one}`);
    });
}
