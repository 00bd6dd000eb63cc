// The process that runs FAISS. Plain JavaScript, so that tests and `tsx` run the same file from src/ that tsc copies to dist/.
import faiss from 'faiss-node';

/** @import { FaissReply, FaissRequest, FaissSettings } from './faiss-protocol.ts' */

/** @type {FaissSettings} */
const { dimension } = JSON.parse(process.argv[2] ?? '');
const index = new faiss.IndexFlatIP(dimension);

// A Ctrl-C in a terminal reaches this process too; it ends when the service lets go of it, or is gone.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {FaissRequest} */ request) => reply(answer(request)));
reply({ held: 0 });

/** @param {FaissReply} message */
function reply(message) {
  process.send?.(message);
}

/**
 * @param {FaissRequest} request
 * @returns {FaissReply}
 */
function answer(request) {
  try {
    if (request.do === 'search') return { held: index.ntotal(), positions: search(request) };
    if (request.do === 'add') index.add(Array.from(request.values));
    else index.mergeFrom(faiss.IndexFlatIP.read(request.path)); // toBuffer and fromBuffer leak what they copy
    return { held: index.ntotal() };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** @param {{ query: Float32Array, count: number }} wanted */
function search({ query, count }) {
  const atMost = Math.min(count, index.ntotal());
  if (atMost === 0) return new Int32Array(0);
  const { labels } = index.search(Array.from(query), atMost);
  return Int32Array.from(labels).filter((label) => label >= 0); // -1 fills up where there are fewer
}
