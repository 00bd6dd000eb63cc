/** The service's API as the page uses it. Every call is a GET of the same origin. */

import { refuseLongNames } from '../shared/long-names.js';
import { request } from '../shared/request.js';
import { ALL_AGENTS, whoseQuery } from '../state/view-state.js';

/** With all agents chosen, stopwatches are asked for agent by agent; more than this would be a request storm. */
export const MOST_STOPWATCH_AGENTS = 20;
export const TASKS_A_PAGE = 1000;
const EVENTS_A_PAGE = 50;
const TREND_RUNS = 200;

/** @param {string} path @param {Record<string, string | number | null | undefined>} query @param {AbortSignal} [signal] */
const get = async (path, query, signal) => {
  const { agent_id: agent, project, event_type: event, task_type } = query;
  refuseLongNames({ agent, project, event, 'task type': task_type });
  return (await request(path, { query, signal })).body;
};

/**
 * @param {Pick<import('../state/view-state.js').ViewState, 'agent' | 'project'>} view
 * @param {AbortSignal} [signal] ends every request when the choice changes
 */
export function createApi(view, signal) {
  const { agent } = view;
  const own = whoseQuery(view);
  const segment = encodeURIComponent;
  /** All pages of a list. @param {string} path @param {Record<string, string | undefined>} query @param {string} field of a page */
  const everyName = async (path, query, field) => {
    const names = [];
    /** @type {string | null} */ let cursor = null;
    do {
      const page = await get(path, { ...query, cursor }, signal);
      names.push(...page[field]);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return names;
  };
  return {
    agent,
    agents: () => everyName('/agents', { project: own.project }, 'agents'),
    async projects() {
      try {
        return await everyName('/projects', { agent_id: ALL_AGENTS }, 'projects');
      } catch {
        // A key that is for certain projects may not ask for all: the one of the address is offered.
        return [];
      }
    },
    durations: async () => get('/stats/durations', own, signal),
    taskTypes: async () => (await get('/stats/task-types', own, signal)).task_types,
    /** @param {string} type */
    distribution: async (type) => (await get(`/stats/distribution/${segment(type)}`, own, signal)).distribution,
    /** @param {string} type */
    trend: async (type) => (await get(`/stats/trend/${segment(type)}`, { ...own, limit: TREND_RUNS }, signal)).trend,
    /** @param {string} type */
    recommendedTimeout: async (type) =>
      (await get(`/stats/recommend-timeout/${segment(type)}`, own, signal)).recommendation,
    /** @param {Record<string, string>} query since, until, time_zone, group_by, then_by */
    timeSpent: async (query) => (await get('/stats/time-spent', { ...own, ...query }, signal)).time_spent,
    activeTasks: () => get('/tasks', { ...own, state: 'active', limit: TASKS_A_PAGE }, signal),
    /** @param {string} since */
    tasksSince: (since) => get('/tasks', { ...own, since, limit: TASKS_A_PAGE }, signal),
    /** @param {string} since @param {string} until @param {string | null} cursor */
    tasksBetween: (since, until, cursor) =>
      get('/tasks', { ...own, since, until, cursor, limit: TASKS_A_PAGE }, signal),
    /** One id is one task, whoever asks; the service wants one agent to ask. @param {string} id @param {string} whose where that is known, else all agents */
    task: async (id, whose) =>
      (await get(`/tasks/${segment(id)}`, { ...own, agent_id: whose === ALL_AGENTS ? undefined : whose }, signal)).task,
    /** @param {string} id of a task */
    eventsOf: async (id) => (await get('/events', { ...own, correlation_id: id, limit: EVENTS_A_PAGE }, signal)).events,
    /** @param {{ event_type?: string, task_type?: string, cursor?: string | null }} query */
    events: (query) => get('/events', { ...own, ...query, limit: EVENTS_A_PAGE }, signal),
    /** @param {readonly string[]} agents every known agent */
    async stopwatches(agents) {
      const owners = agent === ALL_AGENTS ? agents.slice(0, MOST_STOPWATCH_AGENTS) : [agent];
      const lists = [];
      for (const owner of owners) {
        lists.push((await get('/stopwatches', { ...own, agent_id: owner }, signal)).stopwatches);
      }
      return lists.flat();
    },
  };
}

/** @typedef {ReturnType<typeof createApi>} Api */
