import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { makeFolder } from '@agent-faculties/service-kit';
import { createTwoFilesPatch } from 'diff';
import { CommandError } from '../errors.ts';
import type { FileChange } from './host-install.ts';

/** Suffix of the copy that holds a file as it was before the last change. */
const BACKUP = '.agent-faculties.bak';

/** Editors of Windows put it before a text; no parser takes it for a part of that. */
const BYTE_ORDER_MARK = '\ufeff';

export interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly isProgram: boolean;
}

/** The files that change, with their new texts. @throws CommandError where one cannot be read */
export function changesOf(files: readonly FileChange[], direction: 'install' | 'uninstall'): Change[] {
  return files.flatMap((file) => {
    const path = existsSync(file.path) ? realpathSync(file.path) : file.path;
    const before = explained(path, 'read', () => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
    const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const changed = file[direction](before.slice(mark.length));
    const after = changed === '' ? '' : mark + changed;
    return after === before ? [] : [{ path, before, after, isProgram: file.isProgram ?? false }];
  });
}

/** The change in the format of `diff -u`. */
export function shown({ path, before, after }: Change): string {
  const [from, to] = [before === '' ? '/dev/null' : path, after === '' ? '/dev/null' : path];
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 2 }).replace(/^=+\n/, '');
}

/**
 * Writes the whole file or nothing. An install keeps the old file beside the new one, and an uninstall takes that copy away. An empty
 * file is deleted. @throws CommandError where it cannot be written
 */
export function write(change: Change, direction: 'install' | 'uninstall'): void {
  const { path, before } = change;
  const backup = `${path}${BACKUP}`;
  explained(path, 'written', () => {
    if (direction === 'install' && before !== '') writeFileSync(backup, before, { mode: statSync(path).mode });
    replace(change);
    if (direction === 'uninstall') rmSync(backup, { force: true });
  });
}

function explained<T>(path: string, done: 'read' | 'written', act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CommandError(`${path} cannot be ${done} (${(error as Error).message}): mend that, then call this again.`);
  }
}

function replace({ path, before, after, isProgram }: Change): void {
  if (after === '') {
    rmSync(path);
    return;
  }
  makeFolder(dirname(path));
  const mode = isProgram ? 0o755 : before === '' ? 0o644 : statSync(path).mode;
  const beside = `${path}.${process.pid}.tmp`;
  writeFileSync(beside, after, { mode, flush: true });
  renameSync(beside, path);
}
