import { argumentFields, type Call, type ContractSchemas, objectOf, type Tool, whole } from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { components, operations } from '../api.gen.ts';
import { elsewhereOf, type History, historyOf, nullWithoutHistory, scopeOf, triedOf } from './history.ts';
import { duration, elsewhere, running, runs, triedInWords } from './in-words.ts';
import { OF, orNull, PROJECT_ASKED, TASK_TYPE, TOLD_TASKS } from './tool-fields.ts';

type Schemas = components['schemas'];

export function checkTool(schemas: ContractSchemas): Tool<operations> {
  return {
    name: 'check',
    title: 'Check a running task',
    description:
      'Ask whether something that is running will make its timeout, and how much longer it takes: the probability that it runs ' +
      'past the timeout, given that it has run for so long, and the expected rest. Use it while you wait, before you cut ' +
      'something off or wait on. Give the correlation_id from start, or the task_type: of your only ' +
      'running task of that type, or with elapsed_seconds.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf({
      correlation_id: { schema: { type: 'string', description: 'Of the running task, from start.' }, required: false },
      ...argumentFields(
        schemas,
        'checkTimeout',
        {
          task_type: TASK_TYPE,
          elapsed_seconds: 'How long it has run; known where it was started with start.',
          timeout_seconds: 'When it will be cut off, in seconds from its start; the recommended timeout unless given.',
          project: PROJECT_ASKED,
        },
        { optional: ['task_type', 'elapsed_seconds', 'timeout_seconds'] },
      ),
    }),
    output: whole({
      task_type: { type: 'string' },
      state: { type: ['string', 'null'], description: 'active, ended or abandoned; null without a correlation_id' },
      of: OF,
      risk: orNull(schemas.component('Risk')),
    }),
    run: checked,
  };
}

type Given = Parameters<Tool<operations>['run']>[0];

async function checked({ correlation_id, timeout_seconds, project, ...given }: Given, call: Call<operations>) {
  const task =
    correlation_id === undefined
      ? await onlyRunning(call, { ...given, project })
      : (await call('getTask', { correlation_id, project })).body.task;
  const task_type = task?.task_type ?? given.task_type;
  const elapsed_seconds = task?.elapsed_seconds ?? given.elapsed_seconds;
  if (task_type === undefined || elapsed_seconds === undefined) {
    throw new InvalidInputError(
      'Give the task_type or the correlation_id of a running task, or a task_type with elapsed_seconds.',
    );
  }
  const state = task?.state ?? null;
  const unknown = { task_type, state, of: null, risk: null };
  if (task && state === 'ended') {
    const how = `${state}, ${task.outcome}, ${duration(task.elapsed_seconds)}`;
    return { data: unknown, text: `${task_type} is not running any more (${how}).` };
  }
  const givenUp = state === 'abandoned' ? GIVEN_UP : '';
  const history = await historyOf(call, { task_type, project });
  if (!history) {
    // It knows nothing of the type, and refuses what means nothing.
    await nullWithoutHistory(
      call('checkTimeout', { task_type, elapsed_seconds, timeout_seconds: timeout_seconds ?? 1, project }),
    );
    const tried = triedInWords(await triedOf(call, { task_type, project }));
    const text = `${task_type} has run for ${duration(Number(elapsed_seconds))}. No such task has ended ok yet, so nothing tells how long it takes.`;
    const inOthers = elsewhere(await elsewhereOf(call, task_type), 'other projects');
    return { data: unknown, text: [text, tried, inOthers, givenUp].filter(Boolean).join(' ') };
  }
  const scope = { task_type, ...scopeOf(history) };
  const timeout = timeout_seconds ?? (await call('recommendTimeout', scope)).body.recommendation.recommended_seconds;
  const { risk } = (await call('checkTimeout', { ...scope, elapsed_seconds, timeout_seconds: timeout })).body;
  const known = { task_type: history.summary.task_type, of: history.of };
  const told = { ...known, isOwnTimeout: timeout_seconds !== undefined };
  return { data: { ...known, state, risk }, text: [riskInWords(risk, told), givenUp].filter(Boolean).join(' ') };
}

interface Told {
  readonly task_type: string;
  readonly of: History['of'];
  /** Whether the timeout was given; else it is the recommended one, which nobody may have set. */
  readonly isOwnTimeout: boolean;
}

function riskInWords(risk: Schemas['Risk'], { task_type, of, isOwnTimeout }: Told): string {
  const {
    risk_probability,
    risk_level,
    expected_remaining_seconds,
    beyond_history,
    sample_count,
    longer_runs,
    warning,
  } = risk;
  const { median } = expected_remaining_seconds;
  const known = `risk ${risk_level}, confidence ${risk.confidence}; ${runs(sample_count)}, of ${of}`;
  const ran = `${task_type} has run for ${duration(risk.elapsed_seconds)}`;
  const timeout = duration(risk.timeout_seconds);
  const sentences = [
    ...(risk.time_remaining <= 0
      ? [`${ran}, past ${isOwnTimeout ? 'its' : 'the recommended'} timeout of ${timeout} (${known}).`]
      : [
          `${ran}, of ${isOwnTimeout ? '' : 'the recommended '}${timeout}.`,
          `It runs past that with a probability of ${Math.round(risk_probability * 100)} % (${known}).`,
        ]),
    ...(median === null ? [] : [`It needs ${duration(median)} more mostly.`]),
    ...(beyond_history ? [longer_runs.error > 0 ? FAILED : BEYOND] : median === null ? [CUT_OFF] : []),
    ...failedLater(longer_runs),
    ...(warning === undefined ? [] : [warning]),
  ];
  return sentences.join(' ');
}

/** Of a long task the service knows only that nobody has ended it. */
const GIVEN_UP =
  'It counts as forgotten by now: if it still runs, end it when it is over, and that counts all the same.';

const CUT_OFF = 'Most runs that came this far were cut off, or still run: see whether it still does something.';

const FAILED = 'No run that ended ok has lasted as long as this one.';

const BEYOND =
  'No run has ever lasted as long as this one: see whether it still does something before you wait any longer.';

/** "Of 13 runs that came this far and ended, 12 failed." Empty where none failed. */
function failedLater({ ok, error }: Schemas['LongerRuns']): readonly string[] {
  if (error === 0) return [];
  return [`Of ${runs(ok + error)} that came this far and ended, ${error} failed.`];
}

/** What to do where none runs; the newest abandoned one may run all the same. */
function adviceBeside(abandoned: Schemas['Task'] | undefined): string {
  if (!abandoned) return ': start one first';
  const { started_at, correlation_id } = abandoned;
  const began = `${started_at.slice(0, 16).replace('T', ' ')} UTC`;
  return `, but one that began at ${began} counts as forgotten: give its correlation_id ${correlation_id}, start one first`;
}

/** The task of the type that runs, where no time is given. @throws InvalidInputError where none or several run */
async function onlyRunning(
  call: Call<operations>,
  { task_type, elapsed_seconds, project }: Readonly<Record<string, unknown>>,
): Promise<Schemas['Task'] | null> {
  if (task_type === undefined || elapsed_seconds !== undefined) return null;
  const { active_tasks } = (await call('listActiveTasks', { task_type, project })).body;
  const [only, ...others] = active_tasks;
  if (!only) {
    const { tasks } = (await call('listTasks', { task_type, project, state: 'abandoned', limit: 1 })).body;
    throw new InvalidInputError(
      `No task of yours of the type ${task_type} is running${adviceBeside(tasks[0])}, or give elapsed_seconds.`,
    );
  }
  if (others.length > 0) {
    const told = active_tasks.slice(0, TOLD_TASKS).map(running).join('; ');
    throw new InvalidInputError(`Several are running: give the correlation_id of one. ${told}.`);
  }
  return (await call('getTask', { correlation_id: only.correlation_id, project })).body.task;
}
