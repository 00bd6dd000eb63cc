/** How much of what has finished went wrong. Pure. */

/** @param {any} outcomes @returns {number | null} share of the finished runs that did not end ok */
export function failureShare(outcomes) {
  if (!outcomes) return null;
  const { ok, error, timeout, cancelled } = outcomes;
  const all = ok + error + timeout + cancelled;
  return all === 0 ? null : (error + timeout) / all;
}
