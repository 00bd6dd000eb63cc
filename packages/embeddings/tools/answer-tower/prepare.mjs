#!/usr/bin/env node
// Writes what train.py reads: the texts of the cases as recall embeds them, and the vectors that stores hold of them. After a build:
//   node prepare.mjs --out prepared/
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { splitIntoChunks } from '../../../../apps/memory-service/dist/domain/embedding/chunks.js';
import { readQuestion } from '../../../../apps/memory-service/dist/domain/recall/question/question.js';
import { openEmbedder } from '../../dist/index.js';

/** "Ilse: Fridays are fine": the speaker stands before some texts, and belongs to none. */
const SPEAKER = /^(\p{Lu}[\p{L}.-]+(?: \p{Lu}[\p{L}.-]+)?): (?=.)/u;
/** Statements that answer no question of the cases; the longer ones would be split. */
const MOST_STATEMENTS = 5_000;
const LONGEST_STATEMENT = 700;

const { values } = parseArgs({ options: { out: { type: 'string', default: 'prepared' } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const texts = new Map();
const cases = linesIn(here('cases/')).map(({ file, line }) => readCase(file, line));
const statements = everyNth(statementsIn(here('../contradiction/pairs/')), MOST_STATEMENTS).map(indexOf);
const vectors = await vectorsOf([...texts.keys()]);
mkdirSync(values.out, { recursive: true });
writeFileSync(`${values.out}/cases.json`, JSON.stringify({ texts: [...texts.keys()], cases, statements }));
writeFileSync(`${values.out}/vectors.f32`, vectors);
console.log(`${cases.length} cases, ${texts.size} texts`);

function readCase(file, { memory, speaker, asks, beside, unanswered, missing }) {
  const names = new Set(speaker?.split(/\s+/));
  const withoutSpeaker = (text) => {
    const found = SPEAKER.exec(text);
    for (const name of found?.[1].split(' ') ?? []) names.add(name);
    return text.slice(found?.[0].length ?? 0);
  };
  const chunksOf = (text) => splitIntoChunks(withoutSpeaker(text)).map(indexOf);
  const told = {
    memory: chunksOf(memory),
    beside: beside.map(chunksOf),
    missing: chunksOf(missing),
  };
  const speakers = {
    find: (word) => (names.has(word) ? 'speaker' : null),
    findAgent: () => null,
    findAgentByPart: () => null,
  };
  const asEmbedded = (question) => indexOf(readQuestion(question, { speakers, now: 0 }).denseText);
  return {
    author: file,
    ...told,
    asks: asks.map(asEmbedded),
    asWritten: asks.map(indexOf),
    unanswered: unanswered.map(asEmbedded),
  };
}

function indexOf(text) {
  if (!texts.has(text)) texts.set(text, texts.size);
  return texts.get(text);
}

function statementsIn(folder) {
  const all = linesIn(folder).flatMap(({ line }) => [line.a, line.b]);
  return [...new Set(all)].filter((text) => text.length < LONGEST_STATEMENT && !text.trim().endsWith('?'));
}

function everyNth(list, most) {
  const step = Math.ceil(list.length / most);
  return list.filter((_, at) => at % step === 0);
}

function linesIn(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(`${folder}${file}`, 'utf8').trim().split('\n');
      return lines.map((line) => ({ file: file.replace('.jsonl', ''), line: JSON.parse(line) }));
    });
}

async function vectorsOf(all) {
  const embedder = await openEmbedder({ model: 'accurate', offline: true });
  const vectors = new Float32Array(all.length * embedder.dimension);
  for (const [at, text] of all.entries()) vectors.set((await embedder.embed([text]))[0], at * embedder.dimension);
  await embedder.close();
  return vectors;
}
