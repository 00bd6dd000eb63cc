// Which folder of a service may import which; drawn in ARCHITECTURE.md. Types count. A folder may always import itself.

/** Beside domain: the folders that every part of it stands on, in this order. */
const GROUND = ['domain/memory', 'domain/concurrency', 'domain/text', 'domain/embedding', 'domain/cognition'];

/** The rooms of how a text is read. @param {string[]} names */
function text(...names) {
  return names.map((name) => `domain/text/${name}`);
}

/** The rooms of recall. @param {string[]} names */
function recall(...names) {
  return names.map((name) => `domain/recall/${name}`);
}

/** The rooms of contradictions. @param {string[]} names */
function contradictions(...names) {
  return names.map((name) => `domain/contradictions/${name}`);
}

/** The cards of the timing dashboard: none knows another one. @param {string[]} names */
function cards(...names) {
  const targets = ['state', 'reading', 'pieces'].map((name) => `dashboard/${name}`);
  return Object.fromEntries(names.map((name) => [`dashboard/${name}`, targets]));
}

export const ARROWS = {
  'apps/memory-service': {
    'domain/concurrency': [],
    'domain/memory': ['domain/concurrency'],
    'domain/text/words': [],
    'domain/text/times': text('words'),
    'domain/text/days': text('words', 'times', 'sentences'),
    'domain/text/sentences': text('words'),
    'domain/text/speaker': ['domain/memory', ...text('sentences')],
    'domain/text/gist': ['domain/memory', ...text('words', 'days', 'sentences', 'speaker')],
    'domain/text/entities': ['domain/memory', ...text('words')],
    'domain/text/values': text('words'),
    'domain/text/records': text('words', 'sentences'),
    'domain/embedding': ['domain/memory', 'domain/concurrency', 'domain/text'],
    'domain/cognition': ['domain/memory', 'domain/concurrency', 'domain/text'],
    'domain/recall': [
      ...GROUND,
      'domain/contradictions',
      ...recall('question', 'evidence', 'relevance', 'ranking', 'context'),
    ],
    'domain/recall/question': ['domain/memory', 'domain/text'],
    'domain/recall/evidence': ['domain/memory', 'domain/text', 'domain/embedding', ...recall('question')],
    'domain/recall/relevance': ['domain/memory', 'domain/text', 'domain/embedding', ...recall('question', 'evidence')],
    'domain/recall/succession': ['domain/memory', ...recall('relevance')],
    'domain/recall/replacement': [
      'domain/memory',
      'domain/text',
      'domain/embedding',
      ...recall('question', 'evidence'),
    ],
    'domain/recall/ranking': [...GROUND, ...recall('question', 'evidence', 'relevance', 'succession', 'replacement')],
    'domain/recall/context': [...GROUND, 'domain/contradictions', ...recall('relevance', 'succession', 'ranking')],
    'domain/ingest': [...GROUND, 'domain/recall'],
    'domain/contradictions': [...GROUND, ...contradictions('statements', 'clashes', 'pairs')],
    'domain/contradictions/statements': ['domain/text'],
    'domain/contradictions/clashes': ['domain/text', ...contradictions('statements')],
    'domain/contradictions/vetoes': ['domain/text', ...contradictions('statements', 'clashes')],
    'domain/contradictions/pairs': ['domain/text', ...contradictions('statements', 'clashes', 'vetoes')],
    'domain/consolidation': [...GROUND, 'domain/recall', 'domain/contradictions'],
    'domain/editing': [...GROUND, 'domain/contradictions', 'domain/consolidation'],
    'domain/overview': [...GROUND, 'domain/contradictions', 'domain/consolidation'],
    'domain/transfer': [...GROUND, 'domain/ingest', 'domain/editing'],
    'domain/space': [...GROUND, 'domain/recall', 'domain/contradictions', 'domain/consolidation'],
    search: ['domain'],
    store: ['domain', 'search'],
    persistence: ['domain', 'search', 'store'],
    wire: ['domain'],
    http: ['domain', 'wire'],
    // The form in which a text may stand beside a context.
    mcp: ['domain/text', 'domain/recall/context'],
    jobs: ['domain'],
    webhooks: ['domain', 'wire'],
    commands: ['domain', 'wire', 'persistence'],
    dashboard: [],
  },
  'apps/timing-service': {
    domain: ['domain/statistics'],
    'domain/statistics': ['domain'],
    'domain/hooks': ['domain', 'domain/statistics'],
    'storage/tables': ['domain'],
    'storage/samples': ['domain'],
    'storage/page-sums': [],
    'storage/sqlite': ['domain', 'storage/tables', 'storage/samples', 'storage/page-sums'],
    'storage/postgres': ['domain', 'storage/tables', 'storage/samples'],
    'storage/backup': ['storage/page-sums', 'storage/sqlite'],
    'storage/repair': ['storage/page-sums', 'storage/sqlite'],
    'storage/copy': ['storage/sqlite', 'storage/postgres'],
    wire: ['domain'],
    http: ['domain', 'wire'],
    mcp: [],
    jobs: ['domain'],
    commands: ['domain', 'storage'],
    dashboard: ['dashboard'],
    'dashboard/state': [],
    'dashboard/reading': ['dashboard/state'],
    'dashboard/pieces': ['dashboard/state'],
    ...cards('header', 'active', 'timeline', 'stopwatches', 'types', 'type-detail'),
    ...cards('time-spent', 'estimates', 'comparison', 'events', 'task'),
    'dashboard/overview': ['dashboard/state', 'dashboard/reading', 'dashboard/active'],
  },
};

/** Files of the root that any folder may import, and what both dashboards share: they import nothing of the service. */
export const LEAVES = /\/src\/(?:(?:api\.gen|config|errors)\.ts$|dashboard\/shared\/)/;

/** A line for each folder of a service, as ARCHITECTURE.md has them; what is in the same folder as the first one without its name. */
export function drawn(service) {
  const arrows = Object.entries(ARROWS[service]);
  const width = Math.max(...arrows.map(([folder]) => folder.length));
  return arrows
    .map(([folder, targets]) => {
      const short = targets.map((target) => nameBeside(folder, target));
      return `${folder.padEnd(width)} -> ${short.join(', ') || 'nothing'}`;
    })
    .join('\n');
}

/** Without the folders that both are in. */
function nameBeside(folder, target) {
  const around = folder.split('/').slice(0, -1);
  const names = target.split('/');
  return names.slice(names.findIndex((name, level) => name !== around[level])).join('/');
}
