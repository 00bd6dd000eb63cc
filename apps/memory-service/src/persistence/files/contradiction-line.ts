import type { Contradiction, Decision, Opinion } from '../../domain/contradictions/contradiction.ts';
import type { ComparedChange } from '../../store/changes/change.ts';
import type { StoredComparison } from '../../store/indexes/comparisons.ts';
import { instantText } from './instant-text.ts';
import type { WireObject } from './memory-line.ts';

// Field names and times are those of memory-line.ts.

export function contradictionToWire(contradiction: Contradiction): WireObject {
  const { foundAt, decision, opinion, ...rest } = contradiction;
  return {
    ...rest,
    found_at: instantText(foundAt),
    decision: decision && decisionToWire(decision),
    // Left out by JSON where nobody was asked.
    opinion: opinion ? opinionToWire(opinion) : undefined,
  };
}

export function contradictionFromWire(wire: WireObject): Contradiction {
  const decision = wire.decision as WireObject | null;
  const opinion = wire.opinion as WireObject | undefined;
  return {
    id: wire.id as string,
    a: wire.a as string,
    b: wire.b as string,
    score: wire.score as number,
    reason: wire.reason as Contradiction['reason'],
    topic: wire.topic as string,
    clash: wire.clash as Contradiction['clash'],
    by: wire.by as string,
    foundAt: Date.parse(wire.found_at as string),
    decision: decision && decisionFromWire(decision),
    opinion: opinion ? opinionFromWire(opinion) : null,
  };
}

/** The comparisons as they are stored; undefined, which JSON leaves out, where nothing was compared or found. */
export function comparisonToWire(comparison: StoredComparison | undefined): WireObject | undefined {
  if (!comparison || (comparison.by === null && comparison.found.length === 0)) return undefined;
  const found = comparison.found.length > 0 ? comparison.found.map(contradictionToWire) : undefined;
  return { by: comparison.by, found };
}

export function comparisonFromWire(wire: WireObject | undefined): StoredComparison | undefined {
  if (!wire) return undefined;
  const found = (wire.found as WireObject[] | undefined) ?? [];
  return { by: wire.by as string | null, found: found.map(contradictionFromWire) };
}

export function comparedToWire({ found, ...rest }: ComparedChange): WireObject {
  return { ...rest, found: found.map(contradictionToWire) };
}

export function comparedFromWire(wire: WireObject): ComparedChange {
  return {
    op: 'compared',
    by: wire.by as string,
    memories: wire.memories as string[],
    read: wire.read as ComparedChange['read'],
    found: (wire.found as WireObject[]).map(contradictionFromWire),
  };
}

function decisionToWire({ agentId, at, ...rest }: Decision): WireObject {
  return { ...rest, agent_id: agentId, at: instantText(at) };
}

function decisionFromWire(wire: WireObject): Decision {
  return {
    winner: wire.winner as string | null,
    agentId: wire.agent_id as string,
    at: Date.parse(wire.at as string),
    note: wire.note as string | null,
  };
}

function opinionToWire({ agentId, at, ...rest }: Opinion): WireObject {
  return { ...rest, agent_id: agentId, at: instantText(at) };
}

function opinionFromWire(wire: WireObject): Opinion {
  return {
    says: wire.says as Opinion['says'],
    judge: wire.judge as string,
    agentId: wire.agent_id as string,
    at: Date.parse(wire.at as string),
    note: wire.note as string | null,
  };
}
