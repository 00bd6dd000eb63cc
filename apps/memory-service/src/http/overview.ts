import { type Clock, parseInstant, parseTimeRange } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import type { EditDeps } from '../domain/editing/edit-deps.ts';
import { readMemory } from '../domain/editing/read.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import { RecentAnswers } from '../domain/overview/recent-answers.ts';
import { type RelationsDeps, relationsOf } from '../domain/overview/relations.ts';
import { type Summary, summaryOf } from '../domain/overview/summary.ts';
import { type Timeline, timelineOf } from '../domain/overview/timeline.ts';
import { formatInstant } from '../wire/instant.ts';
import { memoryView, touched } from '../wire/memory-view.ts';
import { contradictionView } from './contradictions.ts';

type Schemas = components['schemas'];

const DEFAULT_BUCKETS = 100;
/** Characters of the text that a point in a picture shows. */
const SHOWN_CHARACTERS = 160;

export interface OverviewDeps {
  readonly clock: Clock;
  readonly store: EditDeps['store'] & RelationsDeps['store'];
  /** Grows with every change of the store. */
  readonly revision: () => number;
}

/** What pages draw. */
export function overviewHandlers(
  deps: OverviewDeps,
): Pick<Handlers<operations>, 'getTimeline' | 'getSummary' | 'getRelations'> {
  const { clock, store } = deps;
  const timelines = new RecentAnswers<Timeline>(deps);
  const summaries = new RecentAnswers<Summary>(deps);
  /** What expires leaves the store without a change, and from then on no answer has it: the size tells answers of before apart. */
  const asked = async (...question: readonly unknown[]) => [...question, await store.size()];
  return {
    getTimeline: async ({ query, caller }) => {
      const request = timelineRequest(query);
      const viewer = viewerOf(caller);
      const timeline = await timelines.of(await asked(viewer, request), () =>
        timelineOf({ store, nowMs: clock.now() }, viewer, request),
      );
      return { status: 200, body: timelineView(timeline) };
    },
    getSummary: async ({ caller }) => {
      const viewer = viewerOf(caller);
      const summary = await summaries.of(await asked(viewer), () => summaryOf({ store, nowMs: clock.now() }, viewer));
      return { status: 200, body: summaryView(summary, clock.now()), log: touched(summary.mostRecalled) };
    },
    getRelations: async ({ path, caller }) => {
      const viewer = viewerOf(caller);
      const { memory, strength } = await readMemory({ store }, viewer, path.id);
      const { contradictions, ...others } = await relationsOf({ store }, viewer, memory);
      const view = (stored: Parameters<typeof memoryView>[0]) => memoryView(stored, clock.now());
      return {
        status: 200,
        body: {
          sources: others.sources.map(view),
          derived: others.derived.map(view),
          supersedes: others.supersedes.map(view),
          said_before: others.saidBefore.map(view),
          said_after: others.saidAfter.map(view),
          contradictions: contradictions.map(contradictionView),
          recalled_by: (strength.recalledBy ?? []).map(({ agentId, at }) => ({
            agent_id: agentId,
            at: formatInstant(at),
          })),
        },
        log: touched(Object.values(others).flat()),
      };
    },
  };
}

type TimelineQuery = NonNullable<operations['getTimeline']['parameters']['query']>;

/** @throws InvalidInputError where it ends before it begins */
function timelineRequest({ since, until, as_of, buckets = DEFAULT_BUCKETS }: TimelineQuery) {
  const { sinceMs = null, untilMs = null } = parseTimeRange({ since, until }, 'query');
  const heldAtMs = as_of === undefined ? null : parseInstant(as_of, 'query/as_of');
  return { sinceMs, untilMs, heldAtMs, buckets };
}

function timelineView(timeline: Timeline): Schemas['Timeline'] {
  return {
    since: formatInstant(timeline.sinceMs),
    until: formatInstant(timeline.untilMs),
    as_of: formatInstant(timeline.heldAtMs),
    total: timeline.total,
    lanes: timeline.lanes.map(({ agentId, kind, counts, held }) => ({ agent_id: agentId, kind, counts, held })),
    sessions: timeline.sessions.map(({ agentId, sessionId, firstAt, lastAt, count }) => ({
      agent_id: agentId,
      session_id: sessionId,
      first_at: formatInstant(firstAt),
      last_at: formatInstant(lastAt),
      count,
    })),
    sessions_total: timeline.sessionsTotal,
    points:
      timeline.points?.map(({ memory, isHeld }) => ({
        id: memory.id,
        agent_id: memory.agentId,
        session_id: memory.sessionId,
        kind: memory.kind,
        created_at: formatInstant(memory.createdAt),
        held: isHeld,
        gist: beginningOf(memory.gist),
      })) ?? null,
  };
}

/** Whole characters, so that no half of a surrogate pair is left. */
function beginningOf(text: string): string {
  return [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
}

function summaryView(summary: Summary, nowMs: number): Schemas['Summary'] {
  return {
    total: summary.total,
    superseded: summary.superseded,
    ended: summary.ended,
    never_recalled: summary.neverRecalled,
    strength: [...summary.strength],
    most_recalled: summary.mostRecalled.map((stored) => memoryView(stored, nowMs)),
  };
}
