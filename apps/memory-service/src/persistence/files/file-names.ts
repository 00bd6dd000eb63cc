import { join } from 'node:path';

export const FAISS_FILE = 'faiss.index';
export const MEMORIES_FILE = 'memories.json';
export const ENTITIES_FILE = 'entities.json';
export const LOCK_FILE = 'lock';

/** A file that a save is still writing. */
export const temporary = (name: string): string => `${name}.tmp`;
/** Its presence says that a save has written everything and has only names to change. */
export const COMMITTED_FILE = `${MEMORIES_FILE}.next`;

/** An empty file beside a segment. It says that there was one, should it disappear. */
export const markOf = (segmentPath: string): string => segmentPath.replace(/\.ndjson$/, '.begun');

const SEGMENT = /^journal-(\d{1,15})\.ndjson$/;

/** A file of the journal. Its name says which change was the last before it. */
export interface Segment {
  readonly path: string;
  readonly after: number;
}

export function segmentAfter(directory: string, after: number): Segment {
  return { path: join(directory, `journal-${after}.ndjson`), after };
}

/** Names of segments that are gone, though nothing of the service removed them. */
export function missingSegments(names: readonly string[]): string[] {
  return names
    .filter((name) => /^journal-\d+\.begun$/.test(name))
    .map((name) => name.replace(/begun$/, 'ndjson'))
    .filter((name) => !names.includes(name));
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
