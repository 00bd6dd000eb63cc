import type { ChangeAct } from '../../domain/memory/change-act.ts';
import type { PastContradiction, PastVersion } from '../../domain/memory/history.ts';
import { instantText, optionalInstantText, optionalMilliseconds } from './instant-text.ts';
import { memoryFromWire, memoryToWire, strengthFromWire, strengthToWire, type WireObject } from './memory-line.ts';

export function changeActToWire({ operation, agentId, at, reason, run }: ChangeAct): WireObject {
  return {
    operation,
    agent_id: agentId ?? undefined,
    at: instantText(at),
    reason: reason ?? undefined,
    run: run ?? undefined,
  };
}

/** undefined for a change of an earlier version of the service, which has none. */
export function changeActFromWire(wire: unknown): ChangeAct | undefined {
  if (wire === undefined) return undefined;
  const { operation, agent_id, at, reason, run } = wire as WireObject;
  return {
    operation: operation as ChangeAct['operation'],
    agentId: (agent_id as string | undefined) ?? null,
    at: Date.parse(at as string),
    reason: (reason as string | undefined) ?? null,
    run: (run as string | undefined) ?? null,
  };
}

export function versionToWire(version: PastVersion): WireObject {
  const { id, before, after, released, contradictions } = version;
  return {
    id,
    act: changeActToWire(version),
    after: optionalInstantText(after),
    released: released.length > 0 ? released : undefined,
    contradictions: contradictions.length > 0 ? contradictions.map(contradictionToWire) : undefined,
    memory: before ? memoryToWire(before.memory) : undefined,
    strength: before ? strengthToWire(before.strength) : undefined,
  };
}

/** Reads a line whose check agrees, so that only lines of this service come here. */
export function versionFromWire(wire: WireObject): PastVersion {
  return {
    ...(changeActFromWire(wire.act) as PastVersion),
    id: wire.id as string,
    after: optionalMilliseconds(wire.after),
    released: (wire.released as string[] | undefined) ?? [],
    contradictions: ((wire.contradictions as WireObject[] | undefined) ?? []).map(contradictionFromWire),
    before: wire.memory
      ? {
          memory: memoryFromWire(wire.memory as WireObject),
          strength: strengthFromWire(wire.strength as WireObject),
        }
      : null,
  };
}

function contradictionToWire({ id, dismissed }: PastContradiction): WireObject {
  return { id, dismissed: dismissed ? { agent_id: dismissed.agentId, at: instantText(dismissed.at) } : undefined };
}

function contradictionFromWire({ id, dismissed }: WireObject): PastContradiction {
  if (dismissed === undefined) return { id: id as string, dismissed: null };
  const { agent_id, at } = dismissed as WireObject;
  return { id: id as string, dismissed: { agentId: agent_id as string, at: Date.parse(at as string) } };
}
