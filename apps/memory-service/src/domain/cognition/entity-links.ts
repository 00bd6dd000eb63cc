import type { Viewer } from '../memory/visibility.ts';
import type { ReadNames } from '../text/entities/entities.ts';

/** An entity with its links among the memories that one caller sees. */
export interface EntityLink {
  /** How many memories name it. */
  readonly fan: number;
  /** For each of the newest of those memories, the keys of all entities that it names, this one included. */
  readonly namedTogether: readonly (readonly string[])[];
}

/** The links between memories: the entities that they name, by key. */
export interface EntityLinks {
  /** Keys of the entities that a text names and the caller knows. @param text or its names, where these were read before */
  namedIn(text: string | ReadNames, viewer: Viewer): Promise<readonly string[]>;
  /** For each of these entities, in order, how many memories that the caller sees name it. */
  fansOf(keys: readonly string[], viewer: Viewer): Promise<readonly number[]>;
  /** These entities, in order, as the caller sees them. @param options.newest number of memories of each that are read */
  linksOf(
    keys: readonly string[],
    viewer: Viewer,
    options: { readonly newest: number },
  ): Promise<readonly EntityLink[]>;
}
