import { Collection, type CollectionClient, type Kept, type Place, type Scope, statusOf } from './collection.ts';

export interface MemoryFilesOptions {
  /** Tells these files from others of the same service. Default memory-files. */
  readonly collection?: string;
  /** Who may see the files. Default TEAM: every agent, so that they share them. */
  readonly scope?: Scope;
  /** Files of this project, which are no others'. Default: what the client sees. */
  readonly project?: string;
}

export interface ViewCommand {
  readonly path: string;
  /** First and last line, from 1; the last may be -1 for the end. */
  readonly view_range?: readonly number[] | null | undefined;
}
export interface CreateCommand {
  readonly path: string;
  readonly file_text: string;
}
export interface StrReplaceCommand {
  readonly path: string;
  readonly old_str: string;
  readonly new_str?: string;
}
export interface InsertCommand {
  readonly path: string;
  /** After this line; 0 is the beginning. */
  readonly insert_line: number;
  readonly insert_text: string;
}
export interface DeleteCommand {
  readonly path: string;
}
export interface RenameCommand {
  readonly old_path: string;
  readonly new_path: string;
}

/** Answers the commands of Anthropic's memory tool. Each throws what the model is to be told where it cannot be done. */
export interface MemoryFiles {
  readonly view: (command: ViewCommand) => Promise<string>;
  readonly create: (command: CreateCommand) => Promise<string>;
  readonly str_replace: (command: StrReplaceCommand) => Promise<string>;
  readonly insert: (command: InsertCommand) => Promise<string>;
  readonly delete: (command: DeleteCommand) => Promise<string>;
  readonly rename: (command: RenameCommand) => Promise<string>;
}

const ROOT = 'memories';
const MOST_LINES = 999_999;
const LINE_NUMBER_WIDTH = 6;
/** Lines shown before and after an edit. */
const AROUND_AN_EDIT = 2;
/** Other agents may change a file this often between a read and a write. */
const MOST_TRIES = 5;
const MOST_PATH_CHARACTERS = 1_000;

/**
 * The files of Anthropic's memory tool (`memory_20250818`) in memory-service: a file is a memory, which is recalled like every
 * other one. For `betaMemoryTool` of `@anthropic-ai/sdk`, `memory_20250818` of `@ai-sdk/anthropic`, or a loop of your own. One such
 * object is for one conversation: it keeps in mind which version of a file its model has seen.
 */
export function memoryFiles(client: CollectionClient, options: MemoryFilesOptions = {}): MemoryFiles {
  const { collection: name = 'memory-files', scope = 'TEAM', project } = options;
  const files = new Collection(client, { name, scope, project, root: '/' });
  /** By path, the version of a file that the model knows. */
  const known = new Map<string, string>();
  const knows = (kept: Kept) => known.set(pathOf(kept.place), versionOf(kept));

  /** Throws where something is a file that would have to be a folder, or stands there already. */
  const checkFree = async (place: Place, taken: string) => {
    const folders = place.slice(1, -1).map((_, depth) => place.slice(0, depth + 2));
    const [found, isFolder, ...above] = await Promise.all([
      files.find(place),
      files.hasFolder(place),
      ...folders.map((folder) => files.find(folder)),
    ]);
    if (found || isFolder) throw new Error(taken);
    const file = above.find((kept) => kept !== null);
    if (file) throw new Error(`${pathOf(file.place)} is a file, so nothing can be put into it: choose another path.`);
  };

  const edit = async (path: string, change: (kept: Kept) => string): Promise<Kept> => {
    const place = placeOf(path);
    for (let tries = 1; ; tries++) {
      const before = await files.read(place);
      if (!before) throw new Error(doesNotExist(path));
      try {
        const kept = await files.replace(before, { text: change(before) });
        knows(kept);
        return kept;
      } catch (error) {
        if (statusOf(error) !== 412 || tries === MOST_TRIES) throw error;
      }
    }
  };

  /** What is moved or deleted by a path: a file, or all files of a folder. */
  const allAt = async (place: Place): Promise<Kept[]> => {
    const file = await files.read(place);
    if (file) return [file];
    const all: Kept[] = [];
    for await (const kept of files.under(place)) all.push(kept);
    return all;
  };

  // A model may ask for several things at once; they are done in its order.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn =
    <Command>(work: (command: Command) => Promise<string>) =>
    (command: Command): Promise<string> => {
      const done = last.then(() => work(command));
      last = done.catch(() => {});
      return done;
    };

  return {
    view: inTurn(async ({ path, view_range }) => {
      const place = placeOf(path);
      const file = place.length > 1 ? await files.find(place) : null;
      if (file) {
        const shown = shownFile(path, file.text, view_range);
        knows(file);
        return shown;
      }
      const all: Kept[] = [];
      for await (const kept of files.under(place)) all.push(kept);
      if (all.length === 0 && place.length > 1) throw new Error(doesNotExist(path));
      return shownFolder(place, all);
    }),

    create: inTurn(async ({ path, file_text }) => {
      const place = placeOf(path);
      const text = textOf(file_text, 'file_text');
      const taken = `File ${path} already exists`;
      if (place.length === 1) throw new Error(taken);
      await checkFree(place, taken);
      const kept = await files.add(place, text);
      if (!kept) throw new Error(taken);
      knows(kept);
      return `File created successfully at: ${path}${leftOut(kept)}`;
    }),

    str_replace: inTurn(async ({ path, old_str, new_str = '' }) => {
      const old = textOf(old_str, 'old_str');
      const fresh = textOf(new_str, 'new_str');
      let line = 0;
      const kept = await edit(path, ({ text }) => {
        const lines = old === '' ? [] : linesWith(text, old);
        if (lines.length === 0) {
          throw new Error(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
        }
        if (lines.length > 1) {
          throw new Error(
            `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${[...new Set(lines)].join(', ')}. Please ensure it is unique`,
          );
        }
        line = lines[0] as number;
        return text.replace(old, () => fresh);
      });
      const lines = kept.text.split('\n');
      const first = Math.max(0, line - 1 - AROUND_AN_EDIT);
      const snippet = numbered(lines.slice(first, line + linesOf(fresh) - 1 + AROUND_AN_EDIT), first + 1);
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}${leftOut(kept)}`;
    }),

    insert: inTurn(async ({ path, insert_line, insert_text }) => {
      const text = textOf(insert_text, 'insert_text').replace(/\n$/, '');
      const kept = await edit(path, (before) => {
        const seen = known.get(pathOf(before.place));
        if (seen !== undefined && seen !== versionOf(before)) {
          throw new Error(`${path} has changed since you viewed it, and its lines with it: view it again.`);
        }
        const lines = before.text.split('\n');
        if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length) {
          throw new Error(
            `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        }
        return lines.toSpliced(insert_line, 0, text).join('\n');
      });
      return `The file ${path} has been edited.${leftOut(kept)}`;
    }),

    delete: inTurn(async ({ path }) => {
      const place = placeOf(path);
      if (place.length === 1) throw new Error('Cannot delete the /memories directory itself');
      const all = await allAt(place);
      if (all.length === 0) throw new Error(doesNotExist(path, ''));
      for (const kept of all) {
        await files.remove(kept);
        known.delete(pathOf(kept.place));
      }
      return `Successfully deleted ${path}`;
    }),

    rename: inTurn(async ({ old_path, new_path }) => {
      const [from, to] = [placeOf(old_path), placeOf(new_path)];
      if (from.length === 1) throw new Error('Cannot rename the /memories directory itself');
      const taken = `The destination ${new_path} already exists`;
      if (to.length === 1) throw new Error(taken);
      const all = await allAt(from);
      if (all.length === 0) throw new Error(doesNotExist(old_path, ''));
      if (pathOf(to).startsWith(`${pathOf(from)}/`)) throw new Error(`${old_path} cannot be moved into itself.`);
      await checkFree(to, taken);
      for (const kept of all) {
        const moved = await files.replace(kept, { place: [...to, ...kept.place.slice(from.length)] });
        known.delete(pathOf(kept.place));
        knows(moved);
      }
      return `Successfully renamed ${old_path} to ${new_path}`;
    }),
  };
}

/** Does what a model asked for in a loop of your own: `input` is that of its `tool_use` block. It never throws. */
export async function runMemoryCommand(
  files: MemoryFiles,
  input: unknown,
): Promise<{ text: string; isError: boolean }> {
  const { command } = (input ?? {}) as { command?: unknown };
  try {
    if (typeof command !== 'string' || !Object.hasOwn(files, command)) {
      throw new Error(`There is no command ${String(command)}: there are ${Object.keys(files).join(', ')}.`);
    }
    const work = files[command as keyof MemoryFiles] as (input: unknown) => Promise<string>;
    return { text: await work(input), isError: false };
  } catch (error) {
    return { text: `Error: ${error instanceof Error ? error.message : String(error)}`, isError: true };
  }
}

/** @throws Error for a path that is not below /memories, or looks as if it led out of it */
function placeOf(path: unknown): Place {
  if (typeof path !== 'string' || path === '')
    throw new Error('The path is missing: give one that starts with /memories.');
  const refused = (why: string) => new Error(`The path ${path.slice(0, MOST_PATH_CHARACTERS)} ${why}`);
  if (path.length > MOST_PATH_CHARACTERS) throw refused(`is longer than ${MOST_PATH_CHARACTERS} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that no path may hold
  if (/[\x00-\x1f\x7f-\x9f\\]/.test(path)) throw refused('holds a backslash or a control character: leave it out.');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.some((name) => /^(?:\.|%2e){2}$|%2f|%5c|%00/i.test(name))) {
    throw refused('would lead out of the /memories directory: write it without ".." and without %-codes.');
  }
  if (!path.startsWith('/') || names[0] !== ROOT) throw refused('does not start with /memories.');
  return names;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} is missing: give it as a text.`);
  return value;
}

function pathOf(place: Place): string {
  return `/${place.join('/')}`;
}

function versionOf({ memory }: Kept): string {
  return `${memory.id} ${memory.updated_at}`;
}

function doesNotExist(path: string, advice = ' Please provide a valid path.'): string {
  return `The path ${path} does not exist${advice && '.'}${advice}`;
}

function leftOut({ redacted, isShortened }: Kept): string {
  if (redacted > 0) return `\n${redacted} secret or private part(s) of it are not kept: a mask stands in their place.`;
  return isShortened ? '\nWhat of it repeats a recalled context is not kept: write it in words of your own.' : '';
}

/** For each place where a text begins in another one, the number of its line. */
function linesWith(text: string, part: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) lines.push(linesOf(text.slice(0, at)));
  return lines;
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join('\n');
}

function shownFile(path: string, text: string, range: readonly number[] | null | undefined): string {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) {
    throw new Error(`File ${path} exceeds maximum line limit of ${MOST_LINES.toLocaleString('en')} lines.`);
  }
  const [from = 1, to = -1] = range ?? [];
  const first = Math.max(1, from);
  const shown = lines.slice(first - 1, to === -1 ? lines.length : Math.max(0, to));
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, first)}`;
}

interface Entry {
  bytes: number;
  /** Null for a file. */
  readonly entries: Map<string, Entry> | null;
}

/** Two levels deep, without what is hidden. */
function shownFolder(folder: Place, all: readonly Kept[]): string {
  const root: Entry = { bytes: 0, entries: new Map() };
  for (const { place, text } of all) {
    const bytes = new TextEncoder().encode(text).length;
    let entry = root;
    for (const [depth, name] of place.slice(folder.length).entries()) {
      entry.bytes += bytes;
      const entries = entry.entries as Map<string, Entry>;
      const isFile = depth === place.length - folder.length - 1;
      const next = entries.get(name) ?? { bytes: 0, entries: isFile ? null : new Map() };
      entries.set(name, next);
      entry = next;
    }
    entry.bytes = bytes;
  }
  const lines = (entry: Entry, path: string, levels: number): string[] => [
    `${sizeOf(entry.bytes)}\t${path}`,
    ...(levels === 0
      ? []
      : [...(entry.entries ?? [])]
          .filter(([name]) => !name.startsWith('.') && name !== 'node_modules')
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([name, one]) =>
            lines(one, `${path.replace(/\/$/, '')}/${name}${one.entries ? '/' : ''}`, levels - 1),
          )),
  ];
  const path = pathOf(folder);
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines(root, path, 2).join('\n')}`;
}

function sizeOf(bytes: number): string {
  let size = bytes;
  for (const unit of ['B', 'K', 'M']) {
    if (size < 1_024) return `${Number.isInteger(size) ? size : size.toFixed(1)}${unit}`;
    size /= 1_024;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}G`;
}
