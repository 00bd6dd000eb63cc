/** What was taken back of the runs since the page was opened: the report of a run goes on saying what it did then. */

/** @typedef {{ derived: number, madeOne: number, isWhole: boolean, kept: number }} Undone how many memories of each kind, or the whole run but for those that are `kept` as others have changed them since */

/** @type {Undone} */
const NOTHING = { derived: 0, madeOne: 0, isWhole: false, kept: 0 };

/** By run. @type {Map<string, Undone>} */
const undoneRuns = new Map();

/** Those that the service takes back now, which may take seconds. @type {Set<string>} */
const beingUndone = new Set();

/** @param {string} run */
export const isBeingUndone = (run) => beingUndone.has(run);

/** @template T @param {string} run @param {Promise<T>} work @returns {Promise<T>} */
export async function undoing(run, work) {
  beingUndone.add(run);
  try {
    return await work;
  } finally {
    beingUndone.delete(run);
  }
}

/** @param {string | null} run */
export const undoneOf = (run) => undoneRuns.get(run ?? '') ?? NOTHING;

/** @param {string} run @param {Partial<Undone>} part */
export function noteUndone(run, { derived = 0, madeOne = 0, isWhole = false, kept = 0 }) {
  const before = undoneOf(run);
  undoneRuns.set(run, {
    derived: before.derived + derived,
    madeOne: before.madeOne + madeOne,
    isWhole: before.isWhole || isWhole,
    kept: isWhole ? kept : before.kept,
  });
}

/**
 * What is left of what a run did, and how much was undone; what there is none of is left out.
 * @param {import('../reading/api.js').Report} report @param {Undone} undone @returns {[count: number, one: string, many: string][]}
 */
export function leftOf(report, undone) {
  /** @type {[number, string, string][]} */
  const all = [
    [report.semantic_created + report.semantic_rebuilt - undone.derived, 'memory derived', 'memories derived'],
    [report.deduplicated - undone.madeOne, 'memory made one with another', 'memories made one with others'],
    [report.pruned, 'memory put into the archive', 'memories put into the archive'],
    [report.semantic_removed, 'derived memory removed', 'derived memories removed'],
    [report.contradictions ?? 0, 'contradiction found', 'contradictions found'],
    [undone.derived + undone.madeOne, 'undone', 'undone'],
  ];
  return all.filter(([count]) => count > 0);
}
