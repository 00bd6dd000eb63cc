/** The API of the service for the page. All requests are in the name of one agent, in one project or all, so the page shows what that agent may see there. */

import { refuseLongNames } from '../shared/long-names.js';
import { request } from '../shared/request.js';
import { ALL_PROJECTS } from '../state/view-state.js';
import { listQuery, recallBody } from './queries.js';

/** A consolidation of a large store. */
const CONSOLIDATION_TIMEOUT_MS = 600_000;
/** The service compares what is new first, for 20 s at most. */
const COMPARISON_TIMEOUT_MS = 40_000;

/** A header holds bytes; the service reads them as UTF-8. @param {string} text */
const headerBytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));

/** @typedef {Parameters<typeof request>[1]} Options */
/** @typedef {{ cursor: string | null, limit: number }} PageOfList */
/** What the contract says of answers; types alone. @typedef {import('../../api.gen.ts').components['schemas']} Schemas */
/** @typedef {import('../../api.gen.ts').operations} Operations */
/** What an operation answers, by its operationId. @template {keyof Operations} Name @typedef {Operations[Name] extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never} Answer */
/** @typedef {Schemas['Memory']} Memory */
/** @typedef {Schemas['RecalledMemory']} RecalledMemory */
/** @typedef {Schemas['Contradiction']} Contradiction */
/** With the ids, which are missing in /health alone. @typedef {Schemas['ConsolidationReport'] & Required<Pick<Schemas['ConsolidationReport'], 'ids'>>} Report */
/** What is said of the runs. @typedef {Omit<Answer<'getConsolidation'>, 'last_report'> & { last_report: Report | null }} Runs */
/** @typedef {Schemas['Relations']} Relations */
/** @typedef {Schemas['Health']} Health */
/** @typedef {{ memory: Memory, version: string | null }} Read a memory, and its version for If-Match */
/** @typedef {import('./queries.js').RecallConditions} RecallConditions */

export class Api {
  /** The name of who looks; null before the service is asked for that of its default agent. @type {Promise<string> | null} */
  #reader;
  #whose;
  /** @type {Record<string, string>} */
  #place;
  #signal;

  /**
   * @param {Pick<import('../state/view-state.js').ViewState, 'agent' | 'project'>} whose an empty agent is the server's default
   * @param {AbortSignal} signal ends every request when the agent or the project changes
   */
  constructor({ agent, project }, signal) {
    this.#whose = { agent, project };
    this.#reader = agent === '' ? null : Promise.resolve(agent);
    this.#place = project === ALL_PROJECTS ? {} : { 'X-Project': headerBytes(project) };
    this.#signal = signal;
  }

  /** The caller is always named, because a list of one agent's memories without a caller is read in that agent's name. */
  async #identity() {
    // Requests that begin together ask once.
    this.#reader ??= this.#defaultAgent();
    return { 'X-Agent-ID': headerBytes(await this.#reader), ...this.#place };
  }

  /** @returns {Promise<string>} */
  async #defaultAgent() {
    try {
      return (await request('/stats', { headers: this.#place, signal: this.#signal })).body.agent_id;
    } catch (error) {
      this.#reader = null;
      throw error;
    }
  }

  /** @param {string} path @param {Options} [options] */
  async #ask(path, options = {}) {
    refuseLongNames(this.#whose);
    const headers = { ...(await this.#identity()), ...options.headers };
    return await request(path, { ...options, headers, signal: this.#signal });
  }

  /** @param {string} path @param {Options} [options] */
  async #read(path, options) {
    return (await this.#ask(path, options)).body;
  }

  /** @param {string} path @param {object} body @param {Options} [options] */
  #post(path, body, options) {
    return this.#read(path, { method: 'POST', body, ...options });
  }

  /** @param {string} path @param {Options} [options] @returns {Promise<Read>} */
  async #readVersioned(path, options) {
    const { body, headers } = await this.#ask(path, options);
    return { memory: body.memory, version: headers.get('ETag') };
  }

  // What the service holds, and how it does.

  /** @returns {Promise<Answer<'getHealth'>>} */
  health() {
    return this.#read('/health');
  }

  /** @throws Error where there are none for this reader */
  async metrics() {
    const response = await fetch('./metrics', { signal: this.#signal });
    if (!response.ok) throw new Error(`The service answered ${response.status}`);
    return await response.text();
  }

  /** @returns {Promise<Answer<'getStats'>>} */
  stats() {
    return this.#read('/stats');
  }

  /** How many memories each project has. @returns {Promise<Record<string, number>>} */
  async projects() {
    try {
      return (await this.#read('/stats', { headers: { 'X-Project': ALL_PROJECTS } })).projects;
    } catch {
      // A key that is for certain projects may not ask for all: the one of the address is offered.
      return {};
    }
  }

  /** @returns {Promise<Answer<'getSummary'>>} */
  summary() {
    return this.#read('/memories/summary');
  }

  /** @param {{ since?: string, until?: string, as_of?: string, buckets: number }} query @returns {Promise<Answer<'getTimeline'>>} */
  timeline(query) {
    return this.#read('/memories/timeline', { query });
  }

  /** @param {{ from: string, days: number, limit: number }} query @returns {Promise<Answer<'getAgenda'>>} */
  agenda(query) {
    return this.#read('/memories/agenda', { query });
  }

  // Lists of memories, and recall.

  /** @param {import('../state/view-state.js').Filters} filters @param {PageOfList} page @returns {Promise<Answer<'listMemories'>>} */
  browse(filters, page) {
    return this.#read('/memories', { query: { ...listQuery(filters), ...page } });
  }

  /** @param {Record<string, string>} filter as the contract has it @param {PageOfList} page @returns {Promise<Answer<'listMemories'>>} */
  list(filter, page) {
    return this.#read('/memories', { query: { ...filter, ...page } });
  }

  /** @param {string[]} ids at most 200 @returns {Promise<Answer<'getMemories'>>} */
  memories(ids) {
    return this.#post('/memories/get', { ids });
  }

  /**
   * The search strengthens nothing, because looking at memories must not change what agents recall.
   * @param {string} query @param {RecallConditions} conditions
   * @returns {Promise<Answer<'recall'>>}
   */
  recall(query, conditions) {
    return this.#post('/recall', { query, explain: true, strengthen: false, ...recallBody(conditions) });
  }

  /** @param {string} id @param {string} query @param {RecallConditions} conditions @returns {Promise<Answer<'explainAbsence'>>} */
  whyNot(id, query, conditions) {
    const { max_context_tokens: _, context_style: __, ...body } = recallBody(conditions);
    return this.#post(`${memoryPath(id)}/why_not`, { query, ...body });
  }

  // One memory.

  /** @param {string} id */
  memory(id) {
    return this.#readVersioned(memoryPath(id));
  }

  /** @param {string} id @returns {Promise<Answer<'getRelations'>>} */
  relations(id) {
    return this.#read(`${memoryPath(id)}/relations`);
  }

  /** @param {string} id @returns {Promise<Answer<'getMemoryHistory'>>} */
  history(id) {
    return this.#read(`${memoryPath(id)}/history`);
  }

  /** @param {string} id @param {object} change @param {string | null} version */
  change(id, change, version) {
    return this.#readVersioned(memoryPath(id), { method: 'PUT', body: change, headers: ifMatch(version) });
  }

  /** @param {string} id @param {string} reason @param {string | null} version */
  invalidate(id, reason, version) {
    const options = { method: 'POST', body: { reason }, headers: ifMatch(version) };
    return this.#readVersioned(`${memoryPath(id)}/invalidate`, options);
  }

  /** @param {string} id @param {{ to: string, version: string | null }} how `version`: the present one; null where it is gone */
  revert(id, { to, version }) {
    const options = { method: 'POST', body: { version: to }, headers: ifMatch(version) };
    return this.#readVersioned(`${memoryPath(id)}/revert`, options);
  }

  /** @param {string} id @param {{ erase: boolean, version: string | null }} how @returns {Promise<Answer<'deleteMemory'>>} */
  remove(id, { erase, version }) {
    const query = erase ? { erase: 'true' } : {};
    return this.#read(memoryPath(id), { method: 'DELETE', query, headers: ifMatch(version) });
  }

  // Contradictions.

  /** @param {{ states: string[], include_same_agent: boolean, wait_ms?: number }} filter @returns {Promise<Answer<'listContradictions'>>} */
  contradictions(filter) {
    return this.#post('/contradictions', { limit: 1000, ...filter }, { timeoutMs: COMPARISON_TIMEOUT_MS });
  }

  /** How many there are, as far as is known. @returns {Promise<Answer<'listContradictions'>>} */
  openContradictions() {
    return this.#post('/contradictions', { limit: 1, wait_ms: 0 });
  }

  /** @param {boolean} includeSameAgent @returns {Promise<Answer<'listDoubtful'>>} */
  doubtful(includeSameAgent) {
    const query = { limit: 100, include_same_agent: String(includeSameAgent) };
    return this.#read('/contradictions/doubtful', { query });
  }

  /** @param {string} id @param {{ says: string, judge: string, note?: string }} opinion @returns {Promise<Answer<'judgeContradiction'>>} */
  judge(id, opinion) {
    return this.#post(`/contradictions/${encodeURIComponent(id)}/judge`, opinion);
  }

  /** @param {string} id @param {object} verdict @returns {Promise<Answer<'resolveContradiction'>>} */
  decide(id, verdict) {
    return this.#post(`/contradictions/${encodeURIComponent(id)}/resolve`, verdict);
  }

  // Consolidation and its archive.

  /** @returns {Promise<Runs>} */
  consolidation() {
    return this.#read('/consolidate');
  }

  /** @param {object} options @returns {Promise<{ report: Report }>} */
  consolidate(options) {
    return this.#post('/consolidate', options, { timeoutMs: CONSOLIDATION_TIMEOUT_MS });
  }

  /** @param {string} runId @param {{ ids?: string[] }} [part] only what it did to these @returns {Promise<Answer<'undoConsolidation'>>} */
  undoRun(runId, part = {}) {
    const path = `/consolidate/${encodeURIComponent(runId)}/undo`;
    return this.#post(path, part, { timeoutMs: CONSOLIDATION_TIMEOUT_MS });
  }

  /** @param {PageOfList} page @returns {Promise<Answer<'listPruned'>>} */
  pruned(page) {
    return this.#read('/pruned', { query: page });
  }

  /** @param {string[]} ids @returns {Promise<Answer<'restorePruned'>>} */
  restore(ids) {
    return this.#post('/pruned/restore', { ids });
  }
}

/** @param {string} id */
const memoryPath = (id) => `/memory/${encodeURIComponent(id)}`;
/** @param {string | null} version @returns {Record<string, string>} */
const ifMatch = (version) => (version === null ? {} : { 'If-Match': version });
