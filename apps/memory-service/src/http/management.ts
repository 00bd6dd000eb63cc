import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock, Handlers } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import type { AgentCounts, Counts, MemoryStore } from '../domain/memory-store.ts';
import type { Persistence } from '../domain/persistence.ts';
import { formatInstant, memoryView, milliseconds } from './views.ts';

export interface ManagementDeps {
  readonly clock: Clock;
  readonly store: MemoryStore;
  readonly persistence: Persistence;
}

export function managementHandlers({
  clock,
  store,
  persistence,
}: ManagementDeps): Pick<Handlers<operations>, 'save' | 'getStats' | 'exportMemories'> {
  return {
    save: async ({ caller }) => {
      const { bytes, tookMs } = await persistence.save();
      const { total } = countsView(sum([...(await store.counts(caller.agentId)).values()]));
      return { status: 200, body: { saved: true, memories: total, bytes, took_ms: milliseconds(tookMs) } };
    },
    getStats: async ({ caller }) => {
      const counts = await store.counts(caller.agentId);
      const agents = Object.fromEntries([...counts].map(([agentId, agent]) => [agentId, agentView(agent)]));
      return { status: 200, body: { agent_id: caller.agentId, agents, totals: countsView(sum([...counts.values()])) } };
    },
    exportMemories: async ({ caller, req, res }) => {
      res.status(200).type('application/x-ndjson');
      if (req.method === 'HEAD') {
        res.end();
        return undefined;
      }
      try {
        await pipeline(Readable.from(exportLines({ clock, store }, caller.agentId)), res);
      } catch (error) {
        // The client went away: nobody is left to tell.
        if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      }
      return undefined;
    },
  };
}

async function* exportLines({ clock, store }: Pick<ManagementDeps, 'clock' | 'store'>, callerAgentId: string) {
  for await (const batch of store.scan({ callerAgentId })) {
    if (batch.length === 0) continue;
    yield batch.map((kept) => `${JSON.stringify(memoryView(kept, clock.now()))}\n`).join('');
  }
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
