import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { isSame } from './checksum.ts';
import { type LogContents, readLog } from './log-file.ts';
import {
  bootId,
  isSameLog,
  type Mark,
  pageChecksums,
  readPageSize,
  readSums,
  type SumsHeader,
  sumsPath,
} from './sums-file.ts';

/** Pages of which the checksums are made between two rests: 3 ms. */
const STEP_PAGES = 1_000;

/** The state of a database's files, before SQLite has touched them. */
export interface Examination {
  /** The damage, as a clause; null where every byte that SQLite would read is as it was written. */
  readonly damage: string | null;
  /** Warnings for the log of the service: of losses that a power cut explains. */
  readonly warnings: readonly string[];
  /** Of a log that goes on. */
  readonly log: Mark | undefined;
  /** False where there are none; the pages cannot be checked then. */
  readonly hasSums: boolean;
}

type Sums = NonNullable<ReturnType<typeof readSums>>;

/**
 * Reads the whole database: a gigabyte in half a second where the system has it in memory. No process may write to it meanwhile,
 * unless a read transaction is open. Then pass `file`, the open database: closing a file drops the locks of its process on it.
 */
export function examine(path: string, options: { file?: number | null } = {}): Examination {
  return atOnce(examination(path, options));
}

/** What `examine` gives, in steps. */
export function* examination(path: string, { file = null }: { file?: number | null } = {}): Steps<Examination> {
  const bare = { damage: null, warnings: [], log: undefined, hasSums: existsSync(sumsPath(path)) };
  try {
    if (sizeOf(path) === 0) return { ...bare, damage: orphans(path) };
    const sums = readSums(path);
    const log = readLog(`${path}-wal`);
    const { damage, warning } = sums ? logAgainst(sums.header, log) : logAlone(log);
    const mark = log?.header ? { salts: log.header.salts, frames: log.committed, commits: commitsIn(log) } : undefined;
    const warnings = warning === null ? [] : [`After a power cut: ${warning}`];
    return { ...bare, damage: damage ?? (yield* badPagesOf(path, sums, { log, file })), warnings, log: mark };
  } catch (error) {
    if ((error as { code?: unknown }).code !== undefined) throw error;
    return { ...bare, damage: (error as Error).message };
  }
}

/** Finds files that a deleted or emptied database left behind. */
function orphans(path: string): string | null {
  const left = [`${path}-wal`, sumsPath(path)].filter((file) => sizeOf(file) > 0);
  if (left.length === 0) return null;
  return `it is ${existsSync(path) ? 'empty' : 'not there'}, and what belongs to it is (${left.join(', ')})`;
}

/** Without checksums only the log itself can tell. */
function logAlone(log: LogContents | null): { damage: string | null; warning: string | null } {
  if (log && !log.header) return { damage: 'its log cannot be read', warning: null };
  return { damage: log && log.behind > 0 ? behind(log) : null, warning: null };
}

/** Checks that the log holds every commit. A loss is damage, or a warning where a power cut explains it. */
function logAgainst(header: SumsHeader, log: LogContents | null): { damage: string | null; warning: string | null } {
  const { committed, summed, isBeginning, isSynced, bootId: boot } = header;
  const sound = { damage: null, warning: null };
  if (log?.header && !isOwnLog(header, log)) return { ...sound, damage: FOREIGN_LOG };
  if (committed.frames === 0) return log && !isBeginning ? { ...sound, damage: FOREIGN_LOG } : sound;
  if (log?.header && !isSameLog(log.header, committed)) return sound;
  const isSummed = isSummedUp(header);
  const frames = log?.committed ?? 0;
  // The summed frames are in the database, unless that is damaged too; the check of its pages will show it.
  if (frames === 0 && isSummed) return sound;
  const isShort = frames < committed.frames;
  if (!isShort && !log?.behind) return sound;
  const lost = isShort ? missing(committed, log) : behind(log as LogContents);
  const isPowerCut = boot !== bootId() && !isSynced && !(isSameLog(summed, committed) && summed.frames > frames);
  return isPowerCut ? { ...sound, warning: lost } : { ...sound, damage: lost };
}

/** Whether a log that can be read goes with the page sums. */
export function isOwnLog({ committed, summed, isBeginning }: SumsHeader, log: LogContents): boolean {
  if (!log.header) return false;
  // Killed between the first transaction and its record; the migration of a new database has several.
  if (committed.frames === 0) return isBeginning && (summed.frames === 0 || commitsIn(log) <= 1);
  // The log was restarted, and the process was killed before that was recorded.
  const isNext = isSummedUp({ committed, summed }) && log.header.salts[0] === (committed.salts[0] + 1) >>> 0;
  return isSameLog(log.header, committed) || isNext;
}

/** Whether the page sums cover every commit. */
function isSummedUp({ committed, summed }: Pick<SumsHeader, 'committed' | 'summed'>): boolean {
  return isSameLog(summed, committed) && summed.frames >= committed.frames;
}

const FOREIGN_LOG = 'the log beside it (-wal) is not its own, or of another time';

/** Transactions that SQLite reads of a log. */
function commitsIn(log: LogContents | null): number {
  return log?.frames.filter(({ number, commitPages }) => number <= log.committed && commitPages > 0).length ?? 0;
}

function behind({ committed, behind }: LogContents): string {
  return `its log is damaged behind frame ${committed}, and ${counted(behind, 'transaction')} or more would be lost with what follows`;
}

function missing(committed: Mark, log: LogContents | null): string {
  const found = commitsIn(log);
  return `its log ends too early, or is damaged: the last ${counted(committed.commits - found, 'transaction')} ${committed.commits - found === 1 ? 'is' : 'are'} missing`;
}

function* badPagesOf(
  path: string,
  sums: Sums | null,
  at: { log: LogContents | null; file: number | null },
): Steps<string | null> {
  if (at.file !== null) return yield* badPages(at.file, sums, at.log);
  const file = openSync(path, 'r');
  try {
    return yield* badPages(file, sums, at.log);
  } finally {
    closeSync(file);
  }
}

/** Pages that SQLite would read from the file and whose content does not match their checksum. */
function* badPages(file: number, sums: Sums | null, log: LogContents | null): Steps<string | null> {
  const head = Buffer.alloc(100);
  readSync(file, head, 0, head.length, 0);
  const pageSize = sums?.header.pageSize ?? readPageSize(file);
  const used = log?.frames.slice(0, log.committed) ?? [];
  const inLog = new Set(used.map(({ page }) => page));
  const expected = used.findLast(({ commitPages }) => commitPages > 0)?.commitPages ?? pagesOf(head, file, pageSize);
  const bad: number[] = [];
  let page = 0;
  for (const found of sums ? pageChecksums(file, pageSize) : []) {
    page++;
    const sum = sums?.sumOf(page);
    if (sum && !isSame(sum, found) && !inLog.has(page) && page <= expected) bad.push(page);
    if (page % STEP_PAGES === 0) yield;
  }
  const present = Math.floor(fstatSync(file).size / pageSize);
  for (let gone = present + 1; gone <= expected; gone++) {
    if (!inLog.has(gone) && (!sums || sums.sumOf(gone))) bad.push(gone);
  }
  if (bad.length === 0) return null;
  const named = bad.slice(0, 5).join(', ') + (bad.length > 5 ? ', ...' : '');
  return `${counted(bad.length, 'page')} of ${expected} (${named}) missing or not as written`;
}

/** As the head of the file says, where the last program that wrote to it knew of the count. */
export function pagesOf(head: Buffer, file: number, pageSize: number): number {
  const isCurrent = head.readUInt32BE(24) === head.readUInt32BE(92);
  return (isCurrent && head.readUInt32BE(28)) || Math.floor(fstatSync(file).size / pageSize);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
