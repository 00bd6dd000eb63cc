/** Whose tasks lie within a span. Pure. */

import { ALL_AGENTS } from '../state/view-state.js';
import { endMsOf } from './lane-layout.js';

/** @typedef {[agent: string, tasks: import('../state/store.js').Task[]]} AgentTasks */
/** @typedef {import('../reading/days-before.js').DaysBefore} DaysBefore */

/**
 * The agents with their tasks within a span; agents without any are left out.
 * @param {{ agents: readonly string[], tasks: Iterable<import('../state/store.js').Task>, before: DaysBefore }} known `before`: days of which the tasks are counted only
 * @param {string} agent @param {{ fromMs: number, toMs: number }} span
 * @returns {AgentTasks[]}
 */
export function tasksByAgent({ agents, tasks, before }, agent, { fromMs, toMs }) {
  /** @type {Map<string, import('../state/store.js').Task[]>} */
  const byAgent = new Map();
  for (const name of agent === ALL_AGENTS ? agents : [agent]) byAgent.set(name, []);
  for (const task of tasks) {
    if (endMsOf(task, toMs) < fromMs) continue;
    if (Date.parse(task.started_at) > toMs) continue;
    const own = byAgent.get(task.agent_id);
    if (own) own.push(task);
    else byAgent.set(task.agent_id, [task]);
  }
  return [...byAgent].filter(([name, own]) => own.length > 0 || before.has(name));
}
