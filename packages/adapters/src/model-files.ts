import { type Collection, type Kept, type Place, statusOf } from './collection.ts';
import { pathOf, placeOf } from './model-path.ts';
import { linesOf, linesWith, numbered, shownFile, shownFolder } from './shown-files.ts';

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

/** Lines shown before and after an edit. */
const AROUND_AN_EDIT = 2;
/** Other agents may change a file this often between a read and a write. */
const MOST_TRIES = 5;

/** The files of one conversation, with the commands of a model. Each throws an Error for the model when it cannot be done. */
export class ModelFiles {
  readonly #files: Collection;
  /** By path, the version of a file that the model knows. */
  readonly #known = new Map<string, string>();

  constructor(files: Collection) {
    this.#files = files;
  }

  async view({ path, view_range }: ViewCommand): Promise<string> {
    const place = placeOf(path);
    const file = place.length > 1 ? await this.#files.find(place) : null;
    if (file) {
      const shown = shownFile(path, file.text, view_range);
      this.#noteKnown(file);
      return shown;
    }
    const all = await this.#allUnder(place);
    if (all.length === 0 && place.length > 1) throw new Error(doesNotExist(path));
    return shownFolder(place, all);
  }

  async create({ path, file_text }: CreateCommand): Promise<string> {
    const place = placeOf(path);
    const text = textOf(file_text, 'file_text');
    const taken = `File ${path} already exists`;
    if (place.length === 1) throw new Error(taken);
    await this.#checkFree(place, taken);
    const kept = await this.#files.add(place, text);
    if (!kept) throw new Error(taken);
    this.#noteKnown(kept);
    return `File created successfully at: ${path}${leftOut(kept)}`;
  }

  async replace({ path, old_str, new_str = '' }: StrReplaceCommand): Promise<string> {
    const old = textOf(old_str, 'old_str');
    const fresh = textOf(new_str, 'new_str');
    let line = 0;
    const kept = await this.#edit(path, ({ text }) => {
      line = onlyLineWith(text, old, path);
      return text.replace(old, () => fresh);
    });
    const lines = kept.text.split('\n');
    const first = Math.max(0, line - 1 - AROUND_AN_EDIT);
    const snippet = numbered(lines.slice(first, line + linesOf(fresh) - 1 + AROUND_AN_EDIT), first + 1);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}${leftOut(kept)}`;
  }

  async insert({ path, insert_line, insert_text }: InsertCommand): Promise<string> {
    const text = textOf(insert_text, 'insert_text').replace(/\n$/, '');
    const kept = await this.#edit(path, (before) => {
      const seen = this.#known.get(pathOf(before.place));
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
  }

  async delete({ path }: DeleteCommand): Promise<string> {
    const place = placeOf(path);
    if (place.length === 1) throw new Error('Cannot delete the /memories directory itself');
    const all = await this.#allAt(place);
    if (all.length === 0) throw new Error(doesNotExist(path, ''));
    for (const kept of all) {
      await this.#files.remove(kept);
      this.#known.delete(pathOf(kept.place));
    }
    return `Successfully deleted ${path}`;
  }

  async rename({ old_path, new_path }: RenameCommand): Promise<string> {
    const [from, to] = [placeOf(old_path), placeOf(new_path)];
    if (from.length === 1) throw new Error('Cannot rename the /memories directory itself');
    const taken = `The destination ${new_path} already exists`;
    if (to.length === 1) throw new Error(taken);
    const all = await this.#allAt(from);
    if (all.length === 0) throw new Error(doesNotExist(old_path, ''));
    if (pathOf(to).startsWith(`${pathOf(from)}/`)) throw new Error(`${old_path} cannot be moved into itself.`);
    await this.#checkFree(to, taken);
    for (const kept of all) {
      const moved = await this.#files.replace(kept, { place: [...to, ...kept.place.slice(from.length)] });
      this.#known.delete(pathOf(kept.place));
      this.#noteKnown(moved);
    }
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  #noteKnown(kept: Kept): void {
    this.#known.set(pathOf(kept.place), versionOf(kept));
  }

  /** @throws Error with the message `taken` when something is at this place, or when a folder above it is a file */
  async #checkFree(place: Place, taken: string): Promise<void> {
    const folders = place.slice(1, -1).map((_, depth) => place.slice(0, depth + 2));
    const [found, isFolder, ...above] = await Promise.all([
      this.#files.find(place),
      this.#files.hasFolder(place),
      ...folders.map((folder) => this.#files.find(folder)),
    ]);
    if (found || isFolder) throw new Error(taken);
    const file = above.find((kept) => kept !== null);
    if (file) throw new Error(`${pathOf(file.place)} is a file, so nothing can be put into it: choose another path.`);
  }

  /** Changes the text of a file; reads it again when another agent was faster. */
  async #edit(path: string, change: (kept: Kept) => string): Promise<Kept> {
    const place = placeOf(path);
    for (let tries = 1; ; tries++) {
      const before = await this.#files.read(place);
      if (!before) throw new Error(doesNotExist(path));
      try {
        const kept = await this.#files.replace(before, { text: change(before) });
        this.#noteKnown(kept);
        return kept;
      } catch (error) {
        if (statusOf(error) !== 412 || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** The file of a path, or all files of a folder. */
  async #allAt(place: Place): Promise<Kept[]> {
    const file = await this.#files.read(place);
    return file ? [file] : await this.#allUnder(place);
  }

  async #allUnder(folder: Place): Promise<Kept[]> {
    const all: Kept[] = [];
    for await (const kept of this.#files.under(folder)) all.push(kept);
    return all;
  }
}

/** @throws Error unless `part` occurs once */
function onlyLineWith(text: string, part: string, path: string): number {
  const lines = part === '' ? [] : linesWith(text, part);
  if (lines.length === 0) {
    throw new Error(`No replacement was performed, old_str \`${part}\` did not appear verbatim in ${path}.`);
  }
  if (lines.length > 1) {
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${part}\` in lines: ${[...new Set(lines)].join(', ')}. Please ensure it is unique`,
    );
  }
  return lines[0] as number;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} is missing: give it as a text.`);
  return value;
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
