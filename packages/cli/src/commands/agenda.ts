import { clientsOf } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { given, wholeNumber } from '../input.ts';
import { oneLine, spokenBy } from '../print.ts';

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

export const command = defineCommand({
  name: 'agenda',
  summary: 'What is on on which day, of all that was told',
  usage: '[options]',
  takesWords: false,
  options: {
    from: { type: 'string', value: 'DAY', help: 'the first day (default: today)' },
    to: { type: 'string', value: 'DAY', help: 'the last day' },
    days: { type: 'string', value: 'N', help: 'how many days, at most 62 (default: 14)' },
    by: { type: 'string', value: 'AGENT', help: 'of what this agent told only', fields: ['agent_id'] },
    tag: { type: 'string', value: 'TAG', help: 'with this tag' },
  },
  run: async (invocation) => {
    const { edge, json, values } = invocation;
    const answer = await clientsOf(invocation).memory.getAgenda(
      given({
        from: values.from,
        to: values.to,
        days: wholeNumber(values.days, 'days'),
        agent_id: values.by,
        tag: values.tag,
      }),
    );
    if (json) edge.out(`${JSON.stringify(answer)}\n`);
    else
      edge.out(
        linesOf(answer)
          .map((line) => `${line}\n`)
          .join(''),
      );
    return 0;
  },
});

type Agenda = Awaited<ReturnType<ReturnType<typeof clientsOf>['memory']['getAgenda']>>;
type Entry = Agenda['days'][number]['memories'][number];

function linesOf({ first_day, last_day, days, months }: Agenda): string[] {
  const parts = [
    ...days.map(({ day, ...part }) => ({ ...part, heading: `${day} ${WEEKDAY.format(new Date(day))}`, noteOn })),
    ...months.map(({ month, ...part }) => ({ ...part, heading: `${month} as a whole`, noteOn: noteInMonth })),
  ];
  if (parts.length === 0) return [`Nothing that was told names a day from ${first_day} to ${last_day}.`];
  return parts.flatMap(({ heading, memories, total, noteOn: note }) => [
    heading,
    ...memories.map((entry) => `  ${entry.id}  ${spokenBy(entry)}${note(entry)}: ${oneLine(entry.text)}`),
    ...(total > memories.length ? [`  and ${total - memories.length} more`] : []),
  ]);
}

/** Of which time it is a day. */
function noteOn({ first_day, last_day, recurring, called_off }: Entry): string {
  return noted([
    ...(called_off ? ['called off'] : []),
    ...(recurring ? ['repeats'] : []),
    ...(first_day < last_day ? [`${first_day} to ${last_day}`] : []),
  ]);
}

/** Of which time it is a month. */
function noteInMonth({ first_day, last_day, called_off }: Entry): string {
  const isLonger = first_day.slice(0, 7) !== last_day.slice(0, 7);
  return noted([...(called_off ? ['called off'] : []), ...(isLonger ? [`${first_day} to ${last_day}`] : [])]);
}

function noted(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}
