import type { TimingSchemas } from '@agent-faculties/client';
import { timeZoneName } from '@agent-faculties/service-kit';
import { type Clients, clientsOf } from '../clients.ts';
import { defineCommand, type Invocation, UsageError } from '../command.ts';
import { choice, given, refuseOptionsOf, wholeNumber } from '../input.ts';
import { count, counted, duration, oneLine, sayWaiting, table } from '../print.ts';
import { estimate } from '../timing/estimate.ts';
import { ALL_AGENTS, inWordsOfTheCommand, nothing, type Of, p95Of } from '../timing/in-words.ts';

type Schemas = TimingSchemas['schemas'];

const BY = ['day', 'agent', 'project', 'session', 'task_type', 'outcome'] as const;
const DEFAULT_BY = 'day,task_type';
const DEFAULT_DAYS = 7;
/** A service tells the time of so many single days. */
const MOST_SINGLE_DAYS = 400;
/** A hundred years, so that the first of them is a day. */
const MOST_DAYS = 36_525;

const OPTIONS = {
  'all-agents': { type: 'boolean', short: 'a', help: 'over the tasks of all agents' },
  elapsed: {
    type: 'string',
    value: 'SECONDS',
    help: 'estimate: how long it has run already; wants --timeout',
    fields: ['elapsed_seconds'],
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    help: 'estimate: its timeout, to hear whether it will make it',
    fields: ['timeout_seconds'],
  },
  by: {
    type: 'string',
    value: 'WHAT',
    help: `spent: ${BY.join(', ')}, or two of them (default day,task_type)`,
    fields: ['group_by', 'then_by'],
  },
  days: { type: 'string', value: 'N', help: 'spent: the last N days, today included (default 7)' },
  think: {
    type: 'string',
    value: 'SECONDS',
    help: 'estimate: what you think yourself, for a type without history',
    fields: ['estimated_seconds'],
  },
} as const;

const OF_SPENT = ['by', 'days'];
const OF_ESTIMATE = ['elapsed', 'timeout', 'think'];
/** The options that each form does not take. */
const OTHERS = new Map([
  ['stats', [...OF_SPENT, ...OF_ESTIMATE]],
  ['spent', OF_ESTIMATE],
  ['watch', [...OF_SPENT, ...OF_ESTIMATE]],
  ['estimate', OF_SPENT],
]);

export const command = defineCommand({
  name: 'timing',
  summary: 'How long things take: stats, where the time went, what runs, estimate a task type',
  usage: 'stats [TYPE] | spent [TYPE] | watch | estimate TYPE [options]',
  options: OPTIONS,
  run: async (invocation) => {
    const [what = '', ...rest] = invocation.positionals;
    const clients = clientsOf(invocation);
    const agent_id = invocation.values['all-agents'] ? ALL_AGENTS : (invocation.settings.agentId ?? undefined);
    const of = agent_id === undefined ? {} : { agent_id };
    const type = rest.join(' ');
    refuseOptionsOf(`timing ${what}`, OTHERS.get(what) ?? [], invocation.values);
    try {
      if (what === 'stats') return await stats(invocation, clients, of, type);
      if (what === 'spent') return await spent(invocation, clients, of, type);
      if (what === 'watch' && type === '') return await watch(invocation, clients, of);
      if (what === 'estimate' && type !== '') return await estimate(invocation, clients, of, type);
    } catch (error) {
      throw inWordsOfTheCommand(error);
    }
    throw new UsageError('Write timing stats [TYPE], timing spent [TYPE], timing watch, or timing estimate TYPE.');
  },
});

type Call = Pick<Invocation<typeof OPTIONS>, 'edge' | 'json' | 'settings' | 'values'>;

async function stats({ edge, json, settings }: Call, { timing }: Clients, of: Of, type: string): Promise<number> {
  if (type !== '') {
    const { summary } = await timing.getSummary({ task_type: type, ...of });
    edge.out(json ? `${JSON.stringify({ summaries: [summary] })}\n` : statsTable([row(summary)]));
    return 0;
  }
  const { summaries, without_ok } = await timing.listSummaries(of);
  const rows = [...summaries.map(row), ...without_ok.filter(hasEnded).map(rowWithoutOk)];
  if (json) edge.out(`${JSON.stringify({ summaries, without_ok })}\n`);
  else if (rows.length === 0) edge.out(`${nothing(of, settings.project, 'has ended yet')}\n`);
  else edge.out(statsTable(rows));
  return 0;
}

function statsTable(rows: readonly string[][]): string {
  return table([['task type', 'runs', 'median', 'p95', 'longest', 'failed'], ...rows]);
}

/** A type of which no task has ended ok. */
type WithoutOk = Pick<Schemas['Summary'], 'task_type' | 'outcomes'>;

function hasEnded({ outcomes: { error, timeout, cancelled } }: WithoutOk): boolean {
  return error + timeout + cancelled > 0;
}

/** How long success takes, nobody knows. */
function rowWithoutOk({ task_type, outcomes }: WithoutOk): string[] {
  return [oneLine(task_type, 60), '0', '', '', '', failedOf(outcomes)];
}

function row(summary: Schemas['Summary']): string[] {
  const { task_type, count: runs, median_seconds, max_seconds, outcomes } = summary;
  const times = [duration(median_seconds), p95Of(summary), duration(max_seconds)];
  return [oneLine(task_type, 60), count(runs), ...times, failedOf(outcomes)];
}

function failedOf({ error, timeout }: Schemas['Summary']['outcomes']): string {
  return error + timeout === 0 ? '' : count(error + timeout);
}

/** Days are those of the machine. */
async function spent(
  { edge, json, settings, values }: Call,
  { timing }: Clients,
  of: Of,
  type: string,
): Promise<number> {
  const [first, second, ...others] = (values.by ?? DEFAULT_BY).split(',');
  if (others.length > 0) throw new UsageError('--by takes two at most.');
  const group_by = choice(first, 'by', BY);
  const then_by = choice(second, 'by', BY);
  const most = group_by === 'day' || then_by === 'day' ? MOST_SINGLE_DAYS : MOST_DAYS;
  const days = wholeNumber(values.days, 'days', { most }) ?? DEFAULT_DAYS;
  const { time_spent } = await timing.getTimeSpent({
    ...given({ group_by, then_by, task_type: type === '' ? undefined : type }),
    since: startOfDays(edge.clock.now(), days),
    time_zone: timeZoneName(),
    ...of,
  });
  if (json) edge.out(`${JSON.stringify({ time_spent })}\n`);
  else if (time_spent.total.tasks === 0)
    edge.out(`${nothing(of, settings.project, `ran in the last ${counted(days, 'day')}`)}\n`);
  else edge.out(spentTable(time_spent, [group_by, then_by]));
  return 0;
}

/** The midnight with which `count` days begin, of which today is the last. */
function startOfDays(nowMs: number, count: number): string {
  const start = new Date(nowMs);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - count + 1);
  return start.toISOString();
}

type SpentBy = (typeof BY)[number] | undefined;

function spentTable({ total, groups }: Schemas['TimeSpent'], by: readonly SpentBy[]): string {
  const names = by.filter((one) => one !== undefined);
  const cells = (
    of: string[],
    { tasks, spent_seconds, busy_seconds, running_seconds, outcomes }: Schemas['TaskTimes'],
  ) => {
    const times = [spent_seconds, busy_seconds, running_seconds].map((seconds) =>
      seconds === 0 ? '' : duration(seconds),
    );
    return [...of, count(tasks), ...times, failedOf(outcomes)];
  };
  return table([
    [...names.map((name) => name.replace('_', ' ')), 'tasks', 'spent', 'busy', 'of it running', 'failed'],
    ...groups.map((group) =>
      cells(
        names.map((name) => nameOf(group, name)),
        group,
      ),
    ),
    cells(
      names.map((_, index) => (index === 0 ? 'in all' : '')),
      total,
    ),
  ]);
}

function nameOf(group: Schemas['TimeSpent']['groups'][number], by: (typeof BY)[number]): string {
  const name = by === 'agent' ? group.agent_id : group[by];
  return name == null ? 'none' : oneLine(name, 60);
}

/** Prints a line for each task that starts or ends, until Ctrl-C. */
async function watch({ edge, json }: Call, { timing }: Clients, of: Of): Promise<number> {
  const { active_tasks } = await timing.listActiveTasks(of);
  for (const { task_type, agent_id, elapsed_seconds, timestamp } of active_tasks.toReversed()) {
    if (!json)
      edge.out(`${clockTime(timestamp)}  ${agent_id}  ${task_type}  has run for ${duration(elapsed_seconds)}\n`);
  }
  const whose = of.agent_id === ALL_AGENTS ? 'all agents' : 'this agent (--all-agents: of all)';
  sayWaiting(edge, `the tasks of ${whose}`);
  for await (const message of timing.streamEvents(of, { signal: edge.signal })) {
    if (json) edge.out(`${JSON.stringify(message)}\n`);
    else edge.out(linesOf(message.data as Message));
  }
  return 0;
}

/** Of those of the stream that speak of tasks. */
type Message = Partial<{ event: Schemas['Event']; task: Schemas['Task'] | null; abandoned: Schemas['Task'][] }>;

function linesOf({ event, task, abandoned = [] }: Message): string {
  if (event) return lineOf(event, task);
  return abandoned.map(abandonedLine).join('');
}

function abandonedLine({ agent_id, task_type, started_at, abandoned_at = started_at }: Schemas['Task']): string {
  const began = `${started_at.slice(0, 16).replace('T', ' ')} UTC`;
  return `${clockTime(abandoned_at)}  ${agent_id}  ${task_type}  given up: nobody has ended it since ${began}\n`;
}

function lineOf(event: Schemas['Event'], task: Schemas['Task'] | null | undefined): string {
  const what = event.task_type ?? event.event_type;
  const state = !task
    ? event.event_type
    : task.state === 'active'
      ? 'started'
      : `${task.outcome} after ${duration(task.elapsed_seconds)}`;
  return `${clockTime(event.timestamp)}  ${event.agent_id}  ${what}  ${state}\n`;
}

function clockTime(timestamp: string): string {
  return `${timestamp.slice(11, 19)} UTC`;
}
