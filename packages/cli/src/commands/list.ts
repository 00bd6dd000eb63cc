import { clientsOf } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { choice, given, wholeNumber } from '../input.ts';
import { saidAndHeld } from '../print.ts';

const DEFAULT_LIMIT = 20;
/** Memories per request. */
const PAGE = 200;

export const command = defineCommand({
  name: 'list',
  summary: 'Memories, newest first',
  usage: '[options]',
  takesWords: false,
  options: {
    limit: { type: 'string', short: 'n', value: 'N', help: `at most so many (default: ${DEFAULT_LIMIT})` },
    all: { type: 'boolean', help: 'without a limit' },
    by: { type: 'string', value: 'AGENT', help: 'of this agent only', fields: ['agent_id'] },
    kind: { type: 'string', value: 'KIND', help: 'episodic or semantic' },
    scope: { type: 'string', value: 'SCOPE', help: 'TEAM, SHARED or PRIVATE' },
    tag: { type: 'string', value: 'TAG', help: 'with this tag' },
    text: { type: 'string', value: 'TEXT', help: 'whose text holds this', fields: ['q'] },
    since: { type: 'string', value: 'TIME', help: 'said at or after' },
    until: { type: 'string', value: 'TIME', help: 'said before' },
  },
  run: async (invocation) => {
    const { edge, json, values } = invocation;
    const limit = values.all ? Number.POSITIVE_INFINITY : (wholeNumber(values.limit, 'limit') ?? DEFAULT_LIMIT);
    const memories = clientsOf(invocation).memory.listMemories({
      limit: Math.min(limit, PAGE),
      ...given({
        agent_id: values.by,
        kind: choice(values.kind, 'kind', ['episodic', 'semantic']),
        scope: choice(values.scope, 'scope', ['TEAM', 'SHARED', 'PRIVATE']),
        tag: values.tag,
        q: values.text,
        since: values.since,
        until: values.until,
      }),
    });
    let shown = 0;
    for await (const memory of memories) {
      edge.out(json ? `${JSON.stringify(memory)}\n` : `${memory.id}  ${saidAndHeld(memory, edge.clock.now())}\n`);
      if (++shown >= limit) break;
    }
    if (shown === 0 && !json) edge.out('There are none.\n');
    return 0;
  },
});
