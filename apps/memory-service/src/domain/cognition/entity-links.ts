/** What connects memories: the entities that they name, by key. */
export interface EntityLinks {
  /** Keys of the entities that a memory names. */
  keysOf(ordinal: number): readonly string[];
  /** How many memories that the caller sees name it. */
  fan(key: string, callerAgentId: string): number;
  /** Newest first, a bounded number. */
  linkedTo(key: string, accepts: (ordinal: number) => boolean): Iterable<number>;
  /** Keys of the entities that a text names and the caller knows. */
  namedIn(text: string, callerAgentId: string): string[];
}
