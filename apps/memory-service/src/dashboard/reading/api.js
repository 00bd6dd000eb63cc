/** The API of the service for the page. All requests are in the name of one agent, in one project or all, so the page shows what that agent may see there. */

import { request } from '../shared/request.js';
import { ALL_PROJECTS } from '../state/view-state.js';

/** A consolidation of a large store. */
const CONSOLIDATION_TIMEOUT_MS = 600_000;
/** The service compares what is new first, for 20 s at most. */
const COMPARISON_TIMEOUT_MS = 40_000;

/** A header holds bytes; the service reads them as UTF-8. @param {string} text */
const headerBytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));

/** The first instant of a day in the reader's time zone. @param {string} day YYYY-MM-DD, or empty @param {number} daysLater */
function instantOfDay(day, daysLater) {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return '';
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

/**
 * @param {Pick<import('../state/view-state.js').ViewState, 'agent' | 'project'>} whose an empty agent is the server's default
 * @param {AbortSignal} signal ends every request when the agent or the project changes
 */
export function createApi({ agent, project }, signal) {
  let reader = agent;
  /** @type {Record<string, string>} */
  const place = project === ALL_PROJECTS ? {} : { 'X-Project': headerBytes(project) };
  /** The caller is always named, because a list of one agent's memories without a caller is read in that agent's name. */
  async function identity() {
    if (reader === '') reader = (await request('/stats', { headers: place, signal })).body.agent_id;
    return { 'X-Agent-ID': headerBytes(reader), ...place };
  }
  const memoryPath = (/** @type {string} */ id) => `/memory/${encodeURIComponent(id)}`;
  /** @param {string} path @param {Parameters<typeof request>[1]} [options] */
  const ask = async (path, options = {}) =>
    request(path, { ...options, headers: { ...(await identity()), ...options.headers }, signal });
  /** @param {string} path @param {Parameters<typeof request>[1]} [options] */
  const read = async (path, options) => (await ask(path, options)).body;
  /** @param {{ body: any, headers: Headers }} answer */
  const versioned = ({ body, headers: answered }) => ({ memory: body.memory, version: answered.get('ETag') });
  const ifMatch = (/** @type {string | null} */ version) => (version === null ? {} : { 'If-Match': version });
  return {
    health: () => read('/health'),
    /** @throws Error where there are none for this reader */
    async metrics() {
      const response = await fetch('./metrics', { signal });
      if (!response.ok) throw new Error(`The service answered ${response.status}`);
      return await response.text();
    },
    stats: () => read('/stats'),
    /** How many memories each project has. @returns {Promise<Record<string, number>>} */
    async projects() {
      try {
        return (await read('/stats', { headers: { 'X-Project': ALL_PROJECTS } })).projects;
      } catch {
        // A key that is for certain projects may not ask for all: the one of the address is offered.
        return {};
      }
    },
    /** @param {import('../state/view-state.js').Filters} filters @param {{ cursor: string | null, limit: number }} page */
    browse: ({ q, by, session, kind, scope, tag, recalled, from, to, held }, page) => {
      const times = { since: instantOfDay(from, 0), until: instantOfDay(to, 1), as_of: instantOfDay(held, 1) };
      const wasRecalled = { never: 'false', ever: 'true' }[recalled];
      const query = {
        q,
        agent_id: by,
        session_id: session,
        kind,
        scope,
        tag,
        recalled: wasRecalled,
        ...times,
        ...page,
      };
      return read('/memories', { query });
    },
    /** @param {Record<string, string>} filter as the contract has it @param {{ cursor: string | null, limit: number }} page */
    list: (filter, page) => read('/memories', { query: { ...filter, ...page } }),
    summary: () => read('/memories/summary'),
    /** @param {{ since?: string, until?: string, as_of?: string, buckets: number }} query */
    timeline: (query) => read('/memories/timeline', { query }),
    /** @param {string} id */
    relations: (id) => read(`${memoryPath(id)}/relations`),
    /** @param {string[]} ids at most 200 */
    memories: (ids) => read('/memories/get', { method: 'POST', body: { ids } }),
    consolidation: () => read('/consolidate'),
    /** @param {object} options */
    consolidate: (options) =>
      read('/consolidate', { method: 'POST', body: options, timeoutMs: CONSOLIDATION_TIMEOUT_MS }),
    /** @param {string} runId @param {{ ids?: string[] }} [part] only what it did to these */
    undoRun: (runId, part = {}) =>
      read(`/consolidate/${encodeURIComponent(runId)}/undo`, {
        method: 'POST',
        body: part,
        timeoutMs: CONSOLIDATION_TIMEOUT_MS,
      }),
    /** @param {{ cursor: string | null, limit: number }} page */
    pruned: (page) => read('/pruned', { query: page }),
    /** @param {string[]} ids */
    restore: (ids) => read('/pruned/restore', { method: 'POST', body: { ids } }),
    /**
     * The search strengthens nothing, because looking at memories must not change what agents recall.
     * @param {string} query @param {RecallConditions} conditions
     */
    recall: (query, conditions) =>
      read('/recall', { method: 'POST', body: { query, explain: true, strengthen: false, ...recallBody(conditions) } }),
    /** @param {string} id @param {string} query @param {RecallConditions} conditions */
    whyNot(id, query, conditions) {
      const { max_context_tokens: _, context_style: __, ...body } = recallBody(conditions);
      return read(`${memoryPath(id)}/why_not`, { method: 'POST', body: { query, ...body } });
    },
    /** @param {{ states: string[], include_same_agent: boolean }} filter */
    contradictions: (filter) =>
      read('/contradictions', { method: 'POST', body: { limit: 1000, ...filter }, timeoutMs: COMPARISON_TIMEOUT_MS }),
    /** How many there are, as far as is known. */
    openContradictions: () => read('/contradictions', { method: 'POST', body: { limit: 1, wait_ms: 0 } }),
    /** @param {boolean} includeSameAgent */
    doubtful: (includeSameAgent) =>
      read('/contradictions/doubtful', { query: { limit: 100, include_same_agent: String(includeSameAgent) } }),
    /** @param {string} id @param {{ says: string, judge: string, note?: string }} opinion */
    judge: (id, opinion) => read(`/contradictions/${encodeURIComponent(id)}/judge`, { method: 'POST', body: opinion }),
    /** @param {string} id @param {object} verdict */
    decide: (id, verdict) =>
      read(`/contradictions/${encodeURIComponent(id)}/resolve`, { method: 'POST', body: verdict }),
    /** @param {string} id */
    memory: async (id) => versioned(await ask(memoryPath(id))),
    /** @param {string} id @param {object} change @param {string | null} version */
    change: async (id, change, version) =>
      versioned(
        await ask(memoryPath(id), {
          method: 'PUT',
          body: change,
          headers: ifMatch(version),
        }),
      ),
    /** @param {string} id @param {string} reason @param {string | null} version */
    invalidate: async (id, reason, version) =>
      versioned(
        await ask(`${memoryPath(id)}/invalidate`, { method: 'POST', body: { reason }, headers: ifMatch(version) }),
      ),
    /** @param {string} id @param {{ erase: boolean }} how */
    remove: (id, { erase }) => read(memoryPath(id), { method: 'DELETE', query: erase ? { erase: 'true' } : {} }),
    /** @param {string} id */
    history: (id) => read(`${memoryPath(id)}/history`),
    /** @param {string} id @param {string} version */
    revert: async (id, version) =>
      versioned(await ask(`${memoryPath(id)}/revert`, { method: 'POST', body: { version } })),
  };
}

/** @typedef {import('../state/view-state.js').SearchFilters & { trust: string, most?: number }} RecallConditions what is empty means any; without `most` as many as usual */

/** @param {RecallConditions} conditions @returns {Record<string, unknown>} */
function recallBody({ trust, most, by, kind, scope, tag, from, to, held, tokens, style }) {
  /** @type {Record<string, unknown>} */
  const body = {
    min_trust: trust,
    scope,
    agent_ids: by && [by],
    kinds: kind && [kind],
    tags: tag && [tag],
    since: instantOfDay(from, 0),
    until: instantOfDay(to, 1),
    // What held at the end of that day.
    as_of: instantOfDay(held, 1),
    max_context_tokens: tokens && Number(tokens),
    context_style: style,
  };
  return { top_k: most, ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) };
}

/** @typedef {ReturnType<typeof createApi>} Api */
