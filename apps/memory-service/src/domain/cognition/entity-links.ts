/** An entity as it connects what one caller sees. */
export interface EntityLink {
  /** How many memories name it. */
  readonly fan: number;
  /** Of the newest of those memories, each by itself: keys of all that it names, this entity among them. */
  readonly namedTogether: readonly (readonly string[])[];
}

/** What connects memories: the entities that they name, by key. */
export interface EntityLinks {
  /** Keys of the entities that a text names and the caller knows. */
  namedIn(text: string, callerAgentId: string): Promise<readonly string[]>;
  /** How many memories that the caller sees name each of these, in the same order. */
  fansOf(keys: readonly string[], callerAgentId: string): Promise<readonly number[]>;
  /** Each of these as the caller sees it, in the same order. @param options.newest memories of each that are read */
  linksOf(
    keys: readonly string[],
    callerAgentId: string,
    options: { readonly newest: number },
  ): Promise<readonly EntityLink[]>;
}
