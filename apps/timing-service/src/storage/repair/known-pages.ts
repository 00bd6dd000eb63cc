import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { isSame, pageChecksum, wordsOf } from '../page-sums/checksum.ts';
import { isOwnLog, pagesOf } from '../page-sums/examine.ts';
import { FRAME_HEADER_BYTES, type Frame, type LogContents, offsetOf, readLog } from '../page-sums/log-file.ts';
import { isSameLog, type Mark, NO_LOG, readPageSize, readSums, type SumsHeader } from '../page-sums/sums-file.ts';
import type { PageSource } from './b-tree.ts';

export interface KnownPages {
  readonly page: PageSource;
  readonly count: number;
  readonly bad: number;
  /** Whether pages can be checked; without page sums every page is taken as it is. */
  readonly areVouched: boolean;
  /** Transactions that were committed and of which not all pages are known: left out, as are those after them. */
  readonly lostTransactions: number;
  readonly notes: readonly string[];
  close(): void;
}

type Sums = NonNullable<ReturnType<typeof readSums>>;

/**
 * The pages of the last moment that can be reconstructed. With page sums, a page counts only if it matches its checksum, in the
 * database or in the log; then come the transactions of the log after the checksums, up to the first broken one.
 */
export function openKnownPages(path: string): KnownPages {
  const notes: string[] = [];
  const sums = sumsOrNote(path, notes);
  const file = existsSync(path) ? openSync(path, 'r') : null;
  const logFile = existsSync(`${path}-wal`) ? openSync(`${path}-wal`, 'r') : null;
  const pageSize = sums?.header.pageSize ?? (file === null ? 0 : readPageSize(file));
  const log = ownLog(readLog(`${path}-wal`), sums, notes);
  const size = isPageSize(pageSize) ? pageSize : (log?.header?.pageSize ?? 4_096);
  const read = (from: number, at: number): Buffer | null => {
    const bytes = Buffer.from(new ArrayBuffer(size));
    return readSync(from, bytes, 0, size, at) === size ? bytes : null;
  };
  const inFile = (page: number) => (file === null ? null : read(file, (page - 1) * size));
  const inLog = ({ number }: Frame) =>
    logFile === null ? null : read(logFile, offsetOf({ pageSize: size }, number) + FRAME_HEADER_BYTES);

  const summed = sums && log?.header && isSameLog(sums.header.summed, log.header) ? sums.header.summed : NO_LOG;
  const { applied, lostTransactions } = newerFrames(log, sums?.header ?? null, summed);
  const latest = new Map(applied.map((frame) => [frame.page, frame]));
  const older = new Map<number, Frame[]>();
  for (const frame of log?.frames.slice(0, summed.frames) ?? []) {
    older.set(frame.page, [frame, ...(older.get(frame.page) ?? [])]);
  }

  const page: PageSource = (number) => {
    const newer = latest.get(number);
    if (newer) return inLog(newer);
    const found = inFile(number);
    if (!sums) return found;
    const wanted = sums.sumOf(number);
    const isWanted = (bytes: Buffer | null) => wanted && bytes && isSame(pageChecksum(number, wordsOf(bytes)), wanted);
    if (isWanted(found)) return found;
    return older.get(number)?.map(inLog).find(isWanted) ?? null;
  };
  const last = applied.findLast(({ commitPages }) => commitPages > 0)?.commitPages;
  const count = last ?? pageCount(page, { file, size, sums });
  let bad = 0;
  for (let number = 1; number <= count; number++) {
    if (page(number) === null && (!sums || sums.sumOf(number))) bad++;
  }
  const close = () => {
    for (const open of [file, logFile]) if (open !== null) closeSync(open);
  };
  return { page, count, bad, areVouched: sums !== null, lostTransactions, notes, close };
}

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

function sumsOrNote(path: string, notes: string[]): Sums | null {
  try {
    const sums = readSums(path);
    if (!sums) notes.push('There are no page sums: what lies in a page could not be held against anything.');
    return sums;
  } catch (error) {
    notes.push(`${(error as Error).message}: what lies in a page could not be held against anything.`);
    return null;
  }
}

/** The log, where it goes with the page sums. */
function ownLog(log: LogContents | null, sums: Sums | null, notes: string[]): LogContents | null {
  if (log && !log.header) notes.push('The log cannot be read.');
  if (!log?.header) return null;
  if (!sums || isOwnLog(sums.header, log)) return log;
  notes.push('The log is not that of this database, or of another time: it was left out, and what it held is lost.');
  return null;
}

/** What the log has beyond the checksums, up to the last whole transaction. */
function newerFrames(log: LogContents | null, header: SumsHeader | null, summed: Mark) {
  const frames = log?.frames.slice(summed.frames) ?? [];
  const broken = frames.findIndex(({ isSound }) => !isSound);
  const sound = broken === -1 ? frames : frames.slice(0, broken);
  const applied = sound.slice(0, 1 + sound.findLastIndex(endsTransaction));
  const inLog = frames.filter(endsTransaction).length;
  const lostInLog = inLog - applied.filter(endsTransaction).length;
  // Transactions that were recorded and are missing in the log.
  const isLogOfMark = !log?.header || (header !== null && isSameLog(log.header, header.committed));
  const before = header && isSameLog(header.summed, header.committed) ? header.summed.commits : 0;
  const gone = header && isLogOfMark ? Math.max(0, header.committed.commits - before - inLog) : 0;
  return { applied, lostTransactions: lostInLog + gone };
}

const endsTransaction = ({ isOfThisLog, commitPages }: Frame): boolean => isOfThisLog && commitPages > 0;

function pageCount(
  page: PageSource,
  { file, size, sums }: { file: number | null; size: number; sums: Sums | null },
): number {
  const head = page(1);
  const inFile = file === null ? 0 : Math.floor(fstatSync(file).size / size);
  if (head && file !== null) return Math.max(pagesOf(head, file, size), sums ? 0 : inFile);
  return Math.max(inFile, sums?.count ?? 0);
}
