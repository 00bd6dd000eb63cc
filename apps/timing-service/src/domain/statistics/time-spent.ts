import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInputError } from '@agent-faculties/service-kit';
import { toMicroseconds } from '../instant.ts';
import type { LocalDay } from '../local-days.ts';
import { OUTCOMES, type TaskStore, type TaskTime } from '../task.ts';
import type { Whose } from '../whose.ts';

export type TimeSpentBy = 'day' | 'agent' | 'project' | 'session' | 'task_type' | 'outcome';

/** An answer with so many groups has a megabyte and a half. */
export const MOST_GROUPS = 5_000;
/** Days cost a date each, and a task that crosses them a part each. */
export const MOST_DAYS = 400;
/** Parts of tasks that are added in one turn of the event loop: 10 ms of work (measured). A task of a year has one for each day. */
const PARTS_AT_ONCE = 5_000;

const FATES = [...OUTCOMES, 'active', 'abandoned'] as const;
export type Fate = (typeof FATES)[number];

/** What tasks took. Whole microseconds, so that sums are exact. */
export interface TaskTimes {
  tasks: number;
  spentUs: number;
  /** In which at least one of them ran. */
  busyUs: number;
  /** Of `spentUs`: by tasks that still run. */
  runningUs: number;
  /** Of `spentUs`: by tasks that were cut off. */
  cutOffUs: number;
  /** The most that one of them has of `spentUs`. */
  longestUs: number;
  readonly outcomes: Record<Fate, number>;
}

export interface SpentGroup extends TaskTimes {
  /** By what it is a group of; null for the project or session of tasks of none. */
  readonly of: Readonly<Partial<Record<TimeSpentBy, string | null>>>;
}

export interface TimeSpent {
  readonly total: TaskTimes;
  /** Days in order, then those with the most time first. */
  readonly groups: SpentGroup[];
}

interface TimeSpentQuery {
  readonly whose: Whose;
  readonly taskType?: string | undefined;
  /** Not empty, in order, without a gap: all that is asked about. One is enough where no days are asked for. */
  readonly days: readonly LocalDay[];
  readonly by: readonly TimeSpentBy[];
}

/** @throws InvalidInputError for more than MOST_GROUPS groups */
export async function timeSpent(tasks: Pick<TaskStore, 'times'>, query: TimeSpentQuery): Promise<TimeSpent> {
  const { whose, taskType, days, by } = query;
  const sums = new TimeSums(query);
  const sinceMs = (days[0] as LocalDay).sinceMs;
  const untilMs = (days.at(-1) as LocalDay).untilMs;
  let parts = 0;
  for await (const batch of tasks.times({
    ...whose,
    taskType,
    sinceMs,
    untilMs,
    withSession: by.includes('session'),
  })) {
    for (const task of batch) {
      parts += sums.add(task);
      if (parts < PARTS_AT_ONCE) continue;
      parts = 0;
      await nextTurn();
    }
  }
  return sums.result();
}

interface Span {
  readonly date: string;
  readonly fromUs: number;
  readonly toUs: number;
}

interface Sum {
  readonly times: TaskTimes;
  /** Up to where the time is counted as busy. */
  coveredUs: number;
}

/**
 * Adds up tasks that come in the order of their starts. Then the tasks before have covered one stretch of time up to `coveredUs`, as far as
 * later ones can tell, and what a task adds to it is what lies beyond: no interval has to be kept.
 */
export class TimeSums {
  readonly #by: readonly TimeSpentBy[];
  readonly #spans: readonly Span[];
  readonly #all: Span;
  readonly #total = newSum();
  readonly #groups = new Map<string, Sum & { readonly of: SpentGroup['of'] }>();

  constructor({ by, days }: Pick<TimeSpentQuery, 'by' | 'days'>) {
    const spans = days.map(({ date, sinceMs, untilMs }) => ({
      date,
      fromUs: toMicroseconds(sinceMs),
      toUs: toMicroseconds(untilMs),
    }));
    const { fromUs } = spans[0] as Span;
    const { toUs } = spans.at(-1) as Span;
    this.#all = { date: '', fromUs, toUs };
    this.#by = by;
    this.#spans = by.includes('day') ? spans : [this.#all];
  }

  /** @returns in how many spans it has a part */
  add(task: TaskTime): number {
    const endUs = endOf(task, this.#all.toUs);
    if (!hasPart(this.#all, task.startedUs, endUs)) return 1;
    addPart(this.#total, this.#all, task, endUs);
    let index = this.#indexAt(Math.max(task.startedUs, this.#all.fromUs));
    let parts = 0;
    for (; index < this.#spans.length; index++, parts++) {
      const span = this.#spans[index] as Span;
      if (!hasPart(span, task.startedUs, endUs)) break;
      addPart(this.#groupOf(task, span), span, task, endUs);
    }
    return parts;
  }

  result(): TimeSpent {
    const groups = [...this.#groups.values()].map(({ of, times }) => ({ of, ...times }));
    return { total: this.#total.times, groups: groups.sort(inOrder) };
  }

  /** The span of an instant that lies in one. */
  #indexAt(us: number): number {
    let low = 0;
    let high = this.#spans.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#spans[middle] as Span).fromUs <= us) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #groupOf(task: TaskTime, { date }: Span): Sum {
    const values = this.#by.map((by) => groupValue(task, by, date));
    // No name and no session has a control character, and none is empty.
    const key = values.map((value) => value ?? '').join('\0');
    const known = this.#groups.get(key);
    if (known) return known;
    if (this.#groups.size === MOST_GROUPS) {
      throw new InvalidInputError(
        `There are more than ${MOST_GROUPS} groups by ${this.#by.join(' and ')}: ask about a shorter time, name a task_type or an agent, or leave then_by out.`,
      );
    }
    const group = { ...newSum(), of: Object.fromEntries(this.#by.map((by, index) => [by, values[index] ?? null])) };
    this.#groups.set(key, group);
    return group;
  }
}

function newSum(): Sum {
  const outcomes = { ok: 0, error: 0, timeout: 0, cancelled: 0, active: 0, abandoned: 0 };
  const times = { tasks: 0, spentUs: 0, busyUs: 0, runningUs: 0, cutOffUs: 0, longestUs: 0, outcomes };
  return { times, coveredUs: Number.NEGATIVE_INFINITY };
}

/** Of an active task `nowUs`; of an abandoned one its start. */
function endOf({ startedUs, durationUs, state }: TaskTime, nowUs: number): number {
  if (durationUs !== null) return startedUs + durationUs;
  return state === 'active' ? Math.max(startedUs, nowUs) : startedUs;
}

/** Whether a task begins in a span or goes on in it. */
function hasPart({ fromUs, toUs }: Span, startedUs: number, endUs: number): boolean {
  return startedUs < toUs && (startedUs >= fromUs || endUs > fromUs);
}

function addPart(sum: Sum, { fromUs, toUs }: Span, task: TaskTime, endUs: number): void {
  const { times } = sum;
  const partFromUs = Math.max(task.startedUs, fromUs);
  const partToUs = Math.min(endUs, toUs);
  const us = partToUs - partFromUs;
  const fate = fateOf(task);
  times.tasks++;
  times.outcomes[fate]++;
  times.spentUs += us;
  times.busyUs += Math.max(0, partToUs - Math.max(partFromUs, sum.coveredUs));
  times.longestUs = Math.max(times.longestUs, us);
  if (fate === 'active') times.runningUs += us;
  if (fate === 'timeout' || fate === 'cancelled') times.cutOffUs += us;
  sum.coveredUs = Math.max(sum.coveredUs, partToUs);
}

function fateOf({ state, outcome }: TaskTime): Fate {
  return state === 'ended' ? (outcome ?? 'ok') : state;
}

function groupValue(task: TaskTime, by: TimeSpentBy, date: string): string | null {
  switch (by) {
    case 'day':
      return date;
    case 'agent':
      return task.agentId;
    case 'project':
      return task.project;
    case 'session':
      return task.session;
    case 'task_type':
      return task.taskType;
    case 'outcome':
      return fateOf(task);
  }
}

function inOrder(a: SpentGroup, b: SpentGroup): number {
  const byDay = (a.of.day ?? '') < (b.of.day ?? '') ? -1 : Number(a.of.day !== b.of.day);
  return byDay || b.spentUs - a.spentUs || b.tasks - a.tasks || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function nameOf({ of }: SpentGroup): string {
  return Object.values(of).join('\0');
}
