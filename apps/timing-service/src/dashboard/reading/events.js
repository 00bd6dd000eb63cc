/** Reads the list of events, a page at a time. */

/** The newest page. @param {import('./session.js').Session} session @param {import('../state/store.js').EventFilter} filter */
export async function readEvents({ api, store }, filter) {
  const page = await api.events(filter);
  store.events = page.events;
  store.eventsCursor = page.next_cursor;
}

/** The page behind those that are here. @param {import('./session.js').Session} session @param {import('../state/store.js').EventFilter} filter */
export async function readMoreEvents({ api, store }, filter) {
  if (store.eventsCursor === null) return;
  const page = await api.events({ ...filter, cursor: store.eventsCursor });
  const known = new Set(store.events.map((event) => event.id));
  store.events.push(...page.events.filter((/** @type {any} */ event) => !known.has(event.id)));
  store.eventsCursor = page.next_cursor;
}
