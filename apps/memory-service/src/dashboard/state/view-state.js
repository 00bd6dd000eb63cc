/**
 * The state in a shared link: agent, project, view, filters or query and its conditions, the window of the timeline, which contradictions
 * are listed, and the open memory. It stands after the #, because the service refuses query parameters that its contract does not name. Pure.
 */

export const ALL_PROJECTS = '*';

export const VIEWS = /** @type {const} */ ([
  'overview',
  'timeline',
  'browse',
  'search',
  'contradictions',
  'consolidation',
  'health',
]);
const DEFAULT_VIEW = 'overview';

/** Filters of the list, by the name in the address. Days are those of the reader's calendar, as YYYY-MM-DD; `held` is one at the end of which it held; `recalled` is never or ever. */
export const FILTERS = /** @type {const} */ ([
  'q',
  'by',
  'session',
  'tag',
  'kind',
  'scope',
  'recalled',
  'from',
  'to',
  'held',
]);

/** Conditions of a recall: as above; `tokens` is the budget of the context, `style` its form. */
export const SEARCH_FILTERS = /** @type {const} */ ([
  'by',
  'kind',
  'scope',
  'tag',
  'from',
  'to',
  'held',
  'tokens',
  'style',
]);

/** What may be chosen; of anything else there is any. @type {Readonly<Record<string, RegExp>>} */
const CHOICES = {
  kind: /^(?:episodic|semantic)$/,
  scope: /^(?:TEAM|SHARED|PRIVATE)$/,
  recalled: /^(?:never|ever)$/,
  tokens: /^(?:[1-9]\d{0,4}|100000)$/,
  style: /^(?:lines|compact|json)$/,
};

/** Of the timeline: the window, and the moment of what was held true, as instants. */
const TIMES = /** @type {const} */ (['since', 'until', 'as_of']);

/** Of the overview: since when what was learnt is listed; none of them means today. */
const LEARNT = /** @type {const} */ (['week']);

/** Which contradictions are listed; the first where none of them is named. */
export const TABS = /** @type {const} */ (['open', 'doubtful', 'resolved', 'dismissed']);

/** The least trusted source of what a query may find, the most trusted first; none of them means any. */
export const TRUST = /** @type {const} */ (['user', 'assistant', 'tool']);

/** @typedef {typeof VIEWS[number]} View */
/** @typedef {Record<typeof FILTERS[number], string>} Filters an empty string means any */
/** @typedef {Record<typeof SEARCH_FILTERS[number], string>} SearchFilters an empty string means any */
/** @typedef {Record<typeof TIMES[number], string>} Times an empty string means as far as there is something */
/** @typedef {{ tab: typeof TABS[number], alone: 'yes' | '', speakers: string }} Listed `alone`: those of one speaker too; `speakers`: only what lies between these, as `speakersOf` names them; empty for all */
/** @typedef {{ agent: string, project: string, view: View, filters: Filters, query: string, trust: typeof TRUST[number] | '', recall: SearchFilters, times: Times, learnt: typeof LEARNT[number] | '', listed: Listed, memory: string | null }} ViewState an empty agent means the server's default */

/** @template {string} Name @param {readonly Name[]} names @param {(name: Name) => string} textOf @returns {Record<Name, string>} */
const each = (names, textOf) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, textOf(name)])));

export const NO_FILTERS = Object.freeze(each(FILTERS, () => ''));
export const NO_CONDITIONS = Object.freeze(each(SEARCH_FILTERS, () => ''));

/** @param {string} fragment with or without its # @returns {ViewState} */
export function parseViewState(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const view = VIEWS.find((name) => name === parameters.get('view')) ?? DEFAULT_VIEW;
  const of = (/** @type {View} */ owner) => (/** @type {string} */ name) => {
    const text = view === owner ? (parameters.get(name) ?? '') : '';
    return CHOICES[name]?.test(text) === false ? '' : text;
  };
  return {
    agent: parameters.get('agent') ?? '',
    project: parameters.get('project') || ALL_PROJECTS,
    view,
    filters: each(FILTERS, of('browse')),
    query: parameters.get('query') ?? '',
    trust: TRUST.find((source) => source === parameters.get('trust')) ?? '',
    recall: each(SEARCH_FILTERS, of('search')),
    times: timesIn(of('timeline')),
    learnt: LEARNT.find((span) => span === of('overview')('learnt')) ?? '',
    listed: listedIn(of('contradictions')),
    memory: parameters.get('memory') || null,
  };
}

/** Empty for what is no instant of the years that the service knows. @param {string} text */
const instantIn = (text) => (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

/** A window that ends before it begins is none. @param {(name: string) => string} textOf @returns {Times} */
function timesIn(textOf) {
  const times = each(TIMES, (name) => instantIn(textOf(name)));
  return Date.parse(times.since) >= Date.parse(times.until) ? { ...times, since: '', until: '' } : times;
}

/** @param {(name: string) => string} textOf @returns {Listed} */
const listedIn = (textOf) => ({
  tab: TABS.find((tab) => tab === textOf('tab')) ?? TABS[0],
  alone: textOf('alone') === 'yes' ? 'yes' : '',
  speakers: textOf('speakers'),
});

/** @param {ViewState} state @returns {string} empty, or with a leading # */
export function serializeViewState(state) {
  const { agent, project, view, filters, query, trust, recall, times, learnt, listed, memory } = state;
  const parameters = new URLSearchParams();
  const put = (/** @type {string} */ name, /** @type {string | null} */ value) => {
    if (value) parameters.set(name, value);
  };
  put('agent', agent);
  put('project', project === ALL_PROJECTS ? '' : project);
  put('view', view === DEFAULT_VIEW ? '' : view);
  if (view === 'overview') put('learnt', learnt);
  if (view === 'browse') for (const name of FILTERS) put(name, filters[name]);
  if (view === 'timeline') for (const name of TIMES) put(name, times[name]);
  if (view === 'search') {
    put('query', query);
    put('trust', trust);
    for (const name of SEARCH_FILTERS) put(name, recall[name]);
  }
  if (view === 'contradictions') {
    put('tab', listed.tab === TABS[0] ? '' : listed.tab);
    put('alone', listed.alone);
    put('speakers', listed.speakers);
  }
  put('memory', memory);
  const text = parameters.toString();
  return text === '' ? '' : `#${text}`;
}
