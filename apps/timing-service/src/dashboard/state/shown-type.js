/** Which task type the details are about. Pure. */

/** The one with most runs, else the first. @param {import('./store.js').Store} store @returns {string | null} */
function busiestType({ summaries, taskTypes }) {
  const busiest = summaries.reduce((most, next) => (next.count > (most?.count ?? 0) ? next : most), null);
  return busiest?.task_type ?? taskTypes[0] ?? null;
}

/** The chosen one, else the busiest, which stays while another one becomes that. */
export class ShownType {
  /** @type {string | null} */ #preselected = null;

  /** @param {import('./store.js').Store} store @param {import('./view-state.js').ViewState} view */
  of(store, { type }) {
    this.#preselected ??= type ?? busiestType(store);
    return type ?? this.#preselected;
  }

  /** Another agent or project has other types. */
  forget() {
    this.#preselected = null;
  }
}
