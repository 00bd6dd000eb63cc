import { FacultiesError } from '@agent-faculties/client';
import { type Clients, clientsOf } from '../clients.ts';
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
    const { memory } = clientsOf(invocation);
    const answer = await memory.deleteMemory({ id, ...given({ erase: values.erase }) });
    const said = values.erase ? 'is erased.' : 'is deleted.';
    const how = json || values.erase ? '' : await howBack(memory, answer.deleted);
    edge.out(json ? `${JSON.stringify(answer)}\n` : `${answer.deleted} ${said}${how}\n`);
    return 0;
  },
});

/** Empty where the service keeps no versions (`--history-days 0`), and nothing brings it back. */
async function howBack(memory: Clients['memory'], id: string): Promise<string> {
  try {
    await memory.getMemoryHistory({ id });
    return ` To bring it back, write agent-faculties revert ${id}`;
  } catch (error) {
    // Whatever the service answers, or if it is gone by now: the memory is deleted.
    if (error instanceof FacultiesError) return '';
    throw error;
  }
}
