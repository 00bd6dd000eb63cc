import { clientsOf } from '../clients.ts';
import { CommandError, defineCommand, UsageError } from '../command.ts';
import { given } from '../input.ts';
import { oneLine } from '../print.ts';

export const command = defineCommand({
  name: 'revert',
  summary: 'Take back the last change of a memory, such as a delete, or all since a version',
  usage: 'ID [VERSION] [--reason TEXT]',
  options: {
    reason: { type: 'string', value: 'TEXT', help: 'why; kept in the history' },
  },
  notes: ['history ID names the versions. A revert is a change too, and can itself be reverted.'],
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    const [id, named, ...rest] = positionals;
    if (id === undefined || rest.length > 0)
      throw new UsageError('Write revert ID [VERSION]; history ID shows versions.');
    const { memory } = clientsOf(invocation);
    const version = named ?? lastOf(id, (await memory.getMemoryHistory({ id })).versions);
    const answer = await memory.revertMemory({ id, version, ...given({ reason: values.reason }) });
    edge.out(
      json ? `${JSON.stringify(answer)}\n` : `${id} is as it was in ${version}: ${oneLine(answer.memory.gist)}\n`,
    );
    return 0;
  },
});

/** The version before the last change. @throws CommandError where there is none */
function lastOf(id: string, [last]: readonly { readonly version: string | null }[]): string {
  if (!last) throw new CommandError(`Nothing was changed in ${id}, as far as its history goes.`);
  if (last.version === null) throw new CommandError(`${id} was not there before its last change.`);
  return last.version;
}
