import type { Clock } from '@agent-faculties/service-kit';
import {
  connectedMessage,
  type EventStream,
  type EventStreams,
  eventMessage,
  type Handlers,
} from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import type { Change, ChangeFeed } from '../domain/change-feed.ts';
import type { EventStore, StoredEvent } from '../domain/event.ts';
import type { Task, TaskStore } from '../domain/task.ts';
import { isSeenIn, type Whose } from '../domain/whose.ts';
import { eventView, projectView, stopwatchView, taskView } from '../wire/views.ts';
import { whoseOf } from './agent-scope.ts';

/** A client that missed more than this reloads everything, which is cheaper than a replay. */
const REPLAY_LIMIT = 500;
/** How far back a replay looks. Without a bound, a search for a rare agent's events could read a million rows in one statement. */
const REPLAY_SPAN = 20_000;

export interface StreamDeps {
  readonly clock: Clock;
  readonly events: EventStore;
  readonly tasks: TaskStore;
  readonly feed: ChangeFeed;
}

/** What a client has received: the newest event, and a count of changes without a sequence (null when it does not say). */
interface StreamPosition {
  readonly sequence: number;
  readonly unnumbered: number | null;
}

/** Of an id that this service never sent: ahead of every event, so that the client is told to read all anew. */
const FOREIGN_POSITION: StreamPosition = { sequence: Number.POSITIVE_INFINITY, unnumbered: null };

/** Server-sent events (HTML standard, section 9.2). */
export function streamHandlers(deps: StreamDeps, streams: EventStreams): Pick<Handlers<operations>, 'streamEvents'> {
  // Starts at the time of the start, so that an id of an earlier run does not look current.
  const startMs = Math.floor(deps.clock.now());
  return {
    streamEvents: async ({ query, caller, req, res }) => {
      const whose = whoseOf(caller);
      const resumeFrom = parsePosition(req.get('Last-Event-ID') ?? query.last_event_id ?? '');
      const stream = streams.begin(req, res);
      if (stream) await serve(deps, stream, { whose, resumeFrom, startMs });
      return undefined;
    },
  };
}

function parsePosition(id: string): StreamPosition | null {
  const [, sequence, unnumbered] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id) ?? [];
  if (sequence === undefined) return id === '' ? null : FOREIGN_POSITION;
  return { sequence: Number(sequence), unnumbered: unnumbered === undefined ? null : Number(unnumbered) };
}

/** Holds new changes back while missed ones are read, so that none is lost or sent twice. */
async function serve(
  deps: StreamDeps,
  stream: EventStream,
  {
    whose,
    resumeFrom,
    startMs,
  }: { readonly whose: Whose; readonly resumeFrom: StreamPosition | null; readonly startMs: number },
): Promise<void> {
  const held: { change: Change; unnumbered: number }[] = [];
  let sentUpTo = 0;
  let caughtUp = false;
  const unnumberedNow = () => (deps.feed.isShared ? 0 : startMs) + deps.feed.unnumbered;
  await deps.feed.ready();
  const send = (change: Change, unnumbered = unnumberedNow()): void => {
    if (change.kind !== 'reset' && !isAskedFor(whose, change)) return;
    if (!caughtUp) {
      held.push({ change, unnumbered });
      // A client that stalls during its replay is disconnected; it resumes after the last event received.
      if (held.length > REPLAY_LIMIT) stream.destroy();
      return;
    }
    if (change.kind === 'timing') {
      if (change.event.sequence <= sentUpTo) return;
      sentUpTo = change.event.sequence;
    }
    stream.write(changeMessage(change, deps.clock.now(), `${sentUpTo}.${unnumbered}`));
  };
  const unnumbered = unnumberedNow();
  stream.onClose(deps.feed.subscribe((change) => send(change)));

  const now = { newest: await deps.events.lastSequence(), unnumbered };
  await replay(deps, stream, await missedEvents(deps, whose, { ...now, resumeFrom }), now);
  sentUpTo = now.newest;
  caughtUp = true;
  for (const { change, unnumbered } of held) send(change, unnumbered);
}

function isAskedFor({ agentId, project }: Whose, change: Exclude<Change, { kind: 'reset' }>): boolean {
  return (agentId === null || change.agentId === agentId) && isSeenIn(project, change);
}

interface MissedEvent {
  readonly event: StoredEvent;
  readonly task: Task | null;
}

/** Where the stream is when a client comes. */
interface Now {
  /** The sequence of the newest event. */
  readonly newest: number;
  readonly unnumbered: number;
}

/** The first message carries an id, so that a client which never saw an event can resume as well. */
async function replay(
  { clock }: StreamDeps,
  stream: EventStream,
  missed: readonly MissedEvent[] | null,
  { newest, unnumbered }: Now,
): Promise<void> {
  if (missed === null) stream.write(eventMessage('reset', {}, `${newest}.${unnumbered}`));
  else if (missed.length === 0) stream.write(connectedMessage(`${newest}.${unnumbered}`));
  for (const { event, task } of missed ?? []) {
    stream.write(timingMessage({ event, task }, clock.now(), `${event.sequence}.${unnumbered}`));
    // Replayed at once, a long absence would exceed the backlog, and the client would return with the same id for ever.
    if (stream.needsDrain) await stream.drained();
  }
}

/**
 * Events after the position; none for a client that comes for the first time. Null when there are too many, other changes were missed
 * too, or the position is not of this database.
 */
async function missedEvents(
  { events, tasks }: StreamDeps,
  whose: Whose,
  { resumeFrom, newest, unnumbered }: Now & { readonly resumeFrom: StreamPosition | null },
): Promise<MissedEvent[] | null> {
  if (resumeFrom === null) return [];
  const { sequence } = resumeFrom;
  if ((resumeFrom.unnumbered ?? unnumbered) !== unnumbered) return null;
  if (sequence > newest || newest - sequence > REPLAY_SPAN) return null;
  const missed = await events.since(sequence, { ...whose, limit: REPLAY_LIMIT + 1 });
  if (missed.length > REPLAY_LIMIT) return null;
  const upToNewest = missed.filter(({ sequence }) => sequence <= newest);
  return Promise.all(
    upToNewest.map(async (event) => ({
      event,
      task: event.correlationId === null ? null : await tasks.find(event.correlationId),
    })),
  );
}

function changeMessage(change: Change, nowMs: number, id: string): string {
  switch (change.kind) {
    case 'timing':
      return timingMessage(change, nowMs, id);
    case 'stopwatch':
      return eventMessage('stopwatch', { stopwatch: stopwatchView(change.stopwatch, nowMs) }, id);
    case 'stopwatch-deleted':
      return eventMessage('stopwatch', { deleted: change.name, agent_id: change.agentId, ...projectView(change) }, id);
    case 'abandoned':
      return eventMessage('tasks', { abandoned: [taskView(change.task, nowMs)] }, id);
    case 'reset':
      return eventMessage('reset', {}, id);
  }
}

function timingMessage(
  { event, task }: { readonly event: StoredEvent; readonly task: Task | null },
  nowMs: number,
  id: string,
): string {
  return eventMessage('timing', { event: eventView(event), task: task && taskView(task, nowMs) }, id);
}
