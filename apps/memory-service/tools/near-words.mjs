// Makes tables/near-words.bin, which src/search/lexical/near-words.ts reads: node apps/memory-service/tools/near-words.mjs (two minutes)
// The words are those of the vocabulary of `fast`; a term stands for its most common word. No text is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import { openEmbedder } from '../../../packages/embeddings/dist/index.js';
import { termsOf } from '../dist/domain/text/words/terms.js';

const TOKENIZER = '../../../packages/embeddings/models/agent-memory-static-240/tokenizer.json';
const TABLE = '../tables/near-words.bin';
/** Cosines below tell nothing: most pairs of words are there. */
const LEAST = 0.3;
const MOST_OF_A_TERM = 32;
const BATCH = 500;
const STEPS = 255;

const here = (path) => new URL(path, import.meta.url);
const { vocab } = JSON.parse(readFileSync(here(TOKENIZER), 'utf8')).model;
const terms = wordByTerm(vocab);
const vectors = await vectorsOf([...terms.values()]);
const near = vectors.map((_, of) => nearest(of));
writeFileSync(here(TABLE), bytesOf([...terms.keys()], near));
console.log(`${terms.size} terms, ${near.flat().length} near ones`);

/** The vocabulary is in the order of how common its pieces are. */
function wordByTerm(vocabulary) {
  const words = Object.entries(vocabulary)
    .filter(([word]) => /^[a-z]{3,}$/.test(word))
    .sort(([, a], [, b]) => a - b);
  const byTerm = new Map();
  for (const [word] of words) {
    const [term, ...others] = termsOf(word);
    if (term !== undefined && others.length === 0 && !byTerm.has(term)) byTerm.set(term, word);
  }
  return byTerm;
}

async function vectorsOf(words) {
  const embedder = await openEmbedder({ model: 'fast', offline: true });
  const all = [];
  for (let at = 0; at < words.length; at += BATCH) all.push(...(await embedder.embed(words.slice(at, at + BATCH))));
  await embedder.close();
  return all;
}

/** The best first, each as [term, cosine]. */
function nearest(of) {
  const vector = vectors[of];
  const found = [];
  for (let other = 0; other < vectors.length; other++) {
    if (other === of) continue;
    const cosine = dot(vector, vectors[other]);
    if (cosine >= LEAST) found.push([other, cosine]);
  }
  return found.sort(([, a], [, b]) => b - a).slice(0, MOST_OF_A_TERM);
}

function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function bytesOf(texts, lists) {
  const text = Buffer.from(texts.join('\n'));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, '\n')]);
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = starts[at] + list.length;
  const flat = lists.flat();
  const others = Uint16Array.from(flat, ([other]) => other);
  const cosines = Uint8Array.from(flat, ([, cosine]) => Math.min(Math.round(cosine * STEPS), STEPS - 1));
  const head = Uint32Array.of(padded.length, lists.length, flat.length);
  return Buffer.concat(
    [head, padded, starts, others, cosines].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  );
}
