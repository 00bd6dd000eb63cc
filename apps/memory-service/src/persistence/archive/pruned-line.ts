import type { PrunedMemory } from '../../domain/memory/memory.ts';
import { instantText } from '../files/instant-text.ts';
import {
  memoryFromWire,
  memoryToWire,
  strengthFromWire,
  strengthToWire,
  type WireObject,
} from '../files/memory-line.ts';

/** A memory of the archive as it is kept, in a file or a table. */
export function prunedToWire({ memory, strength, prunedAt }: PrunedMemory): WireObject {
  return {
    pruned_at: instantText(prunedAt),
    memory: memoryToWire(memory),
    strength: strengthToWire(strength),
  };
}

export function prunedFromWire(wire: WireObject): PrunedMemory {
  return {
    memory: memoryFromWire(wire.memory as WireObject),
    strength: strengthFromWire(wire.strength as WireObject),
    prunedAt: Date.parse(wire.pruned_at as string),
  };
}
