import {
  argumentFields,
  type Call,
  type ContractSchemas,
  type JsonSchema,
  OperationProblem,
  objectOf,
  operationTool,
  type Tool,
} from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { NO_HISTORY } from './history.ts';

/**
 * The nineteen tools of OpenTime 0.2 under their names and with their arguments, for whoever has prompts written for them. They
 * answer with the bodies of the REST API, and where there is no history with null and a message.
 */
export function opentimeTools(schemas: ContractSchemas): Tool<operations>[] {
  const reads = { role: 'agent-ro', effect: 'reads' } as const;
  const adds = { role: 'agent-rw', effect: 'adds' } as const;
  const changes = { role: 'agent-rw', effect: 'changes' } as const;
  const name = { name: 'Of the stopwatch.' };
  return [
    operationTool(schemas, {
      ...reads,
      name: 'clock_now',
      title: 'Now',
      description: 'Tell the current time (UTC), as ISO 8601 and as seconds since 1970.',
      operationId: 'getNow',
      arguments: {},
    }),
    operationTool(schemas, {
      ...reads,
      name: 'clock_elapsed_since',
      title: 'Elapsed since',
      description: 'Tell how many seconds have passed since an instant; negative for one to come.',
      operationId: 'getElapsed',
      arguments: { since: 'The instant (ISO 8601).' },
      renamed: { since: 'timestamp' },
    }),
    operationTool(schemas, {
      ...changes,
      name: 'stopwatch_start',
      title: 'Start a stopwatch',
      description: 'Start a stopwatch by its name; starting it again resets it. It goes on over restarts.',
      operationId: 'startStopwatch',
      arguments: name,
    }),
    operationTool(schemas, {
      ...reads,
      name: 'stopwatch_read',
      title: 'Read a stopwatch',
      description: 'Tell how many seconds a stopwatch shows, and whether it is running.',
      operationId: 'getStopwatch',
      arguments: name,
    }),
    operationTool(schemas, {
      ...adds,
      name: 'stopwatch_stop',
      title: 'Stop a stopwatch',
      description: 'Stop a stopwatch and tell what it shows; a second stop changes nothing.',
      operationId: 'stopStopwatch',
      arguments: name,
    }),
    operationTool(schemas, {
      ...changes,
      name: 'stopwatch_delete',
      title: 'Delete a stopwatch',
      description: 'Delete one of your stopwatches. What it showed is gone.',
      operationId: 'deleteStopwatch',
      arguments: name,
    }),
    operationTool(schemas, {
      ...reads,
      name: 'stopwatch_list',
      title: 'List stopwatches',
      description: 'List your stopwatches with what they show, oldest first.',
      operationId: 'listStopwatches',
      arguments: {},
    }),
    operationTool(schemas, {
      ...adds,
      name: 'event_record',
      title: 'Record an event',
      description: 'Record that something happened, with a type, a task type and anything else as metadata.',
      operationId: 'recordEvent',
      arguments: {
        event_type: 'What happened, such as deploy.',
        task_type: true,
        metadata: true,
        correlation_id: true,
      },
    }),
    operationTool(schemas, {
      ...adds,
      name: 'event_task_start',
      title: 'Start a task',
      description:
        'Record that a task starts, before anything that takes more than a few seconds. Keep the correlation_id of the answer ' +
        'for event_task_end.',
      operationId: 'startTask',
      arguments: {
        task_type: 'The kind of work, always in the same words.',
        metadata: true,
        estimated_seconds: true,
        correlation_id: 'Your own id of this run; one is made unless given.',
      },
    }),
    operationTool(schemas, {
      ...adds,
      name: 'event_task_end',
      title: 'End a task',
      description: 'Record that a task ends, how it went, and get its duration. Repeating it is safe.',
      operationId: 'endTask',
      arguments: {
        task_type: 'As at its start.',
        correlation_id: 'From event_task_start; without it the only running task of that type ends.',
        outcome: 'ok (the default), error, timeout or cancelled.',
        metadata: true,
      },
    }),
    operationTool(schemas, {
      ...reads,
      name: 'event_list',
      title: 'List events',
      description: 'List your events, newest first, by type, task type and time.',
      operationId: 'listEvents',
      arguments: { event_type: true, task_type: true, since: true, limit: true, cursor: true },
    }),
    operationTool(schemas, {
      ...reads,
      name: 'event_get',
      title: 'Get an event',
      description: 'Read one event by its id.',
      operationId: 'getEvent',
      arguments: { event_id: 'From the answer that recorded it.' },
    }),
    operationTool(schemas, {
      ...reads,
      name: 'event_active_tasks',
      title: 'Active tasks',
      description: 'List your tasks that are running, with how long each has run.',
      operationId: 'listActiveTasks',
      arguments: { task_type: 'Only of this type.' },
    }),
    orMessage(schemas, {
      name: 'stats_duration',
      title: 'Durations of a task type',
      description: 'Tell how long tasks of a type take: count, mean, median, p95 and more.',
      operationId: 'getSummary',
      field: 'summary',
      arguments: { task_type: true },
    }),
    operationTool(schemas, {
      ...reads,
      name: 'stats_list_task_types',
      title: 'Task types',
      description: 'List every task type that you have named.',
      operationId: 'listTaskTypes',
      arguments: {},
    }),
    operationTool(schemas, {
      ...reads,
      name: 'stats_all',
      title: 'Durations of all task types',
      description: 'Tell how long tasks take, for each type that has history.',
      operationId: 'listSummaries',
      arguments: {},
    }),
    orMessage(schemas, {
      name: 'stats_recommend_timeout',
      title: 'Recommend a timeout',
      description: 'Recommend a timeout for a task type, from its history: a percentile times a safety margin.',
      operationId: 'recommendTimeout',
      field: 'recommendation',
      arguments: { task_type: true, percentile: true, safety_margin: true },
    }),
    orMessage(schemas, {
      name: 'stats_check_timeout',
      title: 'Check a timeout',
      description:
        'Tell whether a running task is at risk to run past its timeout, from the history of its type. risk_level says how likely ' +
        'that is; at_risk only that it is beyond the median and less than a fifth of the timeout is left.',
      operationId: 'checkTimeout',
      field: 'risk',
      arguments: {
        task_type: true,
        elapsed_seconds: 'How long it has run.',
        timeout_seconds: 'When it will be cut off.',
      },
    }),
    compareTool(schemas),
  ];
}

interface Statistic {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operationId: 'getSummary' | 'recommendTimeout' | 'checkTimeout';
  /** The field of the answer that becomes null. */
  readonly field: string;
  readonly arguments: Readonly<Record<string, string | true>>;
}

/** No history is no error here: the field is null, and a message says why. */
function orMessage(
  schemas: ContractSchemas,
  { operationId, field, arguments: explained, ...tool }: Statistic,
): Tool<operations> {
  const found = schemas.answer(operationId).properties?.[field] as JsonSchema;
  return {
    ...tool,
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf(argumentFields(schemas, operationId, explained)),
    output: objectOf({
      [field]: { schema: { anyOf: [found, { type: 'null' }] }, required: true },
      message: { schema: { type: 'string' }, required: false },
    }),
    run: async (given, call) => {
      try {
        return { data: (await call(operationId, given)).body };
      } catch (error) {
        if (!(error instanceof OperationProblem) || error.problem.code !== NO_HISTORY) throw error;
        return { data: { [field]: null, message: error.problem.detail } };
      }
    },
  };
}

/** Takes the approaches as a JSON string too, as OpenTime does. */
function compareTool(schemas: ContractSchemas): Tool<operations> {
  const { approaches } = argumentFields(schemas, 'compareApproaches', {
    approaches: 'As JSON: [{"name": "...", "steps": [{"task_type": "...", "estimated_seconds": 60}]}].',
  }) as { approaches: { schema: JsonSchema; required: boolean } };
  return {
    name: 'stats_compare_approaches',
    title: 'Compare approaches',
    description: 'Tell which of several approaches is fastest, from the history of their steps.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf({
      approaches: {
        ...approaches,
        schema: {
          anyOf: [{ type: 'string' }, approaches.schema],
          description: approaches.schema.description as string,
        },
      },
    }),
    output: schemas.answer('compareApproaches'),
    run: async ({ approaches: given }, call: Call<operations>) => {
      const { body } = await call('compareApproaches', {
        approaches: typeof given === 'string' ? parsed(given) : given,
      });
      return { data: body };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInputError('approaches is not JSON: send an array of {"name", "steps": [{"task_type"}]}.');
  }
}
