import {
  argumentFields,
  type Call,
  type ContractSchemas,
  type JsonSchema,
  objectOf,
  type Tool,
  whole,
} from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { components, operations } from '../api.gen.ts';
import { checkTool } from './check-tool.ts';
import { historyOf, recentOf, scopeOf, type Tried, triedOf } from './history.ts';
import {
  clockInWords,
  comparisonInWords,
  duration,
  endedOtherwise,
  ofLate,
  range,
  running,
  triedInWords,
  usual,
} from './in-words.ts';
import { OF, orNull, PROJECT_ASKED, TASK_TYPE, TOLD_TASKS } from './tool-fields.ts';

type Schemas = components['schemas'];

const PROJECT = 'The project that it is part of; that of the connection unless given.';
/** Most task types. */
const TOLD_TYPES = 30;

/** What a model may do with time: six tools. */
export function coreTools(schemas: ContractSchemas): Tool<operations>[] {
  return [
    startTool(schemas),
    endTool(schemas),
    expectTool(schemas),
    checkTool(schemas),
    compareTool(schemas),
    nowTool(schemas),
  ];
}

function startTool(schemas: ContractSchemas): Tool<operations> {
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
      const history = await historyOf(call, { task_type: task.task_type, project: given.project });
      const known = history
        ? [`It takes ${usual(history.summary)}, of ${history.of}.`, ...ofLate(await recentOf(call, history))].join(' ')
        : 'No such task has ended ok yet.';
      return {
        data: {
          correlation_id,
          task,
          replayed,
          of: history?.of ?? null,
          summary: history?.summary ?? null,
          ...(redacted && { redacted }),
        },
        text: `${replayed ? 'Started before' : 'Started'}: ${task.task_type} (correlation_id ${correlation_id}). ${known}`,
      };
    },
  };
}

function endTool(schemas: ContractSchemas): Tool<operations> {
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

function expectTool(schemas: ContractSchemas): Tool<operations> {
  return {
    name: 'expect',
    title: 'Expect a duration',
    description:
      'Ask how long a kind of work takes here and which timeout to set, from what was measured: median, p95 with its interval, ' +
      'how many runs failed, a recommended and a conservative timeout. Use it before you set a timeout, wait, or tell the user ' +
      'how long something takes. Where you have no history of your own, that of all agents is answered, else what is like it.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf(
      argumentFields(schemas, 'recommendTimeout', {
        task_type: TASK_TYPE,
        percentile: 'The share of runs that the timeout shall let end (0.95 unless given).',
        safety_margin: 'Factor between that and the timeout, at least 1 (1.2 unless given).',
        project: PROJECT_ASKED,
      }),
    ),
    output: whole({
      task_type: { type: 'string' },
      of: OF,
      summary: orNull(schemas.component('Summary')),
      recommendation: orNull(schemas.component('Recommendation')),
      estimate: orNull(schemas.component('DurationEstimate')),
    }),
    run: async ({ task_type, project, ...advice }, call) => {
      const history = await historyOf(call, { task_type, project });
      if (!history) {
        const { estimate } = (await call('estimateDuration', { task_type, project })).body;
        const known = await call('listTaskTypes', { agent_id: '*', project });
        return withoutHistory(estimate, await triedOf(call, { task_type, project }), known.body.task_types);
      }
      const answer = await call('recommendTimeout', { task_type, ...advice, ...scopeOf(history) });
      const { recommendation } = answer.body;
      const { recommended_seconds, conservative_seconds, confidence, warning } = recommendation;
      const isSafer = conservative_seconds > recommended_seconds;
      const safer = isSafer ? `, conservative: ${duration(conservative_seconds)}` : '';
      const recent = await recentOf(call, history);
      const sentences = [
        `${task_type} takes ${usual(history.summary)}, of ${history.of}.`,
        ...endedOtherwise(history.summary),
        ...ofLate(recent),
        `Recommended timeout: ${duration(recommended_seconds)}${safer} (confidence ${confidence}).`,
        ...(warning === null ? [] : [warning]),
      ];
      return {
        data: { task_type, of: history.of, summary: history.summary, recommendation, estimate: recent },
        text: sentences.join(' '),
      };
    },
  };
}

/** The answer for a task type without history: what became of it, and an estimate from similar types. */
function withoutHistory(estimate: Schemas['DurationEstimate'], tried: readonly Tried[], known: readonly string[]) {
  const { task_type, similar } = estimate;
  const like = similar.map((type) => `${type.task_type} (${duration(type.median_seconds)})`).join(', ');
  const others = known.filter((type) => type !== task_type).slice(0, TOLD_TYPES);
  const sentences = [
    `No task of the type ${task_type} has ended ok yet: start and end one, and set a generous timeout now.`,
    triedInWords(tried),
    likely(estimate, tried),
    like && `Like it: ${like}.`,
    others.length > 0 ? `Other types: ${others.join(', ')}.` : '',
  ];
  return {
    data: { task_type, of: null, summary: null, recommendation: null, estimate },
    text: sentences.filter(Boolean).join(' '),
  };
}

function likely(estimate: Schemas['DurationEstimate'], tried: readonly Tried[]): string {
  const { seconds, source, similar } = estimate;
  if (seconds === null) return '';
  const isCutOff = tried.some(({ outcome, summary }) => outcome !== 'error' && summary.max_seconds >= seconds);
  const isAboutOthers = source === 'similar_names' && similar.length === 0 && !isCutOff;
  return isAboutOthers
    ? `Other work takes ${duration(seconds)} mostly, which says little of this${range(estimate)}.`
    : `It may take ${duration(seconds)}, as far as is known${range(estimate)}.`;
}

function compareTool(schemas: ContractSchemas): Tool<operations> {
  const { properties, required } = schemas.answer('compareApproaches') as Comparable;
  return {
    name: 'compare',
    title: 'Compare ways to do something',
    description:
      'Ask which of several ways to reach a goal is fastest, from measured durations: each way is a list of steps with a task ' +
      'type, and an estimate where there is no history. The answer tells the expected total of each, how likely it is the ' +
      'fastest, and whether the difference means anything. Where your own history tells too little, that of all agents is compared.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf(
      argumentFields(schemas, 'compareApproaches', {
        approaches:
          'Such as [{"name": "full build", "steps": [{"task_type": "build"}, {"task_type": "npm test", "estimated_seconds": 60}]}].',
        project: PROJECT_ASKED,
      }),
    ),
    output: { type: 'object', properties: { ...properties, of: OF }, required: [...required, 'of'] },
    run: async (given, call) => {
      if (Array.isArray(given.approaches) && given.approaches.length < 2)
        throw new InvalidInputError(
          'Give two ways or more in approaches; expect says how long one kind of work takes.',
        );
      const own = (await call('compareApproaches', given)).body;
      const pooled = isThin(own) ? (await call('compareApproaches', { ...given, agent_id: '*' })).body : own;
      const isPooled = isThin(own) && (!isThin(pooled) || stepsWithHistory(pooled) > stepsWithHistory(own));
      const of = isPooled ? 'all agents' : 'this agent';
      const told = isPooled ? pooled : own;
      return { data: { ...told, of }, text: comparisonInWords(told, of) };
    },
  };
}

interface Comparable extends JsonSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required: readonly string[];
}

function isThin({ verdict }: Schemas['Comparison']): boolean {
  return verdict === 'insufficient_data';
}

function stepsWithHistory({ approaches }: Schemas['Comparison']): number {
  return approaches.flatMap(({ steps }) => steps).filter((step) => step.has_historical_data).length;
}

function nowTool(schemas: ContractSchemas): Tool<operations> {
  const { now, unix } = schemas.answer('getNow').properties as Record<'now' | 'unix', JsonSchema>;
  return {
    name: 'now',
    title: 'What time is it',
    description:
      'Ask what day and time it is (UTC), how long ago something was, and which of your tasks are running. Use it after a pause, at the ' +
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
