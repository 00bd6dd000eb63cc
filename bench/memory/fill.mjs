// A separate process that writes data directories of several sizes with the storage code of the service, as an import of the same
// messages would, but without requests.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { importanceOf } from '../../apps/memory-service/dist/domain/ingest/importance.js';
import { ALWAYS_VALID, NOT_SUPERSEDED } from '../../apps/memory-service/dist/domain/memory/memory.js';
import { readNames } from '../../apps/memory-service/dist/domain/text/entities/entities.js';
import { gistOf } from '../../apps/memory-service/dist/domain/text/gist/gist.js';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { openScorer } from './contradiction-data.mjs';
import { clock, finderOf, ids, open, openModel } from './store.mjs';
import { textSource } from './texts.mjs';

const BATCH = 64;
const AGENTS = 10;
const TURNS_PER_SESSION = 20;
const PRIVATE_EVERY = 10;
const MINUTE_MS = 60_000;
const NAMES = ['Ana', 'Boris', null];
/** A start that misses one of them makes it anew before it serves. */
const SAVED_FILES = ['faiss.index', 'entities.json', 'memories.json', 'memories.packed'];

/**
 * The first texts get vectors of the model. Later ones get the vector of an earlier text plus noise (its length; the vector has 1),
 * because the model would take half an hour for 250,000 texts, and a flat search takes the same time for any vectors.
 */
const EMBEDDED = 5_000;
const NOISE = 0.6;

process.on('message', async (/** @type {any} */ job) => process.send(await fill(job)));
process.on('disconnect', () => process.exit(0));

/**
 * @param contradictionModel memories count as compared with it, so that no comparisons run while requests are timed
 * @returns folder of each size
 */
async function fill({ folder, model, sizes, corpus, contradictionModel = 'bundled' }) {
  const embedder = await openModel(model);
  const growing = join(folder, `${model}-growing`);
  const opened = await open(growing, embedder);
  const by = await comparedBy(opened.store, contradictionModel);
  const { say } = textSource({ corpus, seed: 1 });
  const random = seededRandom(2);
  const vectors = vectorSource(embedder, random);
  const firstMs = clock.now() - sizes.at(-1) * MINUTE_MS;
  const folders = [];
  let count = 0;
  for (const size of sizes) {
    while (count < size) {
      const memories = Array.from({ length: Math.min(BATCH, size - count) }, () => {
        return memoryOf(say(), { number: count, createdAt: firstMs + count++ * MINUTE_MS });
      });
      const rows = await vectors(memories.map(({ content }) => content));
      memories.forEach((memory, i) => {
        opened.indexes.add(memory, { rows: opened.indexes.appendVectors([rows[i]]) });
      });
      await opened.store.noteCompared({ by, memories, read: memories, found: [] });
      await new Promise(setImmediate);
    }
    await opened.persistence.save();
    const copy = join(folder, `${model}-${size}`);
    for (const name of SAVED_FILES) cpSync(join(growing, name), join(copy, name));
    folders.push(copy);
  }
  await opened.close();
  await embedder.close();
  return folders;
}

async function comparedBy(store, contradictionModel) {
  const scorer = await openScorer(contradictionModel);
  const { by } = finderOf(store, { scorer });
  await scorer?.close();
  return by;
}

/** @returns {import('../../apps/memory-service/dist/domain/memory/memory.js').Memory} */
function memoryOf(content, { number, createdAt }) {
  const session = Math.floor(number / TURNS_PER_SESSION);
  const name = NAMES[number % NAMES.length];
  const entities = readNames(content)
    .by(name)
    .entities(() => false);
  return {
    id: ids.next(),
    gist: gistOf(content),
    content,
    gistEdited: false,
    tags: [],
    importance: importanceOf({ text: content, role: 'user', entities }),
    agentId: `agent-${session % AGENTS}`,
    sessionId: `session-${session}`,
    scope: number % PRIVATE_EVERY === 0 ? 'PRIVATE' : 'TEAM',
    project: null,
    kind: 'episodic',
    role: 'user',
    name,
    source: 'user',
    entities,
    createdAt,
    updatedAt: createdAt,
    sources: [],
    consolidatedInto: null,
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
    metadata: {},
    idempotencyKey: null,
  };
}

function vectorSource(embedder, random) {
  const known = [];
  return async (texts) => {
    if (known.length < EMBEDDED) {
      const vectors = await embedder.embed(texts);
      known.push(...vectors);
      return vectors;
    }
    return texts.map(() => near(known[Math.floor(random() * known.length)], random));
  };
}

function near(vector, random) {
  const scale = (NOISE / Math.sqrt(vector.length)) * Math.sqrt(12);
  const noisy = vector.map((value) => value + scale * (random() - 0.5));
  const length = Math.sqrt(noisy.reduce((sum, value) => sum + value * value, 0));
  return noisy.map((value) => value / length);
}
