/**
 * The state in a shared link: agent, project, view, filters or query and trust, and the open memory. It stands after the #, because the
 * service refuses query parameters that its contract does not name. Pure, except for the last functions.
 */

export const ALL_PROJECTS = '*';

export const VIEWS = /** @type {const} */ (['overview', 'browse', 'search', 'contradictions']);
const DEFAULT_VIEW = 'overview';

/** Filters of the list: by the name in the address. Dates are days of the reader's calendar, as YYYY-MM-DD. */
export const FILTERS = /** @type {const} */ (['q', 'by', 'session', 'tag', 'kind', 'scope', 'from', 'to']);

/** The least trusted source of what a query may find, the most trusted first; none of them means any. */
export const TRUST = /** @type {const} */ (['user', 'assistant', 'tool']);

/** @typedef {typeof VIEWS[number]} View */
/** @typedef {Record<typeof FILTERS[number], string>} Filters an empty string means any */
/** @typedef {{ agent: string, project: string, view: View, filters: Filters, query: string, trust: typeof TRUST[number] | '', memory: string | null }} ViewState an empty agent means the server's default */

/** @param {string} fragment with or without its # @returns {ViewState} */
function parseViewState(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const view = VIEWS.find((name) => name === parameters.get('view')) ?? DEFAULT_VIEW;
  return {
    agent: parameters.get('agent') ?? '',
    project: parameters.get('project') || ALL_PROJECTS,
    view,
    filters: /** @type {Filters} */ (Object.fromEntries(FILTERS.map((name) => [name, parameters.get(name) ?? '']))),
    query: parameters.get('query') ?? '',
    trust: TRUST.find((source) => source === parameters.get('trust')) ?? '',
    memory: parameters.get('memory') || null,
  };
}

/** @param {ViewState} state @returns {string} empty, or with a leading # */
function serializeViewState({ agent, project, view, filters, query, trust, memory }) {
  const parameters = new URLSearchParams();
  const put = (/** @type {string} */ name, /** @type {string | null} */ value) => {
    if (value) parameters.set(name, value);
  };
  put('agent', agent);
  put('project', project === ALL_PROJECTS ? '' : project);
  put('view', view === DEFAULT_VIEW ? '' : view);
  if (view === 'browse') for (const name of FILTERS) put(name, filters[name]);
  if (view === 'search') {
    put('query', query);
    put('trust', trust);
  }
  put('memory', memory);
  const text = parameters.toString();
  return text === '' ? '' : `#${text}`;
}

export const readAddress = () => parseViewState(location.hash);

/** @param {ViewState} state */
export const addressOf = (state) => `${location.pathname}${serializeViewState(state)}`;

/** @param {ViewState} state */
export function writeAddress(state) {
  if (serializeViewState(state) !== location.hash) history.pushState(null, '', addressOf(state));
}
