import { setImmediate as nextTurn } from 'node:timers/promises';
import { NotFoundError, parseInstant, parseTimeRange, type RecordWrite } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { type Metadata, TASK_END, TASK_START, type TimingEvent } from '../domain/event.ts';
import { secondsBetween } from '../domain/instant.ts';
import { plainName } from '../domain/plain-name.ts';
import { endTask, type RecordDeps, recordEvent, startTask } from '../domain/record.ts';
import type { Task } from '../domain/task.ts';
import { isSeenIn } from '../domain/whose.ts';
import { shownSeconds } from '../wire/instant.ts';
import { formatCursor, parseCursor } from '../wire/page-cursor.ts';
import { eventView, taskView } from '../wire/views.ts';
import { whoseOf } from './agent-scope.ts';
import { askedId, askedOfEvents, askedType, idToKeep, nameToAsk, nameToKeep } from './plain-name.ts';

/** Most running tasks in one answer. */
const ACTIVE_LIMIT = 1_000;
/** Records shaped in one turn of the event loop: 1 ms, 2 in a process that has just started. */
const SHAPED_PER_TURN = 200;

type EventOperations =
  | 'recordEvent'
  | 'startTask'
  | 'endTask'
  | 'listEvents'
  | 'getEvent'
  | 'listActiveTasks'
  | 'listTasks'
  | 'getTask';

export function eventHandlers(deps: RecordDeps): Pick<Handlers<operations>, EventOperations> {
  const { clock, events, tasks } = deps;
  const idOf = async (eventType: string, sent: string | null | undefined): Promise<string | null> => {
    if (sent == null) return null;
    return eventType === TASK_END ? await askedId(tasks, sent) : await idToKeep(tasks, sent);
  };
  return {
    recordEvent: async ({ body, caller, recordWrite }) => {
      const eventType = nameToKeep(body.event_type, 'body/event_type');
      const { event, task, replayed } = await recordEvent(deps, {
        agentId: caller.agentId,
        project: caller.project,
        eventType,
        taskType: typeOfEvent(eventType, body.task_type ?? null),
        metadata: metadataOf(body),
        correlationId: await idOf(eventType, body.correlation_id),
        toldMs: toldOf(body),
        session: caller.sessionId,
      });
      noteWritten(recordWrite, { event, task, replayed });
      const pairing = task ? { task: taskView(task, clock.now()), replayed } : {};
      return { status: 200, body: { event: eventView(event), ...pairing } };
    },
    startTask: async ({ body, caller, recordWrite }) => {
      const { event, task, replayed } = await startTask(deps, {
        agentId: caller.agentId,
        project: caller.project,
        taskType: nameToAsk(body.task_type, 'body/task_type'),
        metadata: metadataOf(body),
        estimatedSeconds: body.estimated_seconds ?? null,
        correlationId: await idOf(TASK_START, body.correlation_id),
        toldMs: toldOf(body),
        session: caller.sessionId,
      });
      noteWritten(recordWrite, { event, task, replayed });
      const view = taskView(task, clock.now());
      return {
        status: 200,
        body: { event: eventView(event), correlation_id: task.correlationId, task: view, replayed },
      };
    },
    endTask: async ({ body, caller, recordWrite }) => {
      const { event, task, replayed } = await endTask(deps, {
        agentId: caller.agentId,
        project: caller.project,
        taskType: plainName(body.task_type),
        metadata: metadataOf(body),
        outcome: body.outcome ?? 'ok',
        toldOutcome: body.outcome ?? null,
        correlationId: await idOf(TASK_END, body.correlation_id),
        toldMs: toldOf(body),
      });
      noteWritten(recordWrite, { event, task, replayed });
      const view = taskView(task, clock.now());
      const duration_seconds = view.duration_seconds ?? 0;
      return { status: 200, body: { event: eventView(event), duration_seconds, task: view, replayed } };
    },
    listEvents: async ({ query, caller }) => {
      const whose = whoseOf(caller);
      const filter = {
        ...whose,
        eventType: await askedOfEvents(events, whose, { eventType: query.event_type }),
        taskType: await askedType(events, whose, query.task_type),
        correlationId: await askedOfEvents(events, whose, { correlationId: query.correlation_id }),
        ...parseTimeRange(query, 'query'),
      };
      const page = await events.list(filter, { limit: query.limit ?? 50, after: parseCursor(query.cursor) });
      return {
        status: 200,
        body: { events: await shaped(page.items, eventView), next_cursor: formatCursor(page.next) },
      };
    },
    getEvent: async ({ path, caller }) => {
      const event = await events.find(path.event_id);
      if (!event || !isSeenIn(whoseOf(caller).project, event)) {
        throw new NotFoundError(`Event '${path.event_id}' not found: take an id from the answer that recorded it.`, {
          code: 'unknown_event',
        });
      }
      return { status: 200, body: { event: eventView(event) } };
    },
    listActiveTasks: async ({ query, caller }) => {
      const whose = whoseOf(caller);
      const taskType = await askedType(events, whose, query.task_type);
      const filter = { ...whose, taskType, limit: ACTIVE_LIMIT };
      const active = await tasks.active(filter);
      const nowMs = clock.now();
      const active_tasks = await shaped(active, ({ task, start }) => ({
        ...eventView(start ?? startOf(task)),
        elapsed_seconds: shownSeconds(secondsBetween(task.startedMs, nowMs)),
      }));
      return { status: 200, body: { active_tasks } };
    },
    listTasks: async ({ query, caller }) => {
      const whose = whoseOf(caller);
      const filter = {
        ...whose,
        taskType: await askedType(events, whose, query.task_type),
        state: query.state,
        outcome: query.outcome,
        ...parseTimeRange(query, 'query'),
      };
      const page = await tasks.list(filter, { limit: query.limit ?? 50, after: parseCursor(query.cursor) });
      const nowMs = clock.now();
      const views = await shaped(page.items, (task) => taskView(task, nowMs));
      return { status: 200, body: { tasks: views, next_cursor: formatCursor(page.next) } };
    },
    getTask: async ({ path, caller }) => {
      const task = await tasks.find(await askedId(tasks, path.correlation_id));
      if (!task || !isSeenIn(whoseOf(caller).project, task)) {
        throw new NotFoundError(`Task '${path.correlation_id}' not found: take the correlation_id of its start.`, {
          code: 'unknown_correlation_id',
        });
      }
      return { status: 200, body: { task: taskView(task, clock.now()) } };
    },
  };
}

async function shaped<Item, View>(items: readonly Item[], view: (item: Item) => View): Promise<View[]> {
  const views: View[] = [];
  for (const item of items) {
    if (views.length % SHAPED_PER_TURN === SHAPED_PER_TURN - 1) await nextTurn();
    views.push(view(item));
  }
  return views;
}

/** An end may name what an earlier version kept under a name with an invisible character. */
function typeOfEvent(eventType: string, sent: string | null): string | null {
  if (sent === null) return null;
  return eventType === TASK_END ? plainName(sent) : nameToAsk(sent, 'body/task_type');
}

function noteWritten(
  recordWrite: RecordWrite,
  { event, task, replayed }: { event: TimingEvent; task: Task | null; replayed: boolean },
): void {
  recordWrite(replayed ? 'replayed' : 'events', [event.id]);
  if (task && !replayed) recordWrite('tasks', [task.correlationId]);
}

/** Stands in for the events of a task that was imported without them, under the id of the task. */
function startOf({ correlationId, agentId, project, taskType, startedMs, metadata }: Task): TimingEvent {
  const id = correlationId;
  return { id, agentId, project, eventType: TASK_START, taskType, timestampMs: startedMs, metadata, correlationId };
}

function metadataOf(body: { metadata?: unknown }): Metadata {
  return (body.metadata ?? null) as Metadata;
}

/** When it was, by who tells of it. */
function toldOf({ timestamp }: { timestamp?: string | null }): number | null {
  return timestamp == null ? null : parseInstant(timestamp, 'body/timestamp');
}
