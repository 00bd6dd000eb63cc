// A separate process that loads a data directory and recalls without HTTP; a wrapper around the function of each stage times it.
import { Priming } from '../../apps/memory-service/dist/domain/cognition/priming.js';
import { WorkingMemory } from '../../apps/memory-service/dist/domain/cognition/working-memory.js';
import { textEmbedding } from '../../apps/memory-service/dist/domain/embedding/text-embedding.js';
import { recall } from '../../apps/memory-service/dist/domain/recall/recall.js';
import { CandidateSet } from '../../apps/memory-service/dist/search/candidate-set.js';
import { EntityIndex } from '../../apps/memory-service/dist/search/entities/entity-index.js';
import { EvidenceSearch } from '../../apps/memory-service/dist/search/evidence-search.js';
import { WordShares } from '../../apps/memory-service/dist/search/lexical/word-shares.js';
import { VectorIndex } from '../../apps/memory-service/dist/search/vectors/vector-index.js';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { settled } from './settled.mjs';
import { clock, log, open, openModel } from './store.mjs';
import { textSource } from './texts.mjs';

const WARM_UP = 500;
const CALLER = { agentId: 'default', sessionId: null, project: null, space: 'default' };

process.on('message', async (/** @type {any} */ job) => process.send(await stages(job)));
process.on('disconnect', () => process.exit(0));

async function stages({ dataDir, model, amount, corpus }) {
  const embedder = await openModel(model);
  const opened = await open(dataDir, embedder);
  const { store } = opened;
  const embedding = textEmbedding({ embedder, log });
  const modelKind = model === 'fast' ? 'static' : 'contextual';
  const priming = new Priming({ entities: store });
  const deps = { clock, store, embedding, modelKind, priming, workingMemory: new WorkingMemory() };
  const { ask } = textSource({ corpus, seed: 3 });
  const random = seededRandom(4);

  const spent = new Map();
  timed(spent, embedding, 'vectorOfQuestion', 'embedding');
  timed(spent, VectorIndex.prototype, 'search', 'vectors');
  timed(spent, WordShares.prototype, 'measure', 'words');
  timed(spent, CandidateSet.prototype, 'choose', 'candidates');
  timed(spent, EvidenceSearch.prototype, 'found', 'evidence');
  timed(spent, EntityIndex.prototype, 'namedIn', 'entities');
  timed(spent, EntityIndex.prototype, 'hits', 'entities');
  /** @returns {import('../../apps/memory-service/dist/domain/recall/recall.js').RecallRequest} */
  const request = () => ({
    query: ask(),
    topK: 10,
    minScore: 0,
    filter: {},
    nowMs: null,
    explain: false,
    strengthen: random() < 0.5,
    context: { maxCharacters: 4_000, maxTokens: null, style: 'lines' },
    exceptId: null,
  });
  await settled(process.pid);
  const rounds = [];
  for (let number = 0; number < WARM_UP + amount; number++) {
    // Only a large space that is asked so often gets its approximate index.
    if (number === WARM_UP) await settled(process.pid);
    spent.clear();
    const began = performance.now();
    await recall(deps, CALLER, request());
    const whole = performance.now() - began;
    if (number >= WARM_UP) rounds.push({ ...Object.fromEntries(spent), whole });
  }
  await opened.close();
  await embedder.close();
  const of = (key) => (round) => round[key] ?? 0;
  const parts = {
    embedding: of('embedding'),
    vectors: of('vectors'),
    words: of('words'),
    candidates: of('candidates'),
    evidence: of('evidence'),
    entities: of('entities'),
    // Words are measured while vectors are searched for.
    rest: ({ whole, words, ...others }) => Object.values(others).reduce((left, each) => left - each, whole),
    whole: of('whole'),
  };
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, ranks(rounds.map(value))]));
}

/** The fastest tenth, which other work on the machine hardly disturbs. */
function ranks(milliseconds) {
  const sorted = milliseconds.sort((a, b) => a - b);
  const rank = (p) => sorted[Math.floor(sorted.length * p)];
  return { p10: rank(0.1), p50: rank(0.5), p95: rank(0.95) };
}

/** Adds up the time of calls of a method under `name`. */
function timed(spent, owner, method, name) {
  const original = owner[method];
  if (typeof original !== 'function') throw new TypeError(`no method ${method} to time`);
  owner[method] = function (...args) {
    const began = performance.now();
    const note = () => spent.set(name, (spent.get(name) ?? 0) + performance.now() - began);
    const result = original.apply(this, args);
    if (typeof result?.then !== 'function') {
      note();
      return result;
    }
    return result.finally(note);
  };
}
