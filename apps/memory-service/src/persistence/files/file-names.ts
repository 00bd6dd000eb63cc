import { join } from 'node:path';

export const FAISS_FILE = 'faiss.index';
export const MEMORIES_FILE = 'memories.json';
/** What MEMORIES_FILE holds, in the form that is read fastest. */
export const PACKED_FILE = 'memories.packed';
export const ENTITIES_FILE = 'entities.json';
export const HISTORY_FILE = 'history.ndjson';
export const LOCK_FILE = 'lock';
/** In the data directory: a data directory for each space but the default one. */
export const SPACES_FOLDER = 'spaces';

/** The name of a file while it is still being written. */
export const temporary = (name: string): string => `${name}.tmp`;
/** The presence of this file shows that a save has written everything and only has to rename. */
export const COMMITTED_FILE = `${MEMORIES_FILE}.next`;

/** Ending of the mark of a segment: an empty file beside it, which shows that the segment existed if it disappears. */
export const markOf = (segmentPath: string): string => segmentPath.replace(/\.ndjson$/, '.begun');

const SEGMENT = /^journal-(\d{1,15})\.ndjson$/;

/** A file of the journal. Its name holds the number of the last change before it. */
export interface Segment {
  readonly path: string;
  readonly after: number;
}

export function segmentAfter(directory: string, after: number): Segment {
  return { path: join(directory, `journal-${after}.ndjson`), after };
}

/** Names of missing segments: their marks are there, so the service did not remove them. */
export function missingSegments(names: readonly string[]): string[] {
  return names
    .filter((name) => /^journal-\d+\.begun$/.test(name))
    .map((name) => name.replace(/begun$/, 'ndjson'))
    .filter((name) => !names.includes(name));
}

/** The segments among the names in a folder, in order. */
export function segmentsAmong(directory: string, names: readonly string[]): Segment[] {
  return names
    .flatMap((name) => {
      const after = SEGMENT.exec(name)?.[1];
      return after === undefined ? [] : [{ path: join(directory, name), after: Number(after) }];
    })
    .sort((a, b) => a.after - b.after);
}
