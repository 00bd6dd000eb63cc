import { clientsOf } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { given } from '../input.ts';

export const command = defineCommand({
  name: 'delete',
  summary: 'Delete a memory; its history is kept for a while, unless it is erased',
  usage: 'ID [--erase]',
  options: {
    erase: { type: 'boolean', help: 'leave nothing of it on the disk, nor in its history' },
  },
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    const [id, ...rest] = positionals;
    if (id === undefined || rest.length > 0) throw new UsageError('Write delete ID; list and recall show ids.');
    const answer = await clientsOf(invocation).memory.deleteMemory({ id, ...given({ erase: values.erase }) });
    const said = values.erase
      ? 'is erased.'
      : `is deleted. To bring it back, write agent-faculties revert ${answer.deleted}`;
    edge.out(json ? `${JSON.stringify(answer)}\n` : `${answer.deleted} ${said}\n`);
    return 0;
  },
});
