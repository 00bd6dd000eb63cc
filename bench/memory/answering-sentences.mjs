#!/usr/bin/env node
// Measures how often the context shows the sentence of a long answer that is nearest to the question, by the mean of the question's two
// vectors, and how often the gist that is made without the question would.
//   node bench/memory/answering-sentences.mjs --data PATH
// PATH as for bench:recall. Only evidence that is longer than a gist counts, up to 12,000 characters, the first two of a question.
import { gistFor, gistOf } from '../../apps/memory-service/dist/domain/text/gist/gist.js';
import { sentenceSpans } from '../../apps/memory-service/dist/domain/text/sentences/sentences.js';
import { termsOf } from '../../apps/memory-service/dist/domain/text/words/terms.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table } from '../lib/markdown.mjs';
import { readRecallData } from './recall-data.mjs';
import { openModel } from './store.mjs';

const { values } = commandLine(import.meta.url, { options: { data: { type: 'string' } } });
if (!values.data) {
  console.error('Say what to measure on: --data PATH');
  process.exit(2);
}

const GIST_CHARACTERS = 500;
const LONGEST = 12_000;
const OF_A_QUESTION = 2;

const embedder = await openModel('accurate');
const rows = [];
for (const { name, messages, questions } of readRecallData(values.data)) {
  const textOf = new Map(messages.map(({ key, body }) => [key, body.content.trim()]));
  const asked = questions.flatMap(({ query, evidence = [] }) =>
    evidence
      .flatMap((key) => textOf.get(key) ?? [])
      .filter(({ length }) => length > GIST_CHARACTERS && length <= LONGEST)
      .slice(0, OF_A_QUESTION)
      .map((text) => ({ query, text })),
  );
  let shown = 0;
  let inGist = 0;
  for (const { query, text } of asked) {
    const sentence = await nearestSentence(query, text);
    const terms = [...new Set(termsOf(query))];
    shown += Number((gistFor(terms, text) ?? gistOf(text)).includes(sentence));
    inGist += Number(gistOf(text).includes(sentence));
  }
  rows.push([name, asked.length, shown, inGist]);
}
await embedder.close();
const sum = (at) => rows.reduce((total, row) => total + row[at], 0);
table(['store', 'long answers', 'sentence shown', 'in the gist'], [...rows, ['all', sum(1), sum(2), sum(3)]]);

async function nearestSentence(query, text) {
  const sentences = sentenceSpans(text, GIST_CHARACTERS).map(({ start, end }) => text.slice(start, end));
  const vectors = await embedder.embed(sentences);
  const [question] = await embedder.embed([query], 'question');
  const [answerable] = await embedder.embed([query], 'answerable');
  const closeness = vectors.map((vector) => dot(vector, question) + dot(vector, answerable));
  return sentences[closeness.indexOf(Math.max(...closeness))];
}

function dot(a, b) {
  return a.reduce((total, value, index) => total + value * b[index], 0);
}
