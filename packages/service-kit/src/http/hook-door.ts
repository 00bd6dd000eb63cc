import { ANY_AGENT, type Caller } from '@agent-faculties/agent-identity';
import type { ErrorRequestHandler, Request } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { RequestAudit } from '../observability/audit.ts';
import type { Logger } from '../observability/log.ts';
import { problemFor } from '../problems/problem.ts';
import type { Clock } from '../values/clock.ts';
import type { ForeignBody } from './foreign-body.ts';

/** What came of one call of a hook: a context was given, something was written, there was nothing to do, or it was refused. */
export type HookResult = 'context' | 'recorded' | 'ignored' | 'refused';

/** Whose host called. */
interface HookCaller extends Pick<Caller, 'space'> {
  /** null for a refused call that named no valid agent. */
  readonly agentId: string | null;
}

/** One call, without anything that was said. */
export interface HookCall {
  /** null for a refused call that named no valid space. */
  readonly caller: HookCaller | null;
  readonly host: string;
  /** The kind of event, of a few. */
  readonly event: string;
  readonly result: HookResult;
  /** When it was answered, epoch milliseconds. */
  readonly atMs: number;
  readonly tookMs: number;
}

/** Of each agent, and of all agents of a space together. */
const CALLS_KEPT = 20;
/** Of more agents and spaces, those that have not called for longest are forgotten. */
const MOST_CALLERS = 1_000;
/** Under which the router serves hooks. */
const HOOKS_PATH = '/hooks/';

/** Counts the calls of hooks and keeps the last ones, so that somebody can see whether a host is set up rightly. */
export class HookCalls {
  readonly hosts: readonly string[];
  readonly #clock: Clock;
  readonly #counter: Counter<'host' | 'event' | 'result'>;
  /** The last calls of each caller; whoever called last comes last. */
  readonly #lastByCaller = new Map<string, HookCall[]>();

  constructor({ hosts, clock, registry }: { hosts: readonly string[]; clock: Clock; registry: Registry }) {
    this.hosts = hosts;
    this.#clock = clock;
    this.#counter = new Counter({
      name: 'agent_faculties_hook_calls_total',
      help: 'Calls of hooks since the start, by host, kind of event and what came of them',
      labelNames: ['host', 'event', 'result'],
      registers: [registry],
    });
  }

  /** @param call `startedMs` is when it came, by the clock of the service */
  note({ startedMs, ...call }: Omit<HookCall, 'atMs' | 'tookMs'> & { readonly startedMs: number }): void {
    const { caller, host, event, result } = call;
    const atMs = this.#clock.now();
    const noted = { ...call, atMs, tookMs: Math.max(0, atMs - startedMs) };
    this.#counter.inc({ host, event, result });
    if (caller === null) return;
    this.#noteOf({ ...caller, agentId: ANY_AGENT }, noted);
    if (caller.agentId !== null) this.#noteOf(caller, noted);
  }

  /** At most 20 calls of one agent, or of all agents of a space (`*`), the latest first. */
  lastOf(caller: HookCaller): readonly HookCall[] {
    return this.#lastByCaller.get(keyOf(caller)) ?? [];
  }

  /** Each agent has a list of its own, so that nobody's list shows how often others call. */
  #noteOf(caller: HookCaller, call: HookCall): void {
    const key = keyOf(caller);
    const calls = this.#lastByCaller.get(key) ?? [];
    keep(calls, call);
    this.#lastByCaller.delete(key);
    this.#lastByCaller.set(key, calls);
    const [longestAgo] = this.#lastByCaller.keys();
    if (this.#lastByCaller.size > MOST_CALLERS) this.#lastByCaller.delete(longestAgo as string);
  }
}

function keyOf({ space, agentId }: HookCaller): string {
  return `${space}/${agentId}`;
}

function keep(calls: HookCall[], call: HookCall): void {
  calls.unshift(call);
  if (calls.length > CALLS_KEPT) calls.pop();
}

export interface HookDoorOptions {
  readonly calls: HookCalls;
  readonly slim: ForeignBody['slim'];
}

function isHook(path: string): boolean {
  return path.startsWith(HOOKS_PATH);
}

/** An edit of a file brings the whole file twice, and a tool that reads a picture the picture, of which hosts send up to 5 MiB. */
const HOOK_BYTES = 8 * 1024 ** 2;

/** The payloads of hooks. */
export function hookBodies({ slim }: HookDoorOptions): ForeignBody {
  return { isFor: isHook, limitBytes: HOOK_BYTES, slim };
}

interface ForgivenessOptions extends HookDoorOptions {
  readonly log: Logger;
  readonly audit: RequestAudit;
  readonly clock: Clock;
  /** The caller that a refused request names. */
  readonly callerOf: (req: Request) => HookCaller | null;
}

/** Statuses of a faulty payload, which a hook hides from its host. Any other refusal is answered as elsewhere. */
const FORGIVEN: ReadonlySet<number> = new Set([400, 404, 409, 415, 422]);
const TOO_LARGE = 413;

/**
 * Answers a hook whose payload is refused with the empty object, and every host goes on: a host that is told of an error may
 * show it to its user at each step. The log and a counter tell of it instead; of a payload that is too large they tell as well.
 */
export function forgiveHooks({ calls, log, audit, clock, callerOf }: ForgivenessOptions): ErrorRequestHandler {
  return (error, req, res, next) => {
    const { problem } = problemFor(error);
    const isForgiven = FORGIVEN.has(problem.status);
    const isNoted = isForgiven || problem.status === TOO_LARGE;
    if (req.method !== 'POST' || !isHook(req.path) || !isNoted || res.headersSent) return next(error);
    const name = req.path.slice(HOOKS_PATH.length);
    const host = calls.hosts.includes(name) ? name : 'unknown';
    const startedMs = req.arrivedMs ?? clock.now();
    calls.note({ caller: callerOf(req), host, event: 'other', result: 'refused', startedMs });
    log.warn({ request_id: req.id, host, code: problem.code, status: problem.status }, 'a hook sent what is no good');
    if (!isForgiven) return next(error);
    audit.ended(req, problem);
    res.status(200).json({});
  };
}
