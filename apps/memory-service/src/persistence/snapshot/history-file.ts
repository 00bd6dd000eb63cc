import { type FileHandle, open } from 'node:fs/promises';
import type { PastVersion } from '../../domain/memory/history.ts';
import { type FiledLine, type KeptVersion, keptOf } from '../../store/changes/versions.ts';
import { intactCheck, withCheck } from '../files/checked-line.ts';
import { type Line, readLines } from '../files/line-reader.ts';
import type { WireObject } from '../files/memory-line.ts';
import { TextFile } from '../files/text-file.ts';
import { versionFromWire, versionToWire } from '../files/version-line.ts';

// NDJSON: a version in each line, with the check of its bytes. A save writes the file anew with the lines that are kept, and
// memories.json says how many there are.

/** The line that a save has written of each version. */
export type FiledLines = ReadonlyMap<KeptVersion, FiledLine>;

/**
 * Writes the versions, first those that `from` holds. Finds these by their checks, because an interrupted save may have put another
 * file in place of the one that they were read from.
 */
export async function writeHistory(
  path: string,
  { versions, from }: { versions: readonly KeptVersion[]; from: string },
): Promise<{ bytes: number; lines: FiledLines }> {
  const lines = new Map<KeptVersion, FiledLine>();
  const filed = new Map(versions.flatMap((kept) => (kept.line ? [[kept.line.check, kept] as const] : [])));
  let offset = 0;
  const { bytes } = await TextFile.write(path, async (text) => {
    const add = (kept: KeptVersion, line: string, check: string) => {
      const length = Buffer.byteLength(line);
      lines.set(kept, { offset, length, check });
      offset += length + 1;
      text.add(line);
      text.add('\n');
    };
    if (filed.size > 0) {
      for await (const batch of readLines(from)) {
        for (const { bytes: line, check } of batch.flatMap(intact)) {
          const kept = filed.get(check);
          if (kept && !lines.has(kept)) add(kept, line.toString(), check);
        }
        await text.drain();
      }
    }
    for (const kept of versions) {
      if (!kept.version || kept.line) continue;
      const { line, check } = withCheck(JSON.stringify(versionToWire(kept.version)));
      add(kept, line, check);
      if (text.isFull) await text.drain();
    }
  });
  return { bytes, lines };
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
export async function readVersions(path: string, lines: readonly FiledLine[]): Promise<(PastVersion | undefined)[]> {
  if (lines.length === 0) return [];
  const found = new Map<string, PastVersion>();
  const file = await open(path, 'r');
  try {
    for (const line of lines) {
      const bytes = await bytesOf(file, line);
      if (bytes && intactCheck(bytes) === line.check) found.set(line.check, versionIn(bytes));
    }
  } finally {
    await file.close();
  }
  if (lines.some(({ check }) => !found.has(check))) await findMoved(path, lines, found);
  return lines.map(({ check }) => found.get(check));
}

async function bytesOf(file: FileHandle, { offset, length }: FiledLine): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytesRead === length ? bytes : null;
}

async function findMoved(path: string, lines: readonly FiledLine[], found: Map<string, PastVersion>): Promise<void> {
  const wanted = new Set(lines.map(({ check }) => check));
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
