#!/usr/bin/env node
// Measures how often the right one of two short statements stands before the other, over the HTTP API of a running service. Each
// group of bench/memory/short-updates.json is a separate store: first the older statements, then the newer ones, then the others.
//   npm run bench:short-updates -- [--models accurate,fast] [--tell]
// --tell: also prints the questions whose answer stands behind, or is not found.
import { readFileSync } from 'node:fs';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, table, title } from '../lib/markdown.mjs';
import { post } from './post.mjs';

const { values } = commandLine(import.meta.url, {
  options: { models: { type: 'string', default: 'accurate' }, tell: { type: 'boolean', default: false } },
});
const { groups } = JSON.parse(readFileSync(new URL('short-updates.json', import.meta.url), 'utf8'));
describeMachine([['data', `${groups.length} stores, ${groups.flatMap(({ pairs }) => pairs).length} questions`]]);

for (const model of values.models.split(',')) {
  title(`Embedding model ${model}`);
  const rows = [];
  const wrong = [];
  for (const group of groups) {
    const missed = await missedOf(group, model);
    wrong.push(...missed);
    rows.push([group.name, group.right, `${group.pairs.length - missed.length} of ${group.pairs.length}`]);
  }
  table(['the newer one tells', 'right', 'right one first'], rows);
  if (values.tell) console.log(`\n${wrong.map(({ question }) => `- ${question}`).join('\n')}`);
}

/** The pairs of which the right one does not stand first. */
async function missedOf({ right, pairs, others }, model) {
  const service = await startMemory(null, { model });
  try {
    const statements = [
      ...['older', 'newer'].flatMap((which) => pairs.map((pair) => ({ agent: pair.agent, content: pair[which] }))),
      ...others,
    ];
    for (const { agent, content } of statements) await post(service.url, '/ingest', { agent, body: { content } });
    const missed = [];
    for (const pair of pairs) {
      const body = { query: pair.question, strengthen: false };
      const { memories } = await post(service.url, '/recall', { agent: 'asker', body });
      const first = memories.find(({ content }) => content === pair.older || content === pair.newer);
      if (first?.content !== pair[right]) missed.push(pair);
    }
    return missed;
  } finally {
    await service.stop();
  }
}
