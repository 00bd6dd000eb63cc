import { type Act, type Memory, type Strength, sourceOf } from '../../domain/memory/memory.ts';
import { plainTags } from '../../domain/memory/plain-tags.ts';
import { instantText, optionalInstantText, optionalMilliseconds } from './instant-text.ts';

// Field names are those of the contract where it has them. Times are UTC ISO 8601 in whole milliseconds. Of the fields that came
// after the first version, those that say nothing are left out (JSON skips undefined).

export type WireObject = Readonly<Record<string, unknown>>;

export function memoryToWire(memory: Memory): WireObject {
  const createdAt = instantText(memory.createdAt);
  return {
    id: memory.id,
    gist: memory.gist,
    // The gist of a short message is the message and is left out (JSON skips undefined), which halves the file.
    content: memory.content === memory.gist ? undefined : memory.content,
    gist_edited: memory.gistEdited,
    tags: memory.tags,
    importance: memory.importance,
    agent_id: memory.agentId,
    session_id: memory.sessionId,
    scope: memory.scope,
    project: memory.project ?? undefined,
    kind: memory.kind,
    role: memory.role,
    name: memory.name,
    source: memory.source,
    entities: memory.entities,
    created_at: createdAt,
    updated_at: memory.updatedAt === memory.createdAt ? createdAt : instantText(memory.updatedAt),
    sources: memory.sources,
    consolidated_into: memory.consolidatedInto,
    superseded_by: memory.supersededBy,
    supersession: actToWire(memory.supersession),
    valid_from: optionalInstantText(memory.validFrom),
    valid_until: optionalInstantText(memory.validUntil),
    invalidation: actToWire(memory.invalidation),
    expires_at: optionalInstantText(memory.expiresAt),
    metadata: memory.metadata,
    idempotency_key: memory.idempotencyKey,
    tellings: memory.tellings,
    absorbed: memory.absorbed?.map((one) => ({
      memory: memoryToWire(one.memory),
      strength: strengthToWire(one.strength),
    })),
    own: memory.own,
  };
}

export function strengthToWire(strength: Readonly<Strength>): WireObject {
  return {
    last_recalled_at: strength.lastRecalledAt === null ? null : instantText(strength.lastRecalledAt),
    recall_count: strength.recallCount,
    stability_days: strength.stabilityDays,
    recalled_by: strength.recalledBy?.map(({ agentId, at }) => ({ agent_id: agentId, at: instantText(at) })),
  };
}

/** Reads a line whose check agrees, so that only lines of this service come here. */
export function memoryFromWire(wire: WireObject): Memory {
  const gist = wire.gist as string;
  const absorbed = wire.absorbed as { memory: WireObject; strength: WireObject }[] | undefined;
  const own = wire.own as Memory['own'];
  const tellings = wire.tellings as Memory['tellings'];
  return {
    id: wire.id as string,
    gist,
    content: (wire.content as string | undefined) ?? gist,
    gistEdited: wire.gist_edited as boolean,
    tags: plainTags(wire.tags as string[]),
    importance: wire.importance as number,
    agentId: wire.agent_id as string,
    sessionId: wire.session_id as string | null,
    scope: wire.scope as Memory['scope'],
    project: (wire.project as string | undefined) ?? null,
    kind: wire.kind as Memory['kind'],
    role: wire.role as Memory['role'],
    name: wire.name as string | null,
    // Lines of earlier versions have no source.
    source: (wire.source as Memory['source'] | undefined) ?? sourceOf(wire.role as Memory['role']),
    entities: wire.entities as Memory['entities'],
    createdAt: Date.parse(wire.created_at as string),
    updatedAt: Date.parse(wire.updated_at as string),
    sources: wire.sources as string[],
    consolidatedInto: wire.consolidated_into as string | null,
    supersededBy: wire.superseded_by as string | null,
    supersession: actFromWire(wire.supersession),
    validFrom: optionalMilliseconds(wire.valid_from),
    validUntil: optionalMilliseconds(wire.valid_until),
    invalidation: actFromWire(wire.invalidation),
    expiresAt: optionalMilliseconds(wire.expires_at),
    metadata: wire.metadata as Memory['metadata'],
    idempotencyKey: wire.idempotency_key as string | null,
    ...(tellings && { tellings }),
    ...(absorbed && {
      absorbed: absorbed.map((one) => ({
        memory: memoryFromWire(one.memory),
        strength: strengthFromWire(one.strength),
      })),
    }),
    ...(own && { own: { ...own, tags: plainTags(own.tags) } }),
  };
}

export function strengthFromWire(wire: WireObject): Strength {
  const lastRecalledAt = wire.last_recalled_at as string | null;
  // Lines of earlier versions do not say who.
  const recalledBy = wire.recalled_by as { agent_id: string; at: string }[] | undefined;
  return {
    lastRecalledAt: lastRecalledAt === null ? null : Date.parse(lastRecalledAt),
    recallCount: wire.recall_count as number,
    stabilityDays: wire.stability_days as number,
    ...(recalledBy && {
      recalledBy: recalledBy.map(({ agent_id: agentId, at }) => ({ agentId, at: Date.parse(at) })),
    }),
  };
}

function actToWire(act: Act | null): WireObject | undefined {
  return act ? { agent_id: act.agentId, at: instantText(act.at), reason: act.reason } : undefined;
}

function actFromWire(wire: unknown): Act | null {
  if (wire === undefined) return null;
  const { agent_id: agentId, at, reason } = wire as { agent_id: string; at: string; reason: string };
  return { agentId, at: Date.parse(at), reason };
}
