import {
  argumentFields,
  type Call,
  type ContractSchemas,
  type JsonSchema,
  objectOf,
  type Tool,
} from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { components, operations } from '../api.gen.ts';
import { elsewhereOf, type History, historyOf, recentOf } from './history.ts';
import { duration, elsewhere, ofLate, running, usual } from './in-words.ts';
import { OF, orNull, TASK_TYPE } from './tool-fields.ts';

type Task = components['schemas']['Task'];

const PROJECT = 'The project that it is part of; that of the connection unless given.';

export function startTool(schemas: ContractSchemas): Tool<operations> {
  const fields = schemas.answer('startTask').properties as Record<string, JsonSchema>;
  return {
    name: 'start',
    title: 'Start a task',
    description:
      'Say that you begin a piece of work, so that its duration is learnt, and hear how long such work takes here. Call it ' +
      'before a build, a test run, a download, a search or anything else of more than a few seconds; keep the correlation_id of ' +
      'the answer for end and check. With a correlation_id of your own the call may be repeated.',
    role: 'agent-rw',
    effect: 'adds',
    input: objectOf(
      argumentFields(schemas, 'startTask', {
        task_type: TASK_TYPE,
        estimated_seconds: 'How long you think it will take: your estimates are compared with what came of them.',
        correlation_id: 'Your own id of this run, such as the id of a tool call; one is made unless given.',
        metadata: 'Anything that should stand beside it, such as the command.',
        timestamp: 'When it began, where you tell of it later; now unless given.',
        project: PROJECT,
      }),
    ),
    output: objectOf({
      correlation_id: { schema: fields.correlation_id as JsonSchema, required: true },
      task: { schema: fields.task as JsonSchema, required: true },
      replayed: { schema: { type: 'boolean', description: 'It was started before' }, required: true },
      of: { schema: OF, required: true },
      summary: { schema: orNull(schemas.component('Summary')), required: true },
      redacted: { schema: schemas.component('Redacted'), required: false },
    }),
    run: async (given, call) => {
      const { correlation_id, task, replayed, redacted } = (await call('startTask', given)).body;
      const { task_type } = task;
      const history = await historyOf(call, { task_type, project: given.project });
      const known = history
        ? [`It takes ${usual(history.summary)}, of ${history.of}.`, ...ofLate(await recentOf(call, history))]
        : ['No such task has ended ok yet.', elsewhere(await elsewhereOf(call, task_type), 'other projects')];
      const forgotten = history ? await forgottenOf(call, { task, history }) : '';
      return {
        data: {
          correlation_id,
          task,
          replayed,
          of: history?.of ?? null,
          summary: history?.summary ?? null,
          ...(redacted && { redacted }),
        },
        text: [startInWords(task, replayed), ...known, forgotten].filter(Boolean).join(' '),
      };
    },
  };
}

/** A run of the type that the agent has left open counts against every timeout, and makes an end by the type ambiguous. */
async function forgottenOf(
  call: Call<operations>,
  { task, history: { summary, project } }: { readonly task: Task; readonly history: History },
): Promise<string> {
  const { active_tasks } = (await call('listActiveTasks', { task_type: summary.task_type, project })).body;
  const oldest = active_tasks.findLast(({ correlation_id }) => correlation_id !== task.correlation_id);
  if (!oldest || oldest.elapsed_seconds <= FORGOTTEN_AFTER * summary.p95_seconds) return '';
  return `Still open: ${running(oldest)}. If it is over, end it as cancelled, since nobody knows when it ended.`;
}

/** Times the p95, after which an open run of the agent is more likely forgotten than slow. */
const FORGOTTEN_AFTER = 10;

/** Who uses the id of a run again, as of a job that is tried anew, would take the run before for this one. */
function startInWords(task: Task, replayed: boolean): string {
  const { task_type, correlation_id, state, outcome, started_at, elapsed_seconds } = task;
  const named = `${task_type} (correlation_id ${correlation_id})`;
  if (state === 'ended')
    return `Nothing was started: ${named} has ended before (${outcome}, ${duration(elapsed_seconds)}). Give another correlation_id to time another run.`;
  // Of a start that is told of later: local time without its offset, west of Greenwich, lies hours back as UTC.
  const since = `${started_at.slice(0, 16).replace('T', ' ')} UTC`;
  const ago = elapsed_seconds < LEAST_AGO_SECONDS ? '' : `, ${duration(elapsed_seconds)} ago (${since})`;
  return `${replayed ? 'Started before' : 'Started'}: ${named}${ago}.`;
}

const LEAST_AGO_SECONDS = 60;

export function endTool(schemas: ContractSchemas): Tool<operations> {
  return {
    name: 'end',
    title: 'End a task',
    description:
      'Say that a piece of work is over, how it went, and hear how long it took. End failures too: error where it failed, ' +
      'timeout where it was cut off, cancelled where you gave it up. Repeating it is safe. Give the correlation_id from start, ' +
      'or the task_type of your only running task of that type.',
    role: 'agent-rw',
    effect: 'adds',
    input: objectOf(
      argumentFields(
        schemas,
        'endTask',
        {
          task_type: 'As at its start; known where the correlation_id is given.',
          correlation_id: 'From start.',
          outcome: 'ok (the default), error, timeout or cancelled.',
          metadata: 'Anything that should stand beside it, such as what failed.',
          timestamp: 'When it ended, where you tell of it later; now unless given.',
          project: PROJECT,
        },
        { optional: ['task_type'] },
      ),
    ),
    output: schemas.answer('endTask'),
    run: async (given, call) => {
      const task_type = given.task_type ?? (await startedType(given, call));
      const { body } = await call('endTask', { ...given, task_type });
      const { task, duration_seconds, replayed } = body;
      const { estimated_seconds } = task;
      const estimate = estimated_seconds === null ? '' : `; your estimate was ${duration(estimated_seconds)}`;
      return {
        data: body,
        text: replayed
          ? `${task.task_type} had ended before (${task.outcome}, ${duration(duration_seconds)}): nothing was changed.`
          : `${task.task_type} took ${duration(duration_seconds)} (${task.outcome})${estimate}.`,
      };
    },
  };
}

/** The type of the task that the id names. @throws InvalidInputError without an id */
async function startedType(
  { correlation_id, project }: Parameters<Tool<operations>['run']>[0],
  call: Call<operations>,
): Promise<string> {
  if (correlation_id === undefined)
    throw new InvalidInputError('Give the correlation_id from start, or the task_type of a running task.');
  return (await call('getTask', { correlation_id, project })).body.task.task_type;
}
