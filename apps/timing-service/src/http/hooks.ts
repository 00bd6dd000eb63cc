import {
  callKey,
  callLikeness,
  HOSTS,
  type HookEvent,
  type HostName,
  readMarks,
  stampKey,
  type ToolCall as ToolCallOfHost,
  taskTypeOf,
  turnKey,
} from '@agent-faculties/agent-hooks';
import type { Caller } from '@agent-faculties/agent-identity';
import { InvalidInputError, parseInstant, type RecordWrite } from '@agent-faculties/service-kit';
import type { Handlers, HookCalls } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import {
  beginExchange,
  cancelExchanges,
  exchangeBefore,
  finishExchange,
  type HookPlace,
} from '../domain/hooks/exchanges.ts';
import { type HabitDeps, habitsOf } from '../domain/hooks/habits.ts';
import { temporalLine } from '../domain/hooks/temporal-line.ts';
import { abandonCalls, beginCall, finishCall, leaveCall, type ToolCall } from '../domain/hooks/tool-calls.ts';
import { isStorable } from '../domain/instant.ts';
import { isTimeZone } from '../domain/local-days.ts';
import type { RecordDeps } from '../domain/record.ts';
import type { Task } from '../domain/task.ts';
import { formatInstant } from '../wire/instant.ts';

export interface HookDeps extends RecordDeps, HabitDeps {
  readonly calls: HookCalls;
  /** IANA name, for users who do not say theirs. */
  readonly serverTimeZone: string;
}

interface Sent {
  readonly host: HostName;
  readonly event: HookEvent;
  readonly agentId: string;
  readonly project: string | null;
  readonly place: HookPlace;
  readonly timeZone: string | null;
  /** Delivered late: nobody waits for an answer. */
  readonly isLate: boolean;
}

interface Taken {
  readonly context: string | null;
  readonly written: readonly Task[];
}

const NOTHING: Taken = { context: null, written: [] };

export function hookHandlers(deps: HookDeps): Pick<Handlers<operations>, 'receiveHook' | 'listHooks'> {
  const { calls, clock } = deps;
  return {
    receiveHook: async ({ path: { host }, query, body, caller, recordWrite }) => {
      const startedMs = clock.now();
      const event = HOSTS[host].read(body, query.event ?? null);
      if (event === null) {
        calls.note({ caller, host, event: 'other', result: 'ignored', startedMs });
        return { status: 200, body: {} };
      }
      const at = query.at === undefined ? null : happenedMs(query.at, startedMs);
      const timely = at === null ? deps : { ...deps, clock: { now: () => at } };
      const sent = { host, event, ...whereOf(host, event, caller), timeZone: query.time_zone ?? null };
      const { context, written } = await take(timely, { ...sent, isLate: at !== null });
      noteWritten(recordWrite, written);
      const result = context !== null ? 'context' : written.length > 0 ? 'recorded' : 'ignored';
      calls.note({ caller, host, event: event.kind, result, startedMs });
      return { status: 200, body: context === null ? {} : { ...HOSTS[host].withContext(event, context) } };
    },
    listHooks: ({ caller }) => ({
      status: 200,
      body: {
        hooks: calls.lastOf(caller).map(({ caller, host, event, result, atMs, tookMs }) => ({
          agent_id: caller?.agentId ?? null,
          host,
          event: event as HookEvent['kind'] | 'other',
          result,
          at: formatInstant(atMs),
          took_ms: Number(tookMs.toFixed(3)),
        })),
      },
    }),
  };
}

/** When a late event happened, which was before now. @throws InvalidInputError for what is no instant, or lies before 1970 */
function happenedMs(at: string, nowMs: number): number {
  const atMs = Math.min(parseInstant(at, 'query/at'), nowMs);
  if (isStorable(atMs)) return atMs;
  throw InvalidInputError.at('query/at', 'lies before 1970: correct the clock that it is from');
}

/** Whose event it is, and where it happened. */
function whereOf(host: HostName, event: HookEvent, { agentId, sessionId, project }: Caller) {
  return { agentId, project, place: { host, session: sessionId ?? event.sessionId, cwd: event.cwd } };
}

async function take(deps: HookDeps, sent: Sent): Promise<Taken> {
  const { event } = sent;
  switch (event.kind) {
    case 'prompt':
      return await takePrompt(deps, sent, event.text);
    case 'reply': {
      const { agentId, place } = sent;
      const exchange = await finishExchange(deps, { agentId, place, key: turnKey(sent), outcome: event.outcome });
      return written(exchange);
    }
    case 'tool_started':
      return written(await beginCall(deps, callOf(sent, event.call)));
    case 'tool_ended': {
      const { outcome, durationMs } = event;
      if (outcome === null) return written(await leaveCall(deps, callOf(sent, event.call)));
      const durationSeconds = durationMs === null ? null : durationMs / 1000;
      return written(await finishCall(deps, callOf(sent, event.call), { outcome, durationSeconds }));
    }
    case 'session_ended':
      return { context: null, written: await leaveSession(deps, sent) };
    default:
      return NOTHING;
  }
}

/** What is open when a session ends was broken off with it: a host that is closed amid a reply tells of no other end. */
async function leaveSession(deps: HookDeps, { agentId, place }: Sent): Promise<readonly Task[]> {
  if (place.session === null) return [];
  const cancelled = await cancelExchanges(deps, { agentId, place, but: null });
  return [...cancelled, ...(await abandonCalls(deps, { agentId, place, atMs: deps.clock.now() }))];
}

async function takePrompt(deps: HookDeps, sent: Sent, text: string): Promise<Taken> {
  const { agentId, project, place } = sent;
  const exchange = { agentId, project, place, key: turnKey(sent) ?? stampKey(sent, 'prompt') };
  const before = sent.isLate ? null : await exchangeBefore(deps.tasks, exchange);
  const task = await beginExchange(deps, exchange);
  const written = [task, ...(await abandonCalls(deps, { agentId, place, atMs: task.startedMs }))];
  if (sent.isLate || readMarks(text).skips) return { context: null, written };
  const nowMs = deps.clock.now();
  const line = temporalLine({
    nowMs,
    ...zoneOf(deps, sent.timeZone),
    sinceLastSeconds: before && (nowMs - before.task.startedMs) / 1000,
    habits: await habitsOf(deps, { agentId, project, cwd: place.cwd, nowMs }),
  });
  return { context: line, written };
}

function zoneOf({ serverTimeZone }: HookDeps, said: string | null) {
  return said !== null && isTimeZone(said)
    ? { timeZone: said, isServerZone: false }
    : { timeZone: serverTimeZone, isServerZone: true };
}

function callOf(sent: Sent, call: ToolCallOfHost): ToolCall {
  const { agentId, project, place } = sent;
  const likeness = callLikeness(sent, call);
  const key = callKey(sent, call);
  return { agentId, project, taskType: taskTypeOf(call), place, key, startKey: stampKey(sent, likeness), likeness };
}

function written(task: Task | null): Taken {
  return task === null ? NOTHING : { context: null, written: [task] };
}

function noteWritten(recordWrite: RecordWrite, tasks: readonly Task[]): void {
  recordWrite(
    'tasks',
    tasks.map(({ correlationId }) => correlationId),
  );
}
