import {
  argumentFields,
  type ContractSchemas,
  type JsonSchema,
  objectOf,
  type Tool,
  whole,
} from '@agent-faculties/mcp-kit';
import { timeZoneName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { clockInWords, duration, localTime, running } from './in-words.ts';
import { PROJECT_ASKED, TOLD_TASKS } from './tool-fields.ts';

export function nowTool(schemas: ContractSchemas): Tool<operations> {
  const { now, unix } = schemas.answer('getNow').properties as Record<'now' | 'unix', JsonSchema>;
  return {
    name: 'now',
    title: 'What time is it',
    description:
      'Ask what day and time it is (in UTC and where the server is), how long ago something was, and which of your tasks are running. Use it after a pause, at the ' +
      'start of a conversation, and before you write a date: you have no clock of your own.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf({
      since: {
        schema: { type: 'string', description: 'An instant (ISO 8601): the answer tells how long ago it was.' },
        required: false,
      },
      ...argumentFields(schemas, 'listActiveTasks', { project: PROJECT_ASKED }),
    }),
    output: whole({
      now,
      unix,
      local_time: {
        type: 'string',
        description: 'The day and the time in time_zone, such as Saturday 2026-11-28 20:00',
      },
      time_zone: { type: 'string', description: 'That of the server, as an IANA name' },
      elapsed_seconds: {
        type: ['number', 'null'],
        description: 'Since the instant that was given; negative for one to come',
      },
      active_tasks: {
        type: 'array',
        items: whole({
          task_type: { type: ['string', 'null'] },
          correlation_id: { type: ['string', 'null'] },
          timestamp: now,
          elapsed_seconds: { type: 'number' },
        }),
      },
    }),
    run: async ({ since, project }, call) => {
      const clock = (await call('getNow')).body;
      const elapsed = since === undefined ? null : (await call('getElapsed', { since })).body.elapsed_seconds;
      const { active_tasks } = (await call('listActiveTasks', { project })).body;
      const told = active_tasks.slice(0, TOLD_TASKS);
      const more = active_tasks.length > told.length ? [`and ${active_tasks.length - told.length} more`] : [];
      const lines = [
        `${clockInWords(clock.now)}${elapsed === null ? '' : ` ${distance(elapsed, since)}`}`,
        ...(told.length === 0
          ? ['None of your tasks is running.']
          : ['Running:', ...told.map((task) => `- ${running(task)}`), ...more]),
      ];
      return {
        data: {
          ...clock,
          local_time: localTime(clock.now),
          time_zone: timeZoneName(),
          elapsed_seconds: elapsed,
          active_tasks: told.map(({ task_type, correlation_id, timestamp, elapsed_seconds }) => ({
            task_type,
            correlation_id,
            timestamp,
            elapsed_seconds,
          })),
        },
        text: lines.join('\n'),
      };
    },
  };
}

function distance(elapsed: number, since: unknown): string {
  return elapsed < 0 ? `${since} is in ${duration(-elapsed)}.` : `That is ${duration(elapsed)} after ${since}.`;
}
