import { clientsOf } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { oneLine } from '../print.ts';

interface Change {
  readonly version: string | null;
  readonly at: string;
  readonly by: string | null;
  readonly operation: string;
  readonly reason: string | null;
  readonly changed: readonly string[];
  readonly before: { readonly gist: string } | null;
}

export const command = defineCommand({
  name: 'history',
  summary: 'What was done to a memory, latest first, also to a deleted one',
  usage: 'ID',
  options: {},
  notes: ['Each line begins with the version before that change, which revert ID VERSION brings back.'],
  run: async (invocation) => {
    const { edge, json, positionals } = invocation;
    const [id, ...rest] = positionals;
    if (id === undefined || rest.length > 0) throw new UsageError('Write history ID; list and recall show ids.');
    const answer = await clientsOf(invocation).memory.getMemoryHistory({ id });
    const lines = answer.versions.map((change) => `${lineOf(change)}\n`);
    const none = `${id} was not changed within the ${answer.kept_days} days that are kept.\n`;
    edge.out(json ? `${JSON.stringify(answer)}\n` : lines.length === 0 ? none : lines.join(''));
    return 0;
  },
});

/** `mi9x2k4c  2026-11-21 09:30:00  edit by ann (gist; a slip), before: The gate opens at six.` */
function lineOf({ version, at, by, operation, reason, changed, before }: Change): string {
  const about = [changed.join(', '), reason ?? ''].filter(Boolean).join('; ');
  const words = before === null ? '' : `, before: ${oneLine(before.gist)}`;
  const done = `${operation}${by === null ? '' : ` by ${by}`}${about === '' ? '' : ` (${about})`}`;
  return `${version ?? '-'}  ${at.slice(0, 19).replace('T', ' ')}  ${done}${words}`;
}
