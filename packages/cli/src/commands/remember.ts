import { clientsOf } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { choice, given, plainNumber, wordsOf } from '../input.ts';
import { oneLine, redactions } from '../print.ts';

export const command = defineCommand({
  name: 'remember',
  summary: 'Keep something in memory',
  usage: '[TEXT | -] [options]',
  options: {
    name: { type: 'string', value: 'NAME', help: 'who said it, where that is not the agent' },
    role: { type: 'string', value: 'ROLE', help: 'user (default), assistant or system' },
    scope: { type: 'string', value: 'SCOPE', help: 'TEAM (default), SHARED or PRIVATE' },
    tag: { type: 'string', multiple: true, value: 'TAG', help: 'may be given several times', fields: ['tags'] },
    importance: { type: 'string', value: 'N', help: '0 to 1; else as the words say' },
    until: { type: 'string', value: 'TIME', help: 'until when it holds', fields: ['valid_until'] },
    expires: { type: 'string', value: 'TIME', help: 'from when on it is gone', fields: ['expires_at'] },
    supersedes: { type: 'string', multiple: true, value: 'ID', help: 'a memory that it replaces; several times' },
    at: {
      type: 'string',
      value: 'TIME',
      help: 'when it was said, such as 2026-11-21T09:30:00Z; else now',
      fields: ['timestamp'],
    },
  },
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    const answer = await clientsOf(invocation).memory.ingest({
      content: await wordsOf(positionals, edge, 'text'),
      role: choice(values.role, 'role', ['user', 'assistant', 'system']) ?? 'user',
      ...given({
        name: values.name,
        scope: choice(values.scope, 'scope', ['TEAM', 'SHARED', 'PRIVATE']),
        tags: values.tag,
        importance: plainNumber(values.importance, 'importance'),
        timestamp: values.at,
        valid_until: values.until,
        expires_at: values.expires,
        supersedes: values.supersedes,
      }),
    });
    const { memory, duplicate, not_taken, already_superseded = [], redacted } = answer;
    const what =
      memory === null
        ? 'Nothing new: it is what was recalled.'
        : `${duplicate ? 'Known already' : 'Kept'}: ${memory.id}`;
    const kept = not_taken ? [`it says otherwise in ${not_taken.join(' and ')}`] : [];
    const besides = already_superseded.map(
      ({ id, by }) =>
        `${id} was superseded by ${by.id} before, which still holds: ${oneLine(by.gist)}\n  If this takes its place too, say the same again with --supersedes ${by.id}\n`,
    );
    const by = duplicate ? memory?.superseded_by : null;
    const replaced = by
      ? `It stays superseded by ${by}.\n  If it holds again, say the same again with --supersedes ${by}\n`
      : '';
    const lines = `${[what, ...kept, ...redactions(redacted)].join(', ')}\n${replaced}${besides.join('')}`;
    edge.out(json ? `${JSON.stringify(answer)}\n` : lines);
    return 0;
  },
});
