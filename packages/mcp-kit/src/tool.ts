import type { Role } from '@agent-faculties/service-kit/http';
import type { ContractSchemas } from './contract-schemas.ts';
import { type Field, type JsonSchema, objectOf } from './json-schema.ts';
import type { Answered, Call, OperationAnswer } from './operation-calls.ts';

/** Arguments of a tool as a model sends them: only their names are checked. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** Data that fits the output schema. */
  readonly data: object;
  /** The same in words, for a model; default: the JSON of `data`. */
  readonly text?: string;
}

/** A tool of a service. */
export interface Tool<Operations> {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For a model that chooses among tools; the first sentence says what matters most. */
  readonly description: string;
  /** The least role that may use the tool: that of the operation that it calls. */
  readonly role: Role;
  readonly effect: Effect;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly run: (given: Arguments, call: Call<Operations>) => Promise<ToolAnswer>;
}

/**
 * - reads: changes nothing that anybody sees
 * - adds: writes something new; the same again, with the same key or id, adds nothing
 * - changes: replaces what is there
 */
export type Effect = 'reads' | 'adds' | 'changes';

/** The description of each argument for a model, by its name in the contract; true takes that of the contract. */
export type Explained = Readonly<Record<string, string | true>>;

/** The name that a model sees, by the name in the contract. */
export type Renamed = Readonly<Record<string, string>>;

interface FieldOptions {
  readonly renamed?: Renamed;
  /** Required arguments of the contract that the tool can fill in itself. */
  readonly optional?: readonly string[];
}

/** Fields of an input schema for arguments of an operation. @throws Error for an argument that it does not have */
export function argumentFields(
  schemas: ContractSchemas,
  operationId: string,
  explained: Explained,
  { renamed = {}, optional = [] }: FieldOptions = {},
): Record<string, Field> {
  const known = schemas.argumentsOf(operationId);
  return Object.fromEntries(
    Object.entries(explained).map(([name, explanation]) => {
      const argument = known.get(name);
      if (!argument) throw new Error(`${operationId} takes no ${name}.`);
      const schema = explanation === true ? argument.schema : explainedAs(argument.schema, explanation);
      return [renamed[name] ?? name, { schema, required: argument.required && !optional.includes(name) }];
    }),
  );
}

/** What each text of a list may hold is not for models: the contract checks it, and its errors explain it. */
function explainedAs({ items, ...schema }: JsonSchema, description: string): JsonSchema {
  if (items?.type !== 'string') return { ...schema, ...(items && { items }), description };
  const { description: _ofItems, ...text } = items;
  return { ...schema, items: text, description };
}

/** The description of a tool that calls one operation. */
export interface OperationTool<Operations, Id extends keyof Operations & string>
  extends Omit<Tool<Operations>, 'input' | 'output' | 'run'> {
  readonly operationId: Id;
  readonly arguments: Explained;
  readonly renamed?: Renamed;
  /** What stands for an argument that is not given, where that is not what the contract says. */
  readonly defaults?: Arguments;
  /** Default: the schema of the answer of the operation. */
  readonly output?: JsonSchema;
  /** Makes the values for the operation; default: the arguments unchanged. */
  readonly values?: (given: Arguments) => Arguments;
  /** Makes the answer of the tool; default: the body unchanged. */
  readonly answer?: (answer: OperationAnswer<Answered<Operations[Id]>>) => ToolAnswer;
}

/** Makes a tool of one operation. @throws Error where contract and tool do not fit */
export function operationTool<Operations, Id extends keyof Operations & string>(
  schemas: ContractSchemas,
  {
    operationId,
    arguments: explained,
    renamed = {},
    defaults = {},
    output,
    values,
    answer,
    ...tool
  }: OperationTool<Operations, Id>,
): Tool<Operations> {
  return {
    ...tool,
    input: objectOf(withDefaults(argumentFields(schemas, operationId, explained, { renamed }), defaults)),
    output: output ?? schemas.answer(operationId),
    run: async (given, call) => {
      const named = { ...defaults, ...withNames(given, renamed) };
      const reply = await call(operationId, values ? values(named) : named);
      return answer ? answer(reply) : { data: reply.body as object };
    },
  };
}

function withDefaults(fields: Record<string, Field>, defaults: Arguments): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isOwn = Object.hasOwn(defaults, name);
      return [name, isOwn ? { ...field, schema: { ...field.schema, default: defaults[name] } } : field];
    }),
  );
}

/** The arguments under their names in the contract. */
function withNames(given: Arguments, renamed: Renamed): Arguments {
  const back = new Map(Object.entries(renamed).map(([name, shown]) => [shown, name]));
  return Object.fromEntries(Object.entries(given).map(([shown, value]) => [back.get(shown) ?? shown, value]));
}
