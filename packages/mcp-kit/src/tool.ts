import type { Role } from '@agent-faculties/service-kit';
import type { ContractSchemas } from './contract-schemas.ts';
import { type Field, type JsonSchema, objectOf } from './json-schema.ts';
import type { Answered, Call, OperationAnswer } from './operation-calls.ts';

/** Arguments of a tool, as its model sent them: nothing is known of them but their names. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** Fits the output schema. */
  readonly data: object;
  /** The same in words, for a model; the JSON of `data` unless given. */
  readonly text?: string;
}

/** What a model may do with a service. */
export interface Tool<Operations> {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For a model that chooses among tools: what matters most stands in the first sentence. */
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

/** By the names of a contract: how an argument is explained to a model, or true to say what the contract says. */
export type Explained = Readonly<Record<string, string | true>>;

/** By the names of a contract: the names that a model sees instead. */
export type Renamed = Readonly<Record<string, string>>;

interface FieldOptions {
  readonly renamed?: Renamed;
  /** Names of the contract that a tool finds by itself where they are not given. */
  readonly optional?: readonly string[];
}

/** Fields of an input schema for arguments of an operation. @throws Error for what it does not take */
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
      const schema = explanation === true ? argument.schema : { ...argument.schema, description: explanation };
      return [renamed[name] ?? name, { schema, required: argument.required && !optional.includes(name) }];
    }),
  );
}

/** The description of a tool that calls one operation. */
export interface OperationTool<Operations, Id extends keyof Operations & string>
  extends Omit<Tool<Operations>, 'input' | 'output' | 'run'> {
  readonly operationId: Id;
  readonly arguments: Explained;
  readonly renamed?: Renamed;
  /** What the operation answers, unless given. */
  readonly output?: JsonSchema;
  /** What the operation is called with; the arguments as they are unless given. */
  readonly values?: (given: Arguments) => Arguments;
  /** The body of the answer as it is, unless given. */
  readonly answer?: (answer: OperationAnswer<Answered<Operations[Id]>>) => ToolAnswer;
}

/** @throws Error where contract and tool do not fit */
export function operationTool<Operations, Id extends keyof Operations & string>(
  schemas: ContractSchemas,
  { operationId, arguments: explained, renamed = {}, output, values, answer, ...tool }: OperationTool<Operations, Id>,
): Tool<Operations> {
  return {
    ...tool,
    input: objectOf(argumentFields(schemas, operationId, explained, { renamed })),
    output: output ?? schemas.answer(operationId),
    run: async (given, call) => {
      const named = withNames(given, renamed);
      const reply = await call(operationId, values ? values(named) : named);
      return answer ? answer(reply) : { data: reply.body as object };
    },
  };
}

/** Under the names of the contract. */
function withNames(given: Arguments, renamed: Renamed): Arguments {
  const back = new Map(Object.entries(renamed).map(([name, shown]) => [shown, name]));
  return Object.fromEntries(Object.entries(given).map(([shown, value]) => [back.get(shown) ?? shown, value]));
}
