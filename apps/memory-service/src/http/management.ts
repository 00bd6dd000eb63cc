import type { Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import type { AgentCounts, Counts, MemoryStore } from '../domain/memory/memory-store.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import { viewerOf } from '../domain/memory/visibility.ts';
import { formatInstant, milliseconds } from '../wire/instant.ts';

export interface ManagementDeps {
  readonly store: MemoryStore;
  readonly persistence: Persistence;
}

export function managementHandlers({
  store,
  persistence,
}: ManagementDeps): Pick<Handlers<operations>, 'save' | 'getStats'> {
  return {
    save: async ({ caller }) => {
      const { tookMs } = await persistence.save();
      const { total } = countsView(sum([...(await store.counts(viewerOf(caller))).values()]));
      return { status: 200, body: { saved: true, memories: total, took_ms: milliseconds(tookMs) } };
    },
    getStats: async ({ caller }) => {
      const counts = await store.counts(viewerOf(caller));
      const agents = Object.fromEntries(inOrder(counts).map(([agentId, agent]) => [agentId, agentView(agent)]));
      const projects = Object.fromEntries(inOrder(await store.projectCounts(viewerOf(caller))));
      const totals = countsView(sum([...counts.values()]));
      return { status: 200, body: { agent_id: caller.agentId, agents, projects, totals } };
    },
  };
}

/** By name, so that all replicas of a space answer the same. */
function inOrder<Value>(named: ReadonlyMap<string, Value>): [string, Value][] {
  return [...named].sort(([one], [other]) => (one < other ? -1 : 1));
}

function sum(counts: readonly Counts[]): Counts {
  const total = { episodic: 0, semantic: 0, private: 0 };
  for (const one of counts) {
    total.episodic += one.episodic;
    total.semantic += one.semantic;
    total.private += one.private;
  }
  return total;
}

function countsView(counts: Counts) {
  const { episodic, semantic } = counts;
  return { episodic, semantic, total: episodic + semantic, private: counts.private };
}

function agentView(counts: AgentCounts) {
  return { ...countsView(counts), last_active_at: formatInstant(counts.lastActiveAt) };
}
