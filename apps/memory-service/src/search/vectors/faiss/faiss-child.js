// The process that runs FAISS. Plain JavaScript, so that tests and `tsx` run the same file from src/ that tsc copies to dist/.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import faiss from 'faiss-node';

/** @import { FaissReply, FaissRequest, FaissSettings } from './faiss-protocol.ts' */

/** Where the serialized header of an IVF index has its number of lists and the number to look into, 64-bit little-endian. */
const LISTS_OFFSET = 37;
const PROBES_OFFSET = 45;
const DEFAULT_PROBES = 1n;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = runInNewContext('gc');
const metric = faiss.MetricType.METRIC_INNER_PRODUCT;

/**
 * @typedef {object} Held
 * @property {FaissSettings} settings
 * @property {import('faiss-node').Index} index
 * @property {number[]} sample
 */
/** @type {Map<number, Held>} */
const held = new Map();

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
    if (request.do === 'open') open(request.index, request.settings);
    const one = held.get(request.index);
    if (!one) throw new Error(`there is no index ${request.index}`);
    if (request.do === 'close') return close(request.index);
    if (request.do === 'search') return { held: one.index.ntotal(), positions: search(one.index, request) };
    if (request.do === 'add') one.index.add(Array.from(request.values));
    else if (request.do === 'load') load(one, request.path);
    else if (request.do === 'sample') for (const value of request.values) one.sample.push(value);
    else if (request.do === 'train') train(one);
    return { held: one.index.ntotal() };
  } catch (error) {
    return { failure: String(error) };
  }
}

/**
 * @param {number} number
 * @param {FaissSettings} settings
 */
function open(number, settings) {
  const { dimension, lists } = settings;
  const index =
    lists > 0 ? faiss.Index.fromFactory(dimension, `IVF${lists},Flat`, metric) : new faiss.IndexFlatIP(dimension);
  held.set(number, { settings, index, sample: [] });
}

/**
 * fromBuffer leaks what it copies. An index that is merged into another stands in memory twice until it is collected.
 * @param {Held} one
 * @param {string} path
 */
function load(one, path) {
  const read = faiss.IndexFlatIP.read(path);
  if (read.getDimension() !== one.settings.dimension) throw new Error(`${path} is of another dimension`);
  if (one.index.ntotal() === 0) {
    one.index = read;
    return;
  }
  one.index.mergeFrom(read);
  setImmediate(collect);
}

/**
 * FAISS frees an index when the object that stands for it is collected, which nothing else in this process brings about.
 * @param {number} number
 */
function close(number) {
  held.delete(number);
  setImmediate(collect);
  return { held: 0 };
}

/**
 * @param {import('faiss-node').Index} index
 * @param {{ query: Float32Array, count: number }} wanted
 */
function search(index, { query, count }) {
  const atMost = Math.min(count, index.ntotal());
  if (atMost === 0) return new Int32Array(0);
  const { labels } = index.search(Array.from(query), atMost);
  return Int32Array.from(labels).filter((label) => label >= 0); // -1 fills up where there are fewer
}

/**
 * faiss-node cannot set how many lists a search looks into, but it stands in what it writes and reads: small while empty.
 * The sample and the arrays that it has outgrown, 130 MB for 90,000 rows, are collected at once: nothing later allocates enough for it.
 * @param {Held} one
 */
function train(one) {
  const { lists, probes } = one.settings;
  one.index.train(one.sample);
  one.sample = [];
  setImmediate(collect);
  const bytes = one.index.toBuffer();
  if (
    bytes.readBigUInt64LE(LISTS_OFFSET) !== BigInt(lists) ||
    bytes.readBigUInt64LE(PROBES_OFFSET) !== DEFAULT_PROBES
  ) {
    throw new Error('this FAISS serializes IVF indexes in another way');
  }
  bytes.writeBigUInt64LE(BigInt(probes), PROBES_OFFSET);
  one.index = faiss.Index.fromBuffer(bytes);
}
