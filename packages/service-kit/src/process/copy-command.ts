import type { CommandEdge } from './command.ts';
import { type ConfigField, variablesOf } from './config.ts';
import { configOrExit } from './config-or-exit.ts';
import { EXIT_FAILED, EXIT_USAGE } from './exit-codes.ts';

/** What is copied between files and a database, as the operator named it. */
interface Copied<Store> {
  /** Of the files. */
  readonly place: string;
  readonly store: Store;
  /** Null: all of them. */
  readonly space: string | null;
}

interface CopyCommandOptions<Store> {
  readonly edge: CommandEdge;
  /** The name of the program and of the command. */
  readonly name: string;
  /** For --help. */
  readonly description: string;
  /** Of the environment variables. */
  readonly prefix: string;
  /** The first two must be given. */
  readonly fields: {
    readonly place: ConfigField<string>;
    readonly store: ConfigField<Store>;
    readonly space: ConfigField<string>;
  };
  /** What a failure says to the operator; null: it is none that an operator can mend, and is thrown. */
  readonly explain: (error: Error) => string | null;
  /** @returns the exit code */
  readonly copy: (what: Copied<Store>) => Promise<number>;
}

/** Runs a command that copies between files and a database. @returns what `copy` returns, 1 when it failed, 2 when it was called wrongly */
export async function copyCommand<Store>(options: CopyCommandOptions<Store>): Promise<number> {
  const { edge, name, description, prefix, fields, explain, copy } = options;
  const { place, store, space } = fields;
  const variables = [place, store, space].flatMap(variablesOf);
  const given = configOrExit({
    ...edge,
    name,
    description,
    prefix,
    fields,
    // The other variables of the service may stand beside them.
    env: Object.fromEntries(variables.map((variable) => [variable, edge.env[variable]])),
  }) as { readonly [Field in keyof Copied<Store>]: Copied<Store>[Field] | null };
  if (given.place === null || given.store === null) {
    edge.err(`${name}: --${place.flag} and --${store.flag} must be given.\nSee ${name} --help.\n`);
    return EXIT_USAGE;
  }
  try {
    return await copy({ place: given.place, store: given.store, space: given.space });
  } catch (error) {
    const why = explain(error as Error);
    if (why === null) throw error;
    edge.err(`${name}: ${why}\n`);
    return EXIT_FAILED;
  }
}
