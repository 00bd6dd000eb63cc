/** Which memories of a report are shown in full. Pure. */

/** Of each thing that a run did, how many are shown. @typedef {{ derived: number, madeOne: number, pruned: number }} Limits */

/** The derived memories that a run made or made anew. @param {import('../reading/api.js').Report} report @returns {{ id: string | null, sources: string[], gist?: string }[]} */
export const clustersOf = ({ ids }) => [...ids.semantic_created, ...ids.semantic_rebuilt];

/**
 * The memories whose words are shown, and those of them that became one with another.
 * @param {import('../reading/api.js').Report} report @param {Limits} most @returns {{ ids: string[], absorbed: string[] }}
 */
export function shownIds(report, most) {
  const clusters = clustersOf(report).slice(0, most.derived);
  const madeOne = report.ids.deduplicated.slice(0, most.madeOne);
  const absorbed = madeOne.flatMap((one) => one.absorbed);
  const ids = [
    ...clusters.flatMap(({ id, sources }) => (id === null ? sources : [id, ...sources])),
    ...madeOne.map(({ id }) => id),
    ...absorbed,
    ...report.ids.pruned.slice(0, most.pruned),
  ];
  return { ids: [...new Set(ids)], absorbed };
}
