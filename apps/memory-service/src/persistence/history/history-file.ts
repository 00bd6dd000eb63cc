import { type FileHandle, open } from 'node:fs/promises';
import type { PastVersion } from '../../domain/memory/history.ts';
import { type KeptVersion, keptOf, type VersionPlace } from '../../store/versions.ts';
import { intactCheck, withCheck } from '../files/checked-line.ts';
import { type Line, readLines } from '../files/line-reader.ts';
import type { WireObject } from '../files/memory-line.ts';
import { TextFile } from '../files/text-file.ts';
import { versionFromWire, versionToWire } from '../files/version-line.ts';

// NDJSON: a version in each line, with the check of its bytes. A save writes the file anew with the lines that are kept, and
// memories.json says how many there are.

/** Where a save has written each version. */
export type Places = ReadonlyMap<KeptVersion, VersionPlace>;

/**
 * Writes the versions, first those that `from` holds. Finds these by their checks, because an interrupted save may have put another
 * file in place of the one that they were read from.
 */
export async function writeHistory(
  path: string,
  { versions, from }: { versions: readonly KeptVersion[]; from: string },
): Promise<{ bytes: number; places: Places }> {
  const places = new Map<KeptVersion, VersionPlace>();
  const filed = new Map(versions.flatMap((kept) => (kept.place ? [[kept.place.check, kept] as const] : [])));
  let offset = 0;
  const { bytes } = await TextFile.write(path, async (text) => {
    const add = (kept: KeptVersion, line: string, check: string) => {
      const length = Buffer.byteLength(line);
      places.set(kept, { offset, length, check });
      offset += length + 1;
      text.add(line);
      text.add('\n');
    };
    if (filed.size > 0) {
      for await (const batch of readLines(from)) {
        for (const { bytes: line, check } of batch.flatMap(intact)) {
          const kept = filed.get(check);
          if (kept && !places.has(kept)) add(kept, line.toString(), check);
        }
        await text.drain();
      }
    }
    for (const kept of versions) {
      if (!kept.version || kept.place) continue;
      const { line, check } = withCheck(JSON.stringify(versionToWire(kept.version)));
      add(kept, line, check);
      if (text.isFull) await text.drain();
    }
  });
  return { bytes, places };
}

/** The versions of a file, in order. @param damage called with the number of each line that cannot be read */
export async function* keptIn(path: string, damage: (line: number) => void): AsyncGenerator<KeptVersion> {
  let offset = 0;
  for await (const batch of readLines(path)) {
    for (const line of batch) {
      const [sound] = intact(line);
      if (sound) yield keptOf(versionIn(sound.bytes), { offset, length: line.bytes.length, check: sound.check });
      else damage(line.number);
      offset += line.bytes.length + 1;
    }
  }
}

/** Reads some versions; one that is not where it was is looked for in the whole file. */
export async function readVersions(
  path: string,
  places: readonly VersionPlace[],
): Promise<(PastVersion | undefined)[]> {
  if (places.length === 0) return [];
  const found = new Map<string, PastVersion>();
  const file = await open(path, 'r');
  try {
    for (const place of places) {
      const line = await lineAt(file, place);
      if (line && intactCheck(line) === place.check) found.set(place.check, versionIn(line));
    }
  } finally {
    await file.close();
  }
  if (places.some(({ check }) => !found.has(check))) await findMoved(path, places, found);
  return places.map(({ check }) => found.get(check));
}

async function lineAt(file: FileHandle, { offset, length }: VersionPlace): Promise<Buffer | null> {
  const line = Buffer.alloc(length);
  const { bytesRead } = await file.read(line, 0, length, offset);
  return bytesRead === length ? line : null;
}

async function findMoved(
  path: string,
  places: readonly VersionPlace[],
  found: Map<string, PastVersion>,
): Promise<void> {
  const wanted = new Set(places.map(({ check }) => check));
  for await (const batch of readLines(path)) {
    for (const { bytes, check } of batch.flatMap(intact)) if (wanted.has(check)) found.set(check, versionIn(bytes));
  }
}

function intact({ bytes, ended }: Line): { bytes: Buffer; check: string }[] {
  const check = ended ? intactCheck(bytes) : null;
  return check === null ? [] : [{ bytes, check }];
}

function versionIn(line: Buffer): PastVersion {
  return versionFromWire(JSON.parse(line.toString()) as WireObject);
}
