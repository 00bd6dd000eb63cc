import { type ContractSchemas, type JsonSchema, operationTool, type Tool, whole } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { agendaAnswer, ENTRY_FIELDS, mostOfADay } from './agenda-answer.ts';
import { PROJECT_ASKED } from './tool-fields.ts';

export function agendaTool(schemas: ContractSchemas): Tool<operations> {
  return operationTool(schemas, {
    name: 'agenda',
    title: 'Agenda',
    description:
      'List what is on, day by day, of all that was ever told: appointments, deadlines, absences, rotas, what repeats. Use it to ' +
      'plan, and for what is coming up; recall answers a question about one thing. What was superseded or has ended is left out, and so are ' +
      'days that nothing names. Days are those of its time zone. A long answer ends with what it leaves off and how to ask for that.',
    role: 'agent-ro',
    effect: 'reads',
    operationId: 'getAgenda',
    arguments: {
      from: 'The first day (YYYY-MM-DD); today unless given.',
      to: 'The last day, at most 62 days with it. Either to or days.',
      days: 'How many days; 14 unless to or this is given.',
      project: PROJECT_ASKED,
    },
    output: outputOf(schemas),
    values: (given) => ({ limit: mostOfADay(given), ...given }),
    answer: ({ body }) => agendaAnswer(body),
  });
}

/** What the operation answers, with less of each memory. */
function outputOf(schemas: ContractSchemas): JsonSchema {
  const { days, months, ...asked } = schemas.fieldsOf('Agenda', [
    'time_zone',
    'first_day',
    'last_day',
    'days',
    'months',
  ]);
  const memories = { type: 'array', items: whole(schemas.fieldsOf('AgendaEntry', ENTRY_FIELDS)) };
  const brief = (parts: JsonSchema | undefined) => ({
    ...parts,
    items: { ...parts?.items, properties: { ...parts?.items?.properties, memories } },
  });
  const left_off = { type: ['string', 'null'], description: 'What does not fit, and how to ask for it' };
  return whole({ ...asked, days: brief(days), months: brief(months), left_off });
}
