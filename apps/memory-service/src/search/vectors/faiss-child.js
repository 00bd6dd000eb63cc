// The process that runs FAISS. Plain JavaScript, so that tests and `tsx` run the same file from src/ that tsc copies to dist/.
import faiss from 'faiss-node';

/** @import { FaissReply, FaissRequest, FaissSettings } from './faiss-protocol.ts' */

/** Where the serialized header of an IVF index has its number of lists and the number to look into, 64-bit little-endian. */
const LISTS_OFFSET = 37;
const PROBES_OFFSET = 45;
const DEFAULT_PROBES = 1n;

/** @type {FaissSettings} */
const { dimension, lists, probes } = JSON.parse(process.argv[2] ?? '');
const metric = faiss.MetricType.METRIC_INNER_PRODUCT;
/** @type {import('faiss-node').Index} */
let index =
  lists > 0 ? faiss.Index.fromFactory(dimension, `IVF${lists},Flat`, metric) : new faiss.IndexFlatIP(dimension);
/** @type {number[]} */
let sample = [];

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
    else if (request.do === 'load')
      index.mergeFrom(faiss.IndexFlatIP.read(request.path)); // fromBuffer leaks what it copies
    else if (request.do === 'sample') for (const value of request.values) sample.push(value);
    else train();
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

/** faiss-node cannot set how many lists a search looks into, but it stands in what it writes and reads: small while empty. */
function train() {
  index.train(sample);
  sample = [];
  const bytes = index.toBuffer();
  if (
    bytes.readBigUInt64LE(LISTS_OFFSET) !== BigInt(lists) ||
    bytes.readBigUInt64LE(PROBES_OFFSET) !== DEFAULT_PROBES
  ) {
    throw new Error('this FAISS serializes IVF indexes in another way');
  }
  bytes.writeBigUInt64LE(BigInt(probes), PROBES_OFFSET);
  index = faiss.Index.fromBuffer(bytes);
}
