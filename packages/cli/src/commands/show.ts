import { clientsOf } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { notesOn, spokenBy } from '../print.ts';

export const command = defineCommand({
  name: 'show',
  summary: 'One memory whole, by its id',
  usage: 'ID',
  options: {},
  run: async (invocation) => {
    const { edge, json, positionals } = invocation;
    const [id, ...rest] = positionals;
    if (id === undefined || rest.length > 0) throw new UsageError('Write show ID; list and recall show ids.');
    const { memory } = await clientsOf(invocation).memory.getMemory({ id });
    if (json) {
      edge.out(`${JSON.stringify(memory)}\n`);
      return 0;
    }
    const { tags, project, superseded_by, invalidation, gist, content } = memory;
    const lines = [
      `${memory.id}  ${spokenBy(memory)}${notesOn(memory, edge.clock.now())}`,
      ...(project === null ? [] : [`project: ${project}`]),
      ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
      ...(superseded_by === null ? [] : [`superseded by: ${superseded_by}`]),
      ...(invalidation === null ? [] : [`no longer holds, says ${invalidation.agent_id}: ${invalidation.reason}`]),
      '',
      gist,
      ...(content === gist ? [] : ['', 'As it was told:', content]),
    ];
    edge.out(`${lines.join('\n')}\n`);
    return 0;
  },
});
