import {
  createWriteStream,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@agent-faculties/service-kit';
import { clientsOf } from '../clients.ts';
import { CommandError, defineCommand, type Edge, UsageError } from '../command.ts';
import { readText, refuseOptionsOf } from '../input.ts';
import { counted, progress } from '../print.ts';
import { noteName, noteOf, noteRecord } from '../transfer/note.ts';
import { type MemoryRecord, nameOf } from '../transfer/record.ts';

const OVERTAKEN = 'the memory was changed later, so import takes nothing from it; delete it to have it written anew';

export const command = defineCommand({
  name: 'export',
  summary: 'Write every memory that the agent may see: as JSON lines, or as a folder of notes that import reads back',
  usage: '[FILE | -] [options]',
  options: {
    notes: { type: 'string', value: 'FOLDER', help: 'a Markdown file each, for Obsidian and people' },
    vectors: { type: 'boolean', help: 'with the vectors, so that another store need not make them' },
    timing: { type: 'boolean', help: 'events, tasks and stopwatches instead of memories' },
  },
  run: async (invocation) => {
    const { edge, values, positionals } = invocation;
    const [first, ...rest] = positionals;
    const file = first === '-' ? undefined : first;
    if (rest.length > 0) throw new UsageError('Name one file, or none for standard output.');
    if (values.notes !== undefined && (first !== undefined || values.timing || values.vectors)) {
      throw new UsageError('--notes goes without FILE, --timing and --vectors.');
    }
    if (values.timing) refuseOptionsOf('export --timing', ['vectors'], values);
    const { memory, timing } = clientsOf(invocation);
    const lines = values.timing
      ? timing.exportData(invocation.settings.agentId === null ? { agent_id: '*' } : {})
      : memory.exportMemories(values.vectors ? { vectors: true } : {});
    const bar = progress(edge);
    if (values.notes !== undefined) {
      const { written, edited } = await writeNotes(
        lines as AsyncIterable<MemoryRecord>,
        resolve(edge.cwd, values.notes),
      );
      edge.err(`${counted(written, 'note')} in ${values.notes}.\n`);
      for (const { path, isOlder } of edited) {
        edge.err(`${path} was changed and stays as it is: ${isOlder ? OVERTAKEN : 'import it first'}.\n`);
      }
      return 0;
    }
    let count = 0;
    async function* texts() {
      for await (const line of lines) {
        bar.show(counted(++count, 'line'));
        yield `${JSON.stringify(line)}\n`;
      }
    }
    if (file === undefined) for await (const text of texts()) edge.out(text);
    else await writeWhole(resolve(edge.cwd, file), texts(), edge);
    bar.end();
    if (file !== undefined) edge.err(`${counted(count, 'line')} in ${file}.\n`);
    return 0;
  },
});

/** Writes the whole file or none: an export that breaks off leaves no file that looks complete. */
async function writeWhole(path: string, texts: AsyncIterable<string>, { signal }: Edge): Promise<void> {
  const isThere = existsSync(path);
  // A new file would take the place of the link.
  if (!isThere && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new CommandError(`${path} is a link to ${readlinkSync(path)}, which does not exist: write to that.`);
  // A device or a pipe, such as /dev/null, is written to and must not be replaced.
  const isFile = !isThere || statSync(path).isFile();
  const target = isThere && isFile ? realpathSync(path) : path;
  const part = isFile ? `${target}.part` : target;
  try {
    await pipeline(Readable.from(texts), createWriteStream(part), { signal });
    if (isFile) renameSync(part, target);
  } catch (error) {
    if (isFile) rmSync(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith('E') ? new CommandError(`${path} cannot be written: ${message}`) : error;
  }
}

/** A note with a change that the store does not have. */
interface EditedNote {
  readonly path: string;
  /** Than the memory in the store. */
  readonly isOlder: boolean;
}

/** Writes one folder per agent. A note that somebody has changed is not overwritten before that was imported. */
async function writeNotes(
  records: AsyncIterable<MemoryRecord>,
  folder: string,
): Promise<{ written: number; edited: EditedNote[] }> {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new CommandError(`${folder} is not a folder.`);
  const known = new Map<string, string>();
  if (existsSync(folder)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const end = /[0-9a-f]{12}\.md$/.exec(name)?.[0];
      if (end) known.set(end, join(folder, name));
    }
  }
  const edited: EditedNote[] = [];
  let written = 0;
  for await (const record of records) {
    const { name, end } = noteName(record);
    const path = known.get(end) ?? join(folder, folderName(record.agent_id), name);
    const editedAt = existsSync(path) ? timeOfEdit(path) : null;
    // An import gives the memory the time of the note.
    if (editedAt !== null && editedAt !== record.updated_at) {
      edited.push({ path, isOlder: editedAt < (record.updated_at ?? '') });
      continue;
    }
    writeNote(path, noteOf(record));
    written++;
  }
  return { written, edited };
}

function writeNote(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Null where nobody has changed what `export` wrote. */
function timeOfEdit(path: string): string | null {
  const modifiedAt = statSync(path).mtime;
  const note = noteRecord({ text: textAt(path), modifiedAt });
  return note === null || note.isEdited ? modifiedAt.toISOString() : null;
}

function textAt(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** A name that every file system accepts. */
function folderName(agentId: unknown): string {
  const name = (nameOf(agentId) ?? '')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 60);
  return name === '' ? 'agent' : name;
}
