import {
  type EventFilter,
  type EventStore,
  type StoredEvent,
  TASK_END,
  TASK_START,
  type TimingEvent,
} from '../../../src/domain/event.ts';
import type { ExpiryStore } from '../../../src/domain/expiry.ts';
import { toMicroseconds } from '../../../src/domain/instant.ts';
import type { ListPosition, NamePage, NamePageRequest, Page, PageRequest } from '../../../src/domain/page.ts';
import type { SpaceStores } from '../../../src/domain/space.ts';
import type { DurationHistory, DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import type { Stopwatch, StopwatchName, StopwatchStore } from '../../../src/domain/stopwatch.ts';
import {
  OUTCOMES,
  type PairingDecision,
  type PairingResult,
  type Task,
  type TaskFilter,
  type TaskStore,
  type TaskTime,
  type TimesFilter,
} from '../../../src/domain/task.ts';
import type { TransferItem, TransferOutcome, TransferStore } from '../../../src/domain/transfer.ts';
import { isSeenIn, type Whose } from '../../../src/domain/whose.ts';
import { LiveSample } from '../../domain/statistics/sample-durations.ts';

interface Numbered<Item> {
  item: Item;
  readonly sequence: number;
}

/** Every store as lists that are searched from the beginning: what the engines are held against. Each call is done in one turn. */
export class NaiveStores implements SpaceStores {
  #events: StoredEvent[] = [];
  #tasks: Numbered<Task>[] = [];
  /** Correlation ids, in the order in which they ended. */
  #ends: string[] = [];
  #stopwatches: Stopwatch[] = [];
  #names = new Map<string, { agentId: string; taskType: string | null; project: string | null }>();
  #sequence = 0;

  readonly events: EventStore = {
    record: async (event) => this.#write(event),
    find: async (id) => this.#events.find((event) => event.id === id) ?? null,
    list: async (filter, page) => this.#listEvents(filter, page),
    since: async (sequence, { limit, ...whose }) =>
      this.#events.filter((event) => event.sequence > sequence && isOf(whose, event)).slice(0, limit),
    lastSequence: async () => this.#events.at(-1)?.sequence ?? 0,
    agents: async (page) => pageOfNames(unique([...this.#names.values()].map(({ agentId }) => agentId)), page),
    taskTypes: async (whose) => unique(this.#named(whose).flatMap(({ taskType }) => taskType ?? [])),
    hasTaskType: async (whose, type) => this.#named(whose).some(({ taskType }) => taskType === type),
    projects: async ({ agentId, project }, page) => {
      const named = this.#named({ agentId, project: null }).flatMap((name) => (name.taskType && name.project) || []);
      return pageOfNames(unique(named.filter((name) => project === null || name === project)), page);
    },
  };

  readonly tasks: TaskStore = {
    start: async (event, decide) => this.#pair(event, ([known]) => decide(known ?? null)),
    end: async (event, decide) => this.#pair(event, decide),
    find: async (id) => this.#task(id)?.item ?? null,
    list: async (filter, page) => this.#listTasks(filter, page),
    active: async ({ limit, ...filter }) =>
      this.#listTasks({ ...filter, state: 'active' }, { limit, after: null }).items.map((task) => ({
        task,
        start: this.#startOf(task),
      })),
    countActive: async () => this.#tasks.filter(({ item }) => item.state === 'active').length,
    activeSince: async ({ startedBeforeMs, limit, after }) => {
      const rows = this.#tasks
        .filter(({ item }) => item.state === 'active' && item.startedMs < startedBeforeMs)
        .sort(byStart)
        .filter((row) => after === null || compare(positionOf(row), after) > 0);
      const items = rows.slice(0, limit);
      return {
        items: items.map(({ item }) => item),
        next: items.length === limit ? positionOf(items[limit - 1] as Numbered<Task>) : null,
      };
    },
    abandon: async (ids, abandonedMs) => {
      const open = this.#tasks.filter(({ item }) => ids.includes(item.correlationId) && item.state === 'active');
      for (const row of open) row.item = { ...row.item, state: 'abandoned', abandonedMs };
      return open.map(({ item }) => item);
    },
    pastEstimates: async (whose, limit) =>
      this.#ends
        .toReversed()
        .flatMap((id) => this.#task(id)?.item ?? [])
        .filter((task) => isOf(whose, task) && task.outcome === 'ok' && task.estimatedSeconds !== null)
        .slice(0, limit)
        .map(({ taskType, durationSeconds, estimatedSeconds }) => ({
          taskType,
          ratio: (durationSeconds as number) / (estimatedSeconds as number),
        })),
    times: (filter) => this.#times(filter),
  };

  readonly stopwatches: StopwatchStore = {
    start: async (stopwatch, limit) => {
      const index = this.#stopwatches.findIndex(
        (one) => isSameName(one, stopwatch) && one.project === stopwatch.project,
      );
      const fresh = { ...stopwatch, stoppedMs: null };
      if (index >= 0) {
        this.#stopwatches[index] = fresh;
        return 'restarted';
      }
      if (this.#stopwatches.filter(({ agentId }) => agentId === stopwatch.agentId).length >= limit) return 'full';
      this.#stopwatches.push(fresh);
      this.#name({ ...stopwatch, taskType: null });
      return 'started';
    },
    find: async (which) => this.#meant(which),
    stop: async (which, stoppedMs) => {
      const meant = this.#meant(which);
      if (!meant || meant.stoppedMs !== null) return meant;
      const stopped = { ...meant, stoppedMs: Math.max(meant.startedMs, stoppedMs) };
      this.#stopwatches[this.#stopwatches.indexOf(meant)] = stopped;
      return stopped;
    },
    delete: async (which) => {
      const meant = this.#meant(which);
      this.#stopwatches = this.#stopwatches.filter((one) => one !== meant);
      return meant;
    },
    list: async (whose) => this.#stopwatches.filter((one) => isOf(whose, one)),
  };

  readonly transfer: TransferStore = {
    export: (whose) => this.#export(whose),
    import: async (items) => items.map((item) => this.#import(item)),
  };

  readonly expiry: ExpiryStore = { deleteBefore: async (instantMs) => this.#deleteBefore(instantMs) };

  readonly history: DurationHistory = {
    sample: async (whose, taskType) => this.#sample(whose, taskType, Number.NEGATIVE_INFINITY),
    sampleSince: async (whose, taskType, sinceMs) => this.#sample(whose, taskType, sinceMs),
  };

  /** Whether a record speaks of an agent, so that its name goes when the record does. */
  hasRecordsOf(agentId: string): boolean {
    return [...this.#events, ...this.#tasks.map(({ item }) => item)].some((one) => one.agentId === agentId);
  }

  #write(event: TimingEvent): StoredEvent {
    if (this.#events.some(({ id }) => id === event.id)) throw new Error('given out twice');
    const stored = { ...event, sequence: ++this.#sequence };
    this.#events.push(stored);
    this.#name(event);
    return stored;
  }

  #name({ agentId, taskType, project }: { agentId: string; taskType: string | null; project: string | null }): void {
    this.#names.set(JSON.stringify([agentId, taskType, project]), { agentId, taskType, project });
  }

  #named(whose: Whose) {
    return [...this.#names.values()].filter((name) => isOf(whose, name));
  }

  #task(id: string): Numbered<Task> | undefined {
    return this.#tasks.find(({ item }) => item.correlationId === id);
  }

  #startOf({ correlationId }: Task): StoredEvent | null {
    return (
      this.#events.find((event) => event.correlationId === correlationId && event.eventType === TASK_START) ?? null
    );
  }

  #pair(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision): PairingResult {
    const { correlationId, agentId, taskType, project } = event;
    const candidates = this.#tasks
      .filter(({ item }) =>
        correlationId === null
          ? item.state === 'active' && item.taskType === taskType && isOf({ agentId, project }, item)
          : item.correlationId === correlationId,
      )
      .sort(byStart)
      .map(({ item }) => item);
    const decision = decide(candidates);
    if ('replay' in decision) {
      const task = decision.replay;
      const end = this.#events.find(({ id }) => id === task.endEventId);
      const first = event.eventType === TASK_END && task.endEventId !== null ? end : this.#startOf(task);
      return { event: first ?? { ...event, correlationId: task.correlationId, sequence: 0 }, task, replayed: true };
    }
    const task = decision.write;
    const stored = this.#write({ ...event, correlationId: task.correlationId, project: event.project ?? task.project });
    this.#put(task);
    return { event: stored, task, replayed: false };
  }

  #put(task: Task): void {
    const known = this.#task(task.correlationId);
    if (known) known.item = task;
    else this.#tasks.push({ item: task, sequence: ++this.#sequence });
    if (task.state === 'ended') this.#ends.push(task.correlationId);
    this.#name(task);
  }

  #meant({ agentId, name, project }: StopwatchName): Stopwatch | null {
    const seen = this.#stopwatches.filter(
      (one) => isSameName(one, { agentId, name }) && isOf({ agentId, project }, one),
    );
    return seen.find((one) => one.project === project) ?? seen.at(-1) ?? null;
  }

  #listEvents({ eventType, taskType, correlationId, sinceMs, untilMs, ...whose }: EventFilter, page: PageRequest) {
    const rows = this.#events.filter(
      (event) =>
        isOf(whose, event) &&
        isWanted(eventType, event.eventType) &&
        isWanted(taskType, event.taskType) &&
        isWanted(correlationId, event.correlationId) &&
        isBetween(event.timestampMs, sinceMs, untilMs),
    );
    return newestFirst(
      rows.map((item) => ({ item, sequence: item.sequence })),
      page,
    );
  }

  async *#times({ taskType, sinceMs, untilMs, withSession, ...whose }: TimesFilter): AsyncGenerator<TaskTime[]> {
    const endMs = ({ state, startedMs, durationSeconds }: Task) =>
      state === 'active' ? Number.POSITIVE_INFINITY : startedMs + (durationSeconds ?? 0) * 1000;
    yield this.#tasks
      .toSorted(byStart)
      .map(({ item }) => item)
      .filter((task) => isOf(whose, task) && (taskType === undefined || task.taskType === taskType))
      .filter((task) => task.startedMs < untilMs && (task.startedMs >= sinceMs || endMs(task) > sinceMs))
      .map(({ agentId, project, taskType, state, outcome, startedMs, durationSeconds, metadata }) => ({
        ...{ agentId, project, taskType, state, outcome, startedUs: toMicroseconds(startedMs) },
        durationUs: durationSeconds === null ? null : Math.round(durationSeconds * 1e6),
        session: withSession ? ((metadata as { session?: string } | null)?.session ?? null) : null,
      }));
  }

  #listTasks({ taskType, state, outcome, sinceMs, untilMs, ...whose }: TaskFilter, page: PageRequest): Page<Task> {
    const rows = this.#tasks.filter(
      ({ item }) =>
        isOf(whose, item) &&
        isWanted(taskType, item.taskType) &&
        isWanted(state, item.state) &&
        isWanted(outcome, item.outcome) &&
        isBetween(item.startedMs, sinceMs, untilMs),
    );
    return newestFirst(rows, page);
  }

  async *#export(whose: Whose): AsyncIterable<TransferItem[]> {
    yield this.#events.filter((event) => isOf(whose, event)).map((event) => ({ kind: 'event', event }));
    yield this.#tasks.filter(({ item }) => isOf(whose, item)).map(({ item }) => ({ kind: 'task', task: item }));
    yield this.#stopwatches.filter((one) => isOf(whose, one)).map((stopwatch) => ({ kind: 'stopwatch', stopwatch }));
  }

  #import(item: TransferItem): TransferOutcome {
    if (item.kind === 'event') {
      if (this.#events.some(({ id }) => id === item.event.id)) return 'duplicate';
      this.#write(item.event);
      return 'imported';
    }
    if (item.kind === 'stopwatch') {
      const { stopwatch } = item;
      if (this.#stopwatches.some((one) => isSameName(one, stopwatch) && one.project === stopwatch.project))
        return 'duplicate';
      this.#stopwatches.push(stopwatch);
      this.#name({ ...stopwatch, taskType: null });
      return 'imported';
    }
    const { task } = item;
    const known = this.#task(task.correlationId)?.item;
    if (!known) {
      this.#put(task);
      return 'imported';
    }
    const isSame =
      known.agentId === task.agentId &&
      known.taskType === task.taskType &&
      known.startedMs === task.startedMs &&
      (known.project === null || task.project === null || known.project === task.project);
    const bothEnded = known.state === 'ended' && task.state === 'ended';
    if (!isSame || (bothEnded && (known.endedMs !== task.endedMs || known.outcome !== task.outcome))) return 'conflict';
    if (known.state === 'ended' || task.state !== 'ended') return 'duplicate';
    const { state, outcome, endedMs, durationSeconds, endEventId } = task;
    this.#put({ ...known, state, outcome, endedMs, durationSeconds, endEventId });
    return 'updated';
  }

  #deleteBefore(instantMs: number): { events: number; tasks: number } {
    const before = { events: this.#events.length, tasks: this.#tasks.length };
    this.#tasks = this.#tasks.filter(
      ({ item }) =>
        item.state === 'active' ||
        (item.endedMs ?? item.abandonedMs ?? item.startedMs) >= instantMs ||
        item.startedMs >= instantMs,
    );
    this.#events = this.#events.filter(
      (event) => event.timestampMs >= instantMs || (event.correlationId !== null && this.#task(event.correlationId)),
    );
    const deleted = { events: before.events - this.#events.length, tasks: before.tasks - this.#tasks.length };
    if (deleted.events + deleted.tasks > 0) this.#forgetNames();
    return deleted;
  }

  #forgetNames(): void {
    const records = [...this.#events, ...this.#tasks.map(({ item }) => item)];
    for (const [key, { agentId, taskType }] of this.#names) {
      const isSpokenOf = records.some(
        (one) => one.agentId === agentId && (taskType === null || one.taskType === taskType),
      );
      const hasStopwatch = taskType === null && this.#stopwatches.some((one) => one.agentId === agentId);
      if (!isSpokenOf && !hasStopwatch) this.#names.delete(key);
    }
  }

  #sample(whose: Whose, taskType: string, sinceMs: number): DurationSample {
    const tasks = this.#tasks
      .map(({ item }) => item)
      .filter((task) => isOf(whose, task) && task.taskType === taskType && task.startedMs >= sinceMs);
    const sample = new LiveSample({ abandoned: tasks.filter(({ state }) => state === 'abandoned').length });
    for (const { state, startedMs } of tasks) if (state === 'active') sample.activeStartsMs.add(startedMs);
    for (const outcome of OUTCOMES)
      for (const task of tasks) if (task.outcome === outcome) sample.add(outcome, task.durationSeconds as number);
    return sample;
  }
}

function isOf(whose: Whose, record: { readonly agentId: string; readonly project: string | null }): boolean {
  return (whose.agentId === null || whose.agentId === record.agentId) && isSeenIn(whose.project, record);
}

function isWanted<Value>(wanted: Value | undefined, value: Value): boolean {
  return wanted === undefined || wanted === value;
}

function isBetween(ms: number, sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY): boolean {
  return ms >= sinceMs && ms < untilMs;
}

function isSameName(one: Stopwatch, { agentId, name }: Pick<StopwatchName, 'agentId' | 'name'>): boolean {
  return one.agentId === agentId && one.name === name;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function positionOf({ item, sequence }: Numbered<Task | StoredEvent>): ListPosition {
  return { timeUs: Math.round(('timestampMs' in item ? item.timestampMs : item.startedMs) * 1000), sequence };
}

function compare(one: ListPosition, other: ListPosition): number {
  return one.timeUs - other.timeUs || one.sequence - other.sequence;
}

function byStart(one: Numbered<Task>, other: Numbered<Task>): number {
  return compare(positionOf(one), positionOf(other));
}

function newestFirst<Item extends Task | StoredEvent>(
  rows: readonly Numbered<Item>[],
  { limit, after }: PageRequest,
): Page<Item> {
  const sorted = rows.toSorted((one, other) => compare(positionOf(other), positionOf(one)));
  const below = sorted.filter((row) => after === null || compare(positionOf(row), after) < 0);
  const page = below.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(({ item }) => item), next: below.length > limit && last ? positionOf(last) : null };
}

function pageOfNames(names: readonly string[], { limit, after }: NamePageRequest): NamePage {
  const rest = after === null ? names : names.slice(names.indexOf(after) + 1);
  return { items: rest.slice(0, limit), next: rest.length > limit ? (rest[limit - 1] as string) : null };
}
