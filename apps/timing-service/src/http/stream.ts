import type { Clock, Handlers } from '@agent-faculties/service-kit';
import type { Response } from 'express';
import type { operations } from '../api.gen.ts';
import type { Change, ChangeFeed } from '../domain/change-feed.ts';
import type { EventStore, StoredEvent } from '../domain/event.ts';
import type { Task, TaskStore } from '../domain/task.ts';
import { agentScope } from './agent-scope.ts';
import { eventView, stopwatchView, taskView } from './views.ts';

/** Proxies close a silent connection after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;
/** A client that missed more reads everything anew: that is cheaper than replaying. */
const REPLAY_LIMIT = 500;
/** Bytes that may wait for a slow reader; then it is cut off and resumes from its last id. */
const BACKLOG_LIMIT_BYTES = 1024 * 1024;

export interface StreamDeps {
  readonly clock: Clock;
  readonly events: EventStore;
  readonly tasks: TaskStore;
  readonly feed: ChangeFeed;
}

/** Open streams, which a stopping server has to end. */
export class EventStreams {
  readonly #open = new Set<Response>();

  add(res: Response): void {
    this.#open.add(res);
    res.once('close', () => this.#open.delete(res));
  }

  endAll(): void {
    for (const res of this.#open) res.end();
  }
}

/** Server-sent events (HTML standard, section 9.2). */
export function streamHandlers(deps: StreamDeps, streams: EventStreams): Pick<Handlers<operations>, 'streamEvents'> {
  return {
    streamEvents: async ({ query, caller, req, res }) => {
      const agentId = agentScope(caller);
      const resumeFrom = /^\d{1,15}$/.exec(req.get('Last-Event-ID') ?? query.last_event_id ?? '')?.[0];
      res
        .status(200)
        .set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      res.flushHeaders();
      if (req.method === 'HEAD') {
        res.end();
        return undefined;
      }
      streams.add(res);
      await serve(deps, res, agentId, resumeFrom === undefined ? null : Number(resumeFrom));
      return undefined;
    },
  };
}

/** Changes that happen while the missed ones are read are held back, so that none is lost and none comes twice. */
async function serve(
  deps: StreamDeps,
  res: Response,
  agentId: string | null,
  resumeFrom: number | null,
): Promise<void> {
  const held: Change[] = [];
  let sentUpTo = 0;
  let caughtUp = false;
  const send = (change: Change): void => {
    if (change.kind !== 'reset' && agentId !== null && change.agentId !== agentId) return;
    if (!caughtUp) {
      held.push(change);
      // A reader that stands still amid its replay is cut off as well; it resumes behind what it has got.
      if (held.length > REPLAY_LIMIT) res.destroy();
      return;
    }
    if (change.kind === 'timing') {
      if (change.event.sequence <= sentUpTo) return;
      sentUpTo = change.event.sequence;
    }
    write(res, changeMessage(change, deps.clock.now()));
  };
  const unsubscribe = deps.feed.subscribe(send);
  const heartbeat = setInterval(() => write(res, ':\n\n'), HEARTBEAT_MS);
  res.once('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
  });

  const newest = await deps.events.lastSequence();
  const missed = resumeFrom === null ? [] : await missedEvents(deps, agentId, { resumeFrom, newest });
  // The first message carries an id, so that a client which never saw an event can resume as well.
  if (missed === null) write(res, message('reset', {}, newest));
  else if (missed.length === 0) write(res, `id: ${newest}\n: connected\n\n`);
  for (const { event, task } of missed ?? []) {
    write(res, timingMessage(event, task, deps.clock.now()));
    // Replayed in one go, a long absence would exceed the backlog, and the client would come back with the same id for ever.
    if (res.writableNeedDrain) await drained(res);
  }
  sentUpTo = newest;
  caughtUp = true;
  for (const change of held) send(change);
}

/** What came after the last id, or null when it is too much or the id is not from this database. */
async function missedEvents(
  { events, tasks }: StreamDeps,
  agentId: string | null,
  { resumeFrom, newest }: { resumeFrom: number; newest: number },
): Promise<{ event: StoredEvent; task: Task | null }[] | null> {
  if (resumeFrom > newest) return null;
  const missed = await events.since(resumeFrom, { agentId, limit: REPLAY_LIMIT + 1 });
  if (missed.length > REPLAY_LIMIT) return null;
  const upToNewest = missed.filter(({ sequence }) => sequence <= newest);
  return Promise.all(
    upToNewest.map(async (event) => ({
      event,
      task: event.correlationId === null ? null : await tasks.find(event.correlationId),
    })),
  );
}

function changeMessage(change: Change, nowMs: number): string {
  switch (change.kind) {
    case 'timing':
      return timingMessage(change.event, change.task, nowMs);
    case 'stopwatch':
      return message('stopwatch', { stopwatch: stopwatchView(change.stopwatch, nowMs) });
    case 'stopwatch-deleted':
      return message('stopwatch', { deleted: change.name, agent_id: change.agentId });
    case 'abandoned':
      return message('tasks', { abandoned: [taskView(change.task, nowMs)] });
    case 'reset':
      return message('reset', {});
  }
}

function timingMessage(event: StoredEvent, task: Task | null, nowMs: number): string {
  return message('timing', { event: eventView(event), task: task && taskView(task, nowMs) }, event.sequence);
}

/** JSON holds no line break, so one data line is enough. */
function message(event: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Resolves as well when the reader is gone. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
    if (res.destroyed || res.writableEnded) done();
  });
}

function write(res: Response, text: string): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.writableLength > BACKLOG_LIMIT_BYTES) res.destroy();
  else res.write(text);
}
