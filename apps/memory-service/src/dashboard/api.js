/** The API of the service for the page. All requests are in the name of one agent, in one project or all, so the page shows what that agent may see there. */

import { request } from './shared/request.js';
import { ALL_PROJECTS } from './view-state.js';

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
 * @param {Pick<import('./view-state.js').ViewState, 'agent' | 'project'>} whose an empty agent is the server's default
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
    /** @param {import('./view-state.js').Filters} filters @param {{ cursor: string | null, limit: number }} page */
    list: ({ q, by, session, kind, scope, tag, from, to }, page) => {
      const times = { since: instantOfDay(from, 0), until: instantOfDay(to, 1) };
      const query = { q, agent_id: by, session_id: session, kind, scope, tag, ...times, ...page };
      return read('/memories', { query });
    },
    /**
     * The search strengthens nothing, because looking at memories must not change what agents recall.
     * @param {string} query @param {{ trust: string, most: number }} options trust: empty for any
     */
    recall: (query, { trust, most }) => {
      const body = { query, top_k: most, explain: true, strengthen: false };
      return read('/recall', { method: 'POST', body: trust === '' ? body : { ...body, min_trust: trust } });
    },
    /** @param {{ states: string[], include_same_agent: boolean }} filter */
    contradictions: (filter) => read('/contradictions', { method: 'POST', body: filter }),
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

/** @typedef {ReturnType<typeof createApi>} Api */
