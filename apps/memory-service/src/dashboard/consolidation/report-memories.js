/** Reads the memories that a report names. */

/** @typedef {import('../reading/api.js').Api} Api */
/** @typedef {{ now: Map<string, import('../reading/api.js').Memory>, before: Map<string, import('../reading/api.js').Memory | null> }} Memories `before`: those that became one with another, as they were; null where that is no longer kept */

/** Memories of one request. */
const MEMORIES_AT_ONCE = 200;

/**
 * @param {{ ids: string[], absorbed: string[] }} shown
 * @param {{ known: Memories, run: string | null, api: Api }} how `known` is not read again; `run` is null for a dry run, which makes nothing one
 * @returns {Promise<Memories>}
 */
export async function readMemories({ ids, absorbed }, { known, run, api }) {
  const now = new Map(known.now);
  const before = new Map(known.before);
  const isUnknown = (/** @type {string} */ id) => !now.has(id) && !before.has(id);
  const wanted = ids.filter(isUnknown);
  for (let start = 0; start < wanted.length; start += MEMORIES_AT_ONCE) {
    const { memories } = await api.memories(wanted.slice(start, start + MEMORIES_AT_ONCE));
    for (const memory of memories) now.set(memory.id, memory);
  }
  if (run !== null) {
    const gone = absorbed.filter(isUnknown);
    await Promise.all(gone.map(async (id) => before.set(id, await asBefore(id, run, api))));
  }
  return { now, before };
}

/** A memory before a run made it one with another. @param {string} id @param {string} run @param {Api} api */
async function asBefore(id, run, api) {
  try {
    const { versions } = await api.history(id);
    return versions.find((one) => one.run_id === run)?.before ?? null;
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return null;
    throw error;
  }
}
