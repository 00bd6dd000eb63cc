/**
 * What a shared link holds: agent, project, task type, span of the timeline, open task, by what the time is told, whether of what runs
 * only what is overdue is listed, by what the types are sorted, which ranges are compared, which events are listed. It stands behind the #, because the service refuses query
 * parameters that its contract does not name. Pure, but for the two functions that touch the address bar.
 */

import { startOfWeek } from '../shared/calendar-day.js';

export const ALL_AGENTS = '*';
export const ALL_PROJECTS = '*';

/** @type {Readonly<Record<string, { label: string, ms: number }>>} */
export const RANGES = {
  '15m': { label: '15 min', ms: 900_000 },
  '1h': { label: '1 h', ms: 3_600_000 },
  '6h': { label: '6 h', ms: 21_600_000 },
  '24h': { label: '24 h', ms: 86_400_000 },
  '7d': { label: '7 d', ms: 604_800_000 },
  '30d': { label: '30 d', ms: 2_592_000_000 },
  week: { label: 'Week', ms: 604_800_000 },
};
/** That of the calendar, from Monday on; all others have their length. */
export const WEEK = 'week';
const DEFAULT_RANGE = '1h';

/** Four days: from and to of what was before, and of what is after. */
const COMPARED = /^\d{4}-\d\d-\d\d(?:,\d{4}-\d\d-\d\d){3}$/;

/** Of the years that the service knows. */
const LIKE_AN_INSTANT = /^\d{4}-/;

/** @typedef {'task_type' | 'agent' | 'project' | 'session' | 'outcome'} SpentBy by what the time is told, as the API names it */

/** @type {Readonly<Record<SpentBy, string>>} */
export const SPENT_BY = {
  task_type: 'Type',
  agent: 'Agent',
  project: 'Project',
  session: 'Session',
  outcome: 'Outcome',
};
const DEFAULT_SPENT_BY = 'task_type';

/** The columns of the table of task types. */
const SORTED_BY = /** @type {const} */ (['type', 'count', 'median', 'p95', 'failures', 'confidence', 'trend']);

/** @typedef {{ column: typeof SORTED_BY[number], descending: boolean }} Sort */

/** @param {Sort['column']} column @returns {Sort} as it is sorted first: names from A on, figures from the largest on */
export const sortedFirst = (column) => ({ column, descending: column !== 'type' });
const DEFAULT_COLUMN = 'count';

/** @typedef {{ agent: string, project: string, type: string | null, range: string, until: string | null, task: string | null, spentBy: SpentBy, onlyOverdue: boolean, sort: Sort, compared: string | null, events: import('./store.js').EventFilter }} ViewState `until`: the end of the timeline, null for now; `task`: the id of the one that is open; `compared`: the days of two ranges, as `daysIn` reads them, null where none are */

/** @param {string} fragment with or without its # @returns {ViewState} */
function parseViewState(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const range = parameters.get('range') ?? DEFAULT_RANGE;
  const end = parameters.get('until') ?? '';
  const until = LIKE_AN_INSTANT.test(end) ? Date.parse(end) : Number.NaN;
  const spentBy = parameters.get('spent_by') ?? '';
  return {
    agent: parameters.get('agent') || ALL_AGENTS,
    project: parameters.get('project') || ALL_PROJECTS,
    type: parameters.get('type') || null,
    range: Object.hasOwn(RANGES, range) ? range : DEFAULT_RANGE,
    until: Number.isNaN(until) ? null : new Date(until).toISOString(),
    task: parameters.get('task') || null,
    spentBy: Object.hasOwn(SPENT_BY, spentBy) ? /** @type {SpentBy} */ (spentBy) : DEFAULT_SPENT_BY,
    onlyOverdue: parameters.get('active') === 'overdue',
    sort: sortIn(parameters),
    compared: COMPARED.test(parameters.get('compare') ?? '') ? parameters.get('compare') : null,
    events: { event_type: parameters.get('event_type') ?? '', task_type: parameters.get('event_task_type') ?? '' },
  };
}

/** @param {URLSearchParams} parameters @returns {Sort} */
function sortIn(parameters) {
  const sort = sortedFirst(SORTED_BY.find((column) => column === parameters.get('sort')) ?? DEFAULT_COLUMN);
  return parameters.get('order') === 'reverse' ? { ...sort, descending: !sort.descending } : sort;
}

/** @param {ViewState} state @returns {string} empty, or with a leading # */
function serializeViewState(state) {
  const parameters = new URLSearchParams();
  if (state.agent !== ALL_AGENTS) parameters.set('agent', state.agent);
  if (state.project !== ALL_PROJECTS) parameters.set('project', state.project);
  if (state.type !== null) parameters.set('type', state.type);
  if (state.range !== DEFAULT_RANGE) parameters.set('range', state.range);
  if (state.until !== null) parameters.set('until', state.until);
  if (state.task !== null) parameters.set('task', state.task);
  if (state.spentBy !== DEFAULT_SPENT_BY) parameters.set('spent_by', state.spentBy);
  if (state.onlyOverdue) parameters.set('active', 'overdue');
  const { column, descending } = state.sort;
  if (column !== DEFAULT_COLUMN) parameters.set('sort', column);
  if (descending !== sortedFirst(column).descending) parameters.set('order', 'reverse');
  if (state.compared !== null) parameters.set('compare', state.compared);
  if (state.events.event_type !== '') parameters.set('event_type', state.events.event_type);
  if (state.events.task_type !== '') parameters.set('event_task_type', state.events.task_type);
  const text = parameters.toString();
  return text === '' ? '' : `#${text}`;
}

export const readAddress = () => parseViewState(location.hash);

/** @param {ViewState} state */
export function writeAddress(state) {
  const fragment = serializeViewState(state);
  if (fragment !== location.hash) history.pushState(null, '', `${location.pathname}${location.search}${fragment}`);
}

/** From when to when the timeline reaches: of a week, from its Monday to where it ends. @param {Pick<ViewState, 'range' | 'until'>} view @param {number} nowMs */
export function spanOf({ range, until }, nowMs) {
  const toMs = until === null ? nowMs : Date.parse(until);
  return { fromMs: range === WEEK ? startOfWeek(toMs - 1) : toMs - (RANGES[range]?.ms ?? 0), toMs };
}

/** Agent and project as the API takes them; all projects need no name. @param {Pick<ViewState, 'agent' | 'project'>} view */
export function whoseQuery({ agent, project }) {
  return project === ALL_PROJECTS ? { agent_id: agent } : { agent_id: agent, project };
}
