#!/usr/bin/env node
// Measures how often the statement about the asked thing stands first, and whether the context shows it, where a store has statements of the same
// form about many things: over the HTTP API of a running service. Each group of bench/memory/one-form.json is a separate store: first
// all statements, one form after the other, then those that tell every third thing anew.
//   npm run bench:one-form -- [--models accurate,fast] [--tell]
// --tell: also prints the questions whose answer does not stand first, and what does.
import { readFileSync } from 'node:fs';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, table, title } from '../lib/markdown.mjs';
import { post } from './post.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    models: { type: 'string', default: 'accurate' },
    tell: { type: 'boolean', default: false },
  },
});
const { groups } = JSON.parse(readFileSync(new URL('one-form.json', import.meta.url), 'utf8'));
const stores = groups.map((group) => ({ name: group.name, facts: factsOf(group) }));
describeMachine([['data', `${stores.length} stores, ${stores.flatMap(({ facts }) => facts).length} questions`]]);

for (const model of values.models.split(',')) {
  title(`Embedding model ${model}`);
  const rows = [];
  const wrong = [];
  for (const { name, facts } of stores) {
    const { missed, shown } = await askedOf(facts, model);
    wrong.push(...missed);
    rows.push([name, shareFound(facts, missed, false), shareFound(facts, missed, true), `${shown} of ${facts.length}`]);
  }
  table(['store', 'told once', 'told anew', 'in the context'], rows);
  if (values.tell) console.log(`\n${wrong.map(({ fact, first }) => `- ${fact.question} ${first}`).join('\n')}`);
}

/** Each thing of each form: what is told of it, what is told anew (null: nothing), and the question. */
function factsOf({ things, forms }) {
  return forms.flatMap((form, formAt) => {
    const all = form.values.split(' ');
    return things.split(' ').map((thing, at) => {
      const [value, other] = [0, 1].map((step) => all[(at * 3 + formAt + step) % all.length]);
      const fill = (text) =>
        text.replaceAll('{thing}', thing).replaceAll('{value}', value).replaceAll('{other}', other);
      const isToldAnew = form.anew !== undefined && at % 3 === 0;
      return { told: fill(form.told), anew: isToldAnew ? fill(form.anew) : null, question: fill(form.question) };
    });
  });
}

function shareFound(facts, missed, isToldAnew) {
  const isOfKind = ({ anew }) => (anew !== null) === isToldAnew;
  const all = facts.filter(isOfKind).length;
  return `${all - missed.filter(({ fact }) => isOfKind(fact)).length} of ${all}`;
}

/** The facts that do not stand first for their question, with what does, and how many the context for a prompt shows. */
async function askedOf(facts, model) {
  const service = await startMemory(null, { model });
  try {
    const texts = [...facts.map(({ told }) => told), ...facts.flatMap(({ anew }) => anew ?? [])];
    for (const content of texts) await post(service.url, '/ingest', { agent: 'teller', body: { content } });
    const missed = [];
    let shown = 0;
    for (const fact of facts) {
      const body = { query: fact.question, strengthen: false };
      const { memories, context } = await post(service.url, '/recall', { agent: 'asker', body });
      const told = fact.anew ?? fact.told;
      const first = memories[0]?.content ?? 'nothing';
      if (first !== told) missed.push({ fact, first });
      if (onOneLine(context).includes(onOneLine(told))) shown++;
    }
    return { missed, shown };
  } finally {
    await service.stop();
  }
}

function onOneLine(text) {
  return text.replace(/\s+/g, ' ');
}
