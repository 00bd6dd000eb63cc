import { InvalidInputError } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { components, operations } from '../api.gen.ts';
import { stateOf } from '../domain/contradictions/contradiction.ts';
import {
  type DecideDeps,
  decideContradiction,
  judgeContradiction,
  type Verdict,
} from '../domain/contradictions/decide.ts';
import { explanationOf } from '../domain/contradictions/explanation.ts';
import {
  type ContradictionDeps,
  type Disagreement,
  doubtfulPairs,
  listContradictions,
} from '../domain/contradictions/list-contradictions.ts';
import { DEFAULT_THRESHOLD, HIGH_CONFIDENCE } from '../domain/contradictions/pairs/thresholds.ts';
import type { Memory } from '../domain/memory/memory.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import { formatInstant } from '../wire/instant.ts';

type Schemas = components['schemas'];
type ContradictionOperations = 'listContradictions' | 'listDoubtful' | 'judgeContradiction' | 'resolveContradiction';

const DEFAULT_LIMIT = 100;
const DEFAULT_DOUBTFUL = 20;

export function contradictionHandlers(
  deps: ContradictionDeps & DecideDeps,
): Pick<Handlers<operations>, ContradictionOperations> {
  return {
    listContradictions: async ({ body, caller }) => {
      const threshold = body?.threshold ?? DEFAULT_THRESHOLD;
      const { items, total, compared, pending } = await listContradictions(deps, viewerOf(caller), {
        threshold,
        agentIds: body?.agent_ids ?? [],
        states: body?.states ?? ['open'],
        includeSameAgent: body?.include_same_agent ?? false,
        limit: body?.limit ?? DEFAULT_LIMIT,
        waitMs: body?.wait_ms,
      });
      return {
        status: 200,
        body: { contradictions: items.map(contradictionView), total, compared, pending, threshold },
        log: { memory_ids: items.flatMap(({ a, b }) => [a.id, b.id]) },
      };
    },
    listDoubtful: async ({ query, caller }) => {
      const { items, total } = await doubtfulPairs(deps, viewerOf(caller), {
        limit: query.limit ?? DEFAULT_DOUBTFUL,
        includeSameAgent: query.include_same_agent ?? false,
      });
      return {
        status: 200,
        body: { pairs: items.map(contradictionView), total },
        log: { memory_ids: items.flatMap(({ a, b }) => [a.id, b.id]) },
      };
    },
    judgeContradiction: async ({ path, body, caller, recordWrite }) => {
      const { says, judge, note = null } = body;
      const judged = await judgeContradiction(deps, viewerOf(caller), { id: path.id, says, judge, note });
      recordWrite('contradictions', [path.id]);
      return {
        status: 200,
        body: { contradiction: contradictionView(judged) },
        log: { memory_ids: [judged.a.id, judged.b.id] },
      };
    },
    resolveContradiction: async ({ path, body, caller, recordWrite }) => {
      const decided = await decideContradiction(deps, viewerOf(caller), {
        id: path.id,
        verdict: verdictOf(body),
        note: body.note ?? null,
      });
      recordWrite('contradictions', [path.id]);
      return {
        status: 200,
        body: { contradiction: contradictionView(decided) },
        log: { memory_ids: [decided.a.id, decided.b.id] },
      };
    },
  };
}

function verdictOf({ winner, dismiss, reopen }: Schemas['Verdict']): Verdict {
  const given = [winner, dismiss, reopen].filter((one) => one !== undefined);
  if (given.length !== 1) throw InvalidInputError.at('body', 'must have exactly one of winner, dismiss and reopen');
  if (winner !== undefined) return { kind: 'winner', memoryId: winner };
  return { kind: dismiss ? 'dismiss' : 'reopen' };
}

/** What a memory contradicts, as it stands beside that memory. */
export function contradictedView(
  memoryId: string,
  disagreements: readonly Disagreement[],
): Schemas['OpenContradictions'] {
  return disagreements
    .filter(({ a, b }) => a.id === memoryId || b.id === memoryId)
    .map((disagreement) => {
      const { contradiction, a, b } = disagreement;
      const other = a.id === memoryId ? b : a;
      return {
        id: contradiction.id,
        score: contradiction.score,
        explanation: explanationOf(disagreement),
        other: {
          id: other.id,
          agent_id: other.agentId,
          name: other.name,
          gist: other.gist,
          created_at: formatInstant(other.createdAt),
        },
      };
    });
}

export function contradictionView(disagreement: Disagreement): Schemas['Contradiction'] {
  const { contradiction, a, b } = disagreement;
  const { id, score, reason, topic, clash, decision, opinion, foundAt } = contradiction;
  return {
    id,
    score,
    confidence: score >= HIGH_CONFIDENCE ? 'high' : 'medium',
    reason,
    explanation: explanationOf(disagreement),
    topic,
    state: stateOf(contradiction),
    decision: decision && {
      winner: decision.winner,
      agent_id: decision.agentId,
      decided_at: formatInstant(decision.at),
      note: decision.note,
    },
    opinion: opinion && {
      says: opinion.says,
      judge: opinion.judge,
      agent_id: opinion.agentId,
      at: formatInstant(opinion.at),
      note: opinion.note,
    },
    found_at: formatInstant(foundAt),
    a: claimView(a, clash.a),
    b: claimView(b, clash.b),
  };
}

function claimView(memory: Memory, clash: readonly string[]): Schemas['Claim'] {
  return {
    memory_id: memory.id,
    agent_id: memory.agentId,
    scope: memory.scope,
    project: memory.project,
    session_id: memory.sessionId,
    role: memory.role,
    name: memory.name,
    gist: memory.gist,
    created_at: formatInstant(memory.createdAt),
    clash: [...clash],
  };
}
