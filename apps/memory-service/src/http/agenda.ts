import {
  type Clock,
  DAY_MS,
  InvalidInputError,
  parseInstant,
  timeZoneName,
  utcDay,
  wallTime,
} from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import type { MemoryStore } from '../domain/memory/memory-store.ts';
import { plainTags } from '../domain/memory/plain-tags.ts';
import { type AgendaEntry, type AgendaRequest, agendaOf } from '../domain/overview/agenda.ts';
import { MOST_DAYS } from '../domain/text/days/day-terms.ts';
import { beginningOf } from '../domain/text/times/time-period.ts';
import { formatInstant } from '../wire/instant.ts';
import { listedFor } from './agent-scope.ts';

type Schemas = components['schemas'];
type AgendaQuery = NonNullable<operations['getAgenda']['parameters']['query']>;

const DEFAULT_DAYS = 14;
const DEFAULT_LIMIT = 20;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Years have four digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);

export function agendaHandlers(
  { clock, store }: { readonly clock: Clock; readonly store: Pick<MemoryStore, 'naming'> },
  { defaultAgentId }: { defaultAgentId: string },
): Pick<Handlers<operations>, 'getAgenda'> {
  return {
    getAgenda: async ({ query, caller, req }) => {
      const request = agendaRequest(query, clock.now());
      const filter = {
        ...listedFor({ query, caller, req }, { defaultAgentId }),
        sessionId: query.session_id,
        scope: query.scope,
        tags: query.tag === undefined ? undefined : plainTags([query.tag]),
        heldAtMs: query.as_of === undefined ? clock.now() : parseInstant(query.as_of, 'query/as_of'),
        kinds: ['episodic' as const],
      };
      const { days, months } = await agendaOf({ store, clock }, filter, request);
      const shown = [...days, ...months].flatMap(({ entries }) => entries);
      return {
        status: 200,
        body: {
          time_zone: timeZoneName(),
          first_day: utcDay(request.firstDay),
          last_day: utcDay(request.lastDay),
          days: days.map(({ from, total, entries }) => ({
            day: utcDay(from),
            total,
            memories: entries.map(entryView),
          })),
          months: months.map(({ from, total, entries }) => ({
            month: utcDay(from).slice(0, 7),
            total,
            memories: entries.map(entryView),
          })),
        },
        log: { memory_ids: [...new Set(shown.map(({ memory }) => memory.id))] },
      };
    },
  };
}

/** @throws InvalidInputError for days that the calendar does not have, too many of them, or none */
function agendaRequest({ from, to, days, limit = DEFAULT_LIMIT }: AgendaQuery, nowMs: number): AgendaRequest {
  const firstDay = from === undefined ? beginningOf(wallTime(nowMs), 'day') : parseDay(from, 'query/from');
  if (to !== undefined && days !== undefined)
    throw InvalidInputError.at('query/days', 'cannot stand beside to: send one of the two');
  const lastDay = to === undefined ? firstDay + ((days ?? DEFAULT_DAYS) - 1) * DAY_MS : parseDay(to, 'query/to');
  if (lastDay < firstDay)
    throw InvalidInputError.at('query/to', `must not be before from, which is ${utcDay(firstDay)}`);
  const latest = firstDay + (MOST_DAYS - 1) * DAY_MS;
  if (lastDay > latest)
    throw InvalidInputError.at('query/to', `must be ${utcDay(latest)} at the latest, the last of ${MOST_DAYS} days`);
  if (lastDay > LAST_DAY) throw InvalidInputError.at('query/days', 'go beyond the year 9999');
  return { firstDay, lastDay, limit };
}

function parseDay(text: string, where: string): number {
  const day = ISO_DAY.test(text) ? Date.parse(text) : Number.NaN;
  // A leap day of another year would become the first of March.
  const isOfCalendar = !Number.isNaN(day) && utcDay(day) === text;
  if (isOfCalendar) return day;
  throw InvalidInputError.at(where, `'${text}' is no day of the calendar: send one such as 2026-11-30`);
}

function entryView({ memory, text, firstDay, lastDay, isRecurring, isCalledOff }: AgendaEntry): Schemas['AgendaEntry'] {
  return {
    id: memory.id,
    text,
    first_day: utcDay(firstDay),
    last_day: utcDay(lastDay),
    recurring: isRecurring,
    called_off: isCalledOff,
    agent_id: memory.agentId,
    name: memory.name,
    role: memory.role,
    source: memory.source,
    scope: memory.scope,
    project: memory.project,
    created_at: formatInstant(memory.createdAt),
  };
}
