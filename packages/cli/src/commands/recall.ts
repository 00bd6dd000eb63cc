import { clientsOf } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { choice, given, wholeNumber, wordsOf } from '../input.ts';
import { saidAndHeld, table } from '../print.ts';

const NOTHING_RELEVANT = 'Nothing that was told seems to answer this. What comes nearest:\n';

export const command = defineCommand({
  name: 'recall',
  summary: 'What memory knows about a question, best first',
  usage: '[QUESTION | -] [options]',
  options: {
    'top-k': { type: 'string', short: 'n', value: 'N', help: 'at most so many, 1 to 100 (default: 10)' },
    by: {
      type: 'string',
      multiple: true,
      value: 'AGENT',
      help: 'only what one of these agents told',
      fields: ['agent_ids'],
    },
    tag: { type: 'string', multiple: true, value: 'TAG', help: 'only with all of these tags', fields: ['tags'] },
    since: { type: 'string', value: 'TIME', help: 'said at or after' },
    until: { type: 'string', value: 'TIME', help: 'said before' },
    'as-of': { type: 'string', value: 'TIME', help: 'what held then' },
    'min-trust': {
      type: 'string',
      value: 'SOURCE',
      help: 'user, assistant, tool or import: this source or a more trusted one',
    },
    context: { type: 'boolean', help: 'print what to put before a prompt, and nothing else' },
    explain: { type: 'boolean', help: 'say what speaks for each' },
  },
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    if (json && values.context)
      throw new UsageError('--context and --json do not go together: the JSON has the context.');
    const answer = await clientsOf(invocation).memory.recall({
      query: await wordsOf(positionals, edge, 'question'),
      ...given({
        top_k: wholeNumber(values['top-k'], 'top-k'),
        agent_ids: values.by,
        tags: values.tag,
        since: values.since,
        until: values.until,
        as_of: values['as-of'],
        min_trust: choice(values['min-trust'], 'min-trust', ['user', 'assistant', 'tool', 'import']),
        explain: values.explain,
      }),
    });
    if (json) edge.out(`${JSON.stringify(answer)}\n`);
    else if (values.context) edge.out(answer.context === '' ? '' : `${answer.context}\n`);
    else if (answer.memories.length === 0) edge.out('Nothing is known of this.\n');
    else {
      if (answer.memories.every(({ relevance }) => relevance === 'low')) edge.out(NOTHING_RELEVANT);
      edge.out(
        answer.memories
          .map((memory) => {
            const words = saidAndHeld(memory, edge.clock.now());
            const line = table([[memory.relevance.padEnd(6), memory.score.toFixed(2), memory.id, words]]);
            const why = Object.entries(memory.why ?? {}).map(([what, share]) => `${what} ${share.toFixed(2)}`);
            return why.length === 0 ? line : `${line}        ${why.join(', ')}\n`;
          })
          .join(''),
      );
    }
    return 0;
  },
});
