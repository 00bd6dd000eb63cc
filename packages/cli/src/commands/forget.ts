import { clientsOf } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { given } from '../input.ts';

export const command = defineCommand({
  name: 'forget',
  summary: 'Say that a memory no longer holds; it stays stored and ranks behind',
  usage: 'ID --reason TEXT [--at TIME]',
  options: {
    reason: { type: 'string', value: 'TEXT', help: 'why it no longer holds; kept with the memory' },
    at: { type: 'string', value: 'TIME', help: 'when it ceased to hold, such as 2026-11-21T09:30:00Z; else now' },
  },
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    const [id, ...rest] = positionals;
    if (id === undefined || rest.length > 0 || values.reason === undefined) {
      throw new UsageError('Write forget ID --reason TEXT; list and recall show ids.');
    }
    const { reason, at } = values;
    const answer = await clientsOf(invocation).memory.invalidateMemory({ id, reason, ...given({ at }) });
    edge.out(json ? `${JSON.stringify(answer)}\n` : `${answer.memory.id} holds until ${answer.memory.valid_until}.\n`);
    return 0;
  },
});
