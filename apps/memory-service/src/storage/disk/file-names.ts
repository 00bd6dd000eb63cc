import { join } from 'node:path';

export const FAISS_FILE = 'faiss.index';
export const MEMORIES_FILE = 'memories.json';
export const ENTITIES_FILE = 'entities.json';
export const LOCK_FILE = 'lock';

/** A file that a save is still writing. */
export const temporary = (name: string): string => `${name}.tmp`;
/** Its presence says that a save has written everything and has only names to change. */
export const COMMITTED_FILE = `${MEMORIES_FILE}.next`;

const SEGMENT = /^journal-(\d{1,15})\.ndjson$/;

/** A file of the journal. Its name says which change was the last before it. */
export interface Segment {
  readonly path: string;
  readonly after: number;
}

export function segmentAfter(directory: string, after: number): Segment {
  return { path: join(directory, `journal-${after}.ndjson`), after };
}

/** The segments among the names of a folder, in order. */
export function segmentsAmong(directory: string, names: readonly string[]): Segment[] {
  return names
    .flatMap((name) => {
      const after = SEGMENT.exec(name)?.[1];
      return after === undefined ? [] : [{ path: join(directory, name), after: Number(after) }];
    })
    .sort((a, b) => a.after - b.after);
}
