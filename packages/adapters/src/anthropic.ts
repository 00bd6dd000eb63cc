import { Collection, type CollectionClient, type Scope } from './collection.ts';
import {
  type CreateCommand,
  type DeleteCommand,
  type InsertCommand,
  ModelFiles,
  type RenameCommand,
  type StrReplaceCommand,
  type ViewCommand,
} from './model-files.ts';

export type {
  CreateCommand,
  DeleteCommand,
  InsertCommand,
  RenameCommand,
  StrReplaceCommand,
  ViewCommand,
} from './model-files.ts';

export interface MemoryFilesOptions {
  /** Tells these files from others of the same service. Default memory-files. */
  readonly collection?: string | undefined;
  /** Who may see the files. Default TEAM: every agent, so that they share them. */
  readonly scope?: Scope | undefined;
  /** Files of this project, which are no others'. Default: what the client sees. */
  readonly project?: string | undefined;
}

/** Answers the commands of Anthropic's memory tool. Each throws an Error for the model when it cannot be done. */
export interface MemoryFiles {
  readonly view: (command: ViewCommand) => Promise<string>;
  readonly create: (command: CreateCommand) => Promise<string>;
  readonly str_replace: (command: StrReplaceCommand) => Promise<string>;
  readonly insert: (command: InsertCommand) => Promise<string>;
  readonly delete: (command: DeleteCommand) => Promise<string>;
  readonly rename: (command: RenameCommand) => Promise<string>;
}

/**
 * The files of Anthropic's memory tool (`memory_20250818`) in memory-service: a file is a memory, which is recalled like every
 * other one. For `betaMemoryTool` of `@anthropic-ai/sdk`, `memory_20250818` of `@ai-sdk/anthropic`, or a loop of your own. One such
 * object is for one conversation: it keeps in mind which version of a file its model has seen.
 */
export function memoryFiles(client: CollectionClient, options: MemoryFilesOptions = {}): MemoryFiles {
  const { collection: name = 'memory-files', scope = 'TEAM', project } = options;
  const files = new ModelFiles(new Collection(client, { name, scope, project, root: '/' }));
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
    view: inTurn((command: ViewCommand) => files.view(command)),
    create: inTurn((command: CreateCommand) => files.create(command)),
    str_replace: inTurn((command: StrReplaceCommand) => files.replace(command)),
    insert: inTurn((command: InsertCommand) => files.insert(command)),
    delete: inTurn((command: DeleteCommand) => files.delete(command)),
    rename: inTurn((command: RenameCommand) => files.rename(command)),
  };
}

/** Runs one command of a model, for a loop of your own. Never throws. @param input that of the `tool_use` block of the model */
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
