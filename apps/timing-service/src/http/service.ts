import { type Clock, parseInstant } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { secondsBetween } from '../domain/instant.ts';
import type { NamePageRequest } from '../domain/page.ts';
import type { SpaceStores, StoreCondition } from '../domain/space.ts';
import { formatInstant, shownSeconds } from '../wire/instant.ts';
import { formatNameCursor, parseNameCursor } from '../wire/page-cursor.ts';
import { whoseOf } from './agent-scope.ts';

export interface HealthDeps {
  readonly clock: Clock;
  readonly version: string;
  /** Of the process, epoch milliseconds. */
  readonly startedAtMs: number;
  /** Of the database of the space. */
  readonly place: () => string;
  readonly condition: Pick<StoreCondition, 'check'>;
}

/** The server itself, as it serves one space. */
export function healthHandlers(deps: HealthDeps): Pick<Handlers<operations>, 'getHealth'> {
  const { clock, version, startedAtMs, place, condition } = deps;
  return {
    getHealth: () => {
      condition.check();
      const uptime_seconds = shownSeconds(secondsBetween(startedAtMs, clock.now()));
      return { status: 200, body: { status: 'ok', version, uptime_seconds, database: { ok: true, path: place() } } };
    },
  };
}

/** The clock of the server. */
export function clockHandlers({
  clock,
}: Pick<HealthDeps, 'clock'>): Pick<Handlers<operations>, 'getNow' | 'getElapsed'> {
  return {
    getNow: () => {
      const nowMs = clock.now();
      return { status: 200, body: { now: formatInstant(nowMs), unix: Math.round(nowMs * 1000) / 1e6 } };
    },
    getElapsed: ({ query }) => {
      const sinceMs = parseInstant(query.since, 'query/since');
      // Not clamped: an instant in the future is a negative time ago.
      const elapsed = (clock.now() - sinceMs) / 1000;
      return { status: 200, body: { elapsed_seconds: Number(elapsed.toFixed(3)), since: query.since } };
    },
  };
}

/** Who and what is in a space. */
export function nameHandlers({
  events,
}: Pick<SpaceStores, 'events'>): Pick<Handlers<operations>, 'listAgents' | 'listProjects'> {
  return {
    listAgents: async ({ query }) => {
      const { items, next } = await events.agents(pageOf(query));
      return { status: 200, body: { agents: items, next_cursor: formatNameCursor(next) } };
    },
    listProjects: async ({ query, caller }) => {
      const { items, next } = await events.projects(whoseOf(caller), pageOf(query));
      return { status: 200, body: { projects: items, next_cursor: formatNameCursor(next) } };
    },
  };
}

/** A page of so many names takes 10 ms; nearly all callers have them all in the first one. */
const NAMES_A_PAGE = 10_000;

function pageOf({ limit, cursor }: { readonly limit?: number; readonly cursor?: string }): NamePageRequest {
  return { limit: limit ?? NAMES_A_PAGE, after: parseNameCursor(cursor) };
}
