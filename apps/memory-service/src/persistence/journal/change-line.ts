import { InvalidInputError } from '@agent-faculties/service-kit';
import type { Contradiction } from '../../domain/contradictions/contradiction.ts';
import { vectorsFromBase64, vectorsToBase64 } from '../../domain/embedding/vector-base64.ts';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { ChangeAct } from '../../domain/memory/change-act.ts';
import type { Expected, Strengthening } from '../../domain/memory/decision.ts';
import type { Memory, Strength } from '../../domain/memory/memory.ts';
import type { Change, ComparedChange, SingleChange } from '../../store/changes/change.ts';
import {
  comparedFromWire,
  comparedToWire,
  contradictionFromWire,
  contradictionToWire,
} from '../files/contradiction-line.ts';
import { MAX_LINE_BYTES } from '../files/line-reader.ts';
import {
  memoryFromWire,
  memoryToWire,
  strengthFromWire,
  strengthToWire,
  type WireObject,
} from '../files/memory-line.ts';
import { changeActFromWire as actFromWire, changeActToWire as actToWire } from '../files/version-line.ts';

/** Vectors, one after the other, with their model. */
export interface PackedVectors {
  readonly model: VectorModel;
  readonly values: Float32Array;
}

/** A change as it is read from the journal. */
export type ReadChange = ReadSingleChange | ReadChangeGroup;

export interface ReadChangeGroup {
  readonly op: 'group';
  readonly expected: readonly Expected[];
  readonly changes: readonly ReadSingleChange[];
  readonly act: ChangeAct | undefined;
}

export type ReadSingleChange =
  | {
      readonly op: 'add';
      readonly memory: Memory;
      readonly strength: Strength | null;
      readonly vectors: PackedVectors | null;
    }
  | {
      readonly op: 'update';
      readonly memory: Memory;
      readonly strength: Strength | undefined;
      /** undefined: the text is unchanged; null: the text is new and has no vectors. */
      readonly vectors: PackedVectors | null | undefined;
    }
  | { readonly op: 'delete'; readonly ids: readonly string[] }
  | ComparedChange
  | { readonly op: 'decided'; readonly contradiction: Contradiction }
  | { readonly op: 'erased'; readonly ids: readonly string[] }
  | { readonly op: 'strengthened'; readonly recalled: readonly Strengthening[] };

/** A newer version of the service wrote this change. */
export class UnknownChangeError extends Error {}

/**
 * The longest change. At three bytes a character a start can still read the line, also in memories.json, where a memory's line holds
 * comparisons and readings too; and a statement of a database and its answer stay small.
 */
const MAX_CHANGE_CHARACTERS = MAX_LINE_BYTES / 4;

/** The JSON of a change that is short enough to be written. @throws InvalidInputError */
export function changeToShortJson(change: Change, model: VectorModel | null): string {
  const json = changeToJson(change, model);
  if (json.length <= MAX_CHANGE_CHARACTERS) return json;
  throw new InvalidInputError(
    `This would change ${json.length} characters at once, more than ${MAX_CHANGE_CHARACTERS}: nothing was changed. Change fewer memories at a time.`,
  );
}

/** A change as JSON. @param model the model of its vectors; null where there are none */
export function changeToJson(change: Change, model: VectorModel | null): string {
  if (change.op !== 'group') return singleToJson(change, model);
  const changes = change.changes.map((one) => singleToJson(one, model)).join(',');
  const act = change.act ? `,"act":${JSON.stringify(actToWire(change.act))}` : '';
  return `{"op":"group","expected":${JSON.stringify(change.expected)},"changes":[${changes}]${act}}`;
}

function singleToJson(change: SingleChange, model: VectorModel | null): string {
  if (change.op === 'delete' || change.op === 'erased') return JSON.stringify(change);
  if (change.op === 'compared') return JSON.stringify(comparedToWire(change));
  if (change.op === 'decided') {
    return JSON.stringify({ op: change.op, contradiction: contradictionToWire(change.contradiction) });
  }
  if (change.op === 'strengthened') {
    const recalled = change.recalled.map(({ id, strength }) => ({ id, strength: strengthToWire(strength) }));
    return JSON.stringify({ op: change.op, recalled });
  }
  const { op, memory, strength, vectors } = change;
  return JSON.stringify({
    op,
    memory: memoryToWire(memory),
    ...(strength && { strength: strengthToWire(strength) }),
    ...(vectors && { vectors: vectorsToWire(vectors, model) }),
  });
}

/** @throws UnknownChangeError */
export function changeFromWire(wire: WireObject): ReadChange {
  if (wire.op !== 'group') return singleFromWire(wire);
  const changes = (wire.changes as WireObject[]).map(singleFromWire);
  return { op: 'group', expected: wire.expected as Expected[], changes, act: actFromWire(wire.act) };
}

function singleFromWire(wire: WireObject): ReadSingleChange {
  const { op } = wire;
  const strength = wire.strength ? strengthFromWire(wire.strength as WireObject) : undefined;
  switch (op) {
    case 'add':
      return { op, memory: memoryOf(wire), strength: strength ?? null, vectors: vectorsFromWire(wire) ?? null };
    case 'update':
      return { op, memory: memoryOf(wire), strength, vectors: vectorsFromWire(wire) };
    case 'delete':
    case 'erased':
      return { op, ids: wire.ids as string[] };
    case 'compared':
      return comparedFromWire(wire);
    case 'decided':
      return { op, contradiction: contradictionFromWire(wire.contradiction as WireObject) };
    case 'strengthened': {
      const recalled = wire.recalled as { id: string; strength: WireObject }[];
      return { op, recalled: recalled.map(({ id, strength: one }) => ({ id, strength: strengthFromWire(one) })) };
    }
    default:
      throw new UnknownChangeError(`the change '${op}'`);
  }
}

function memoryOf(wire: WireObject): Memory {
  return memoryFromWire(wire.memory as WireObject);
}

function vectorsToWire(vectors: readonly Float32Array[], model: VectorModel | null): WireObject | null {
  if (!model || vectors.length === 0) return null;
  return { model: model.id, dimension: model.dimension, base64: vectorsToBase64(vectors) };
}

function vectorsFromWire(wire: WireObject): PackedVectors | null | undefined {
  if (!('vectors' in wire)) return undefined;
  const packed = wire.vectors as { model: string; dimension: number; base64: string } | null;
  if (!packed) return null;
  return { model: { id: packed.model, dimension: packed.dimension }, values: vectorsFromBase64(packed.base64) };
}
