import { atOnce, type Logger } from '@agent-faculties/service-kit';
import { mayAct, type Problem, problemFor, refuseLongTexts } from '@agent-faculties/service-kit/http';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Call, OperationProblem } from './operation-calls.ts';
import { toldArguments } from './told-arguments.ts';
import type { Arguments, Tool } from './tool.ts';

/** What a refusal says of unknown arguments: nothing masks their names, and a secret among them has digits or is longer. */
const SAYABLE_NAME = /^[a-z_-]{1,32}$/i;
const NAMED_STRANGERS = 5;

export interface Caller<Operations> {
  /** X-Role of a gateway; null when it is absent, which allows nothing. Undefined when roles are not checked. */
  readonly role: string | null | undefined;
  readonly call: Call<Operations>;
  readonly log: Logger;
}

/** Whether the role of a caller allows a tool. */
export function mayUse<Operations>(role: Caller<Operations>['role'], tool: Tool<Operations>): boolean {
  return role === undefined || mayAct(role, tool.role);
}

/** Calls a tool. An error becomes an answer too, with isError, and says what to do. */
export async function callTool<Operations>(
  tool: Tool<Operations>,
  given: Arguments,
  { role, call, log }: Caller<Operations>,
): Promise<CallToolResult> {
  if (!mayUse(role, tool)) {
    return refusal(
      `The role of this key is ${role ?? 'unknown'}, and ${tool.name} takes ${tool.role}: leave it, or ask a person for a key of that role. (role_forbids)`,
    );
  }
  const told = toldArguments(given, tool.input);
  const wrong = wrongNames(tool, told);
  if (wrong !== null) return refusal(`${wrong} (invalid_request)`);
  try {
    atOnce(refuseLongTexts(told, []));
    const { data, text = JSON.stringify(data) } = await tool.run(told, call);
    return { content: [{ type: 'text', text }], structuredContent: data as Record<string, unknown> };
  } catch (error) {
    return refusal(inWords(problemOf(error, log), tool));
  }
}

/** An unknown argument often stands for a required one, so both are named; null where the tool has all of them. */
function wrongNames(
  { name, input: { properties = {}, required = [] } }: Pick<Tool<never>, 'name' | 'input'>,
  told: Arguments,
): string | null {
  const strangers = Object.keys(told).filter((one) => !Object.hasOwn(properties, one));
  if (strangers.length === 0) return null;
  const missing = required.filter((one) => !Object.hasOwn(told, one));
  const named = strangers.filter((one) => SAYABLE_NAME.test(one)).slice(0, NAMED_STRANGERS);
  const unknown = named.length < strangers.length ? [...named, 'another argument'] : named;
  const faults = [...(missing.length === 0 ? [] : [`${listed(missing)} missing`]), `${listed(unknown)} unknown`];
  return `${faults.join(' and ')}: ${name} takes ${Object.keys(properties).join(', ') || 'no arguments'}.`;
}

/** "a is", "a, b are" */
function listed(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The problem document of an error. An internal error is logged, and its document gives no details. */
export function problemOf(error: unknown, log: Logger): Problem {
  if (error instanceof OperationProblem) return error.problem;
  const { problem } = problemFor(error);
  if (problem.status === 500) log.error({ err: error }, 'a tool failed');
  return problem;
}

/** The end of a detail that names only the first fault. */
const MORE_FAULTS = / \(and \d+ more in errors\)/;
/** What is no help to a model: it sees neither the contract nor the other members of a problem document. */
const FOR_PROGRAMS = / Correct it; \/docs shows the contract\.| \(`current` is what it is now\)/;
/** Places of a request, which a model does not know: it sends arguments. */
const PLACE = /\b(?:body|query|path|header)\/(?=\w)/g;
const WHOLE_BODY = /^body (?=must )/;

/** An example at the end of a detail. */
const EXAMPLE = / A body that fits: (\{.*\})$/;

/**
 * A problem as a text for a model: each fault with the name of its argument, then the code. An example of a body is kept where the tool
 * takes its fields as arguments.
 */
export function inWords({ detail, code, errors = [] }: Problem, tool?: Pick<Tool<never>, 'input'>): string {
  const example = EXAMPLE.exec(detail)?.[1];
  const fitting = example && tool ? exampleFor(tool, example) : [];
  const others = MORE_FAULTS.test(detail) ? errors.slice(1).map(({ where, message }) => `${where} ${message}.`) : [];
  const first = detail.replace(EXAMPLE, '').replace(MORE_FAULTS, '').replace(FOR_PROGRAMS, '');
  const said = [first, ...others, ...fitting].join(' ');
  return `${said.replace(PLACE, '').replace(WHOLE_BODY, 'The arguments ')} (${code})`;
}

/** The example as one of arguments, beside those that a tool wants too, such as the id in a path. Empty where it takes other ones. */
function exampleFor(
  { input: { properties = {}, required = [] } }: Pick<Tool<never>, 'input'>,
  example: string,
): string[] {
  const fields = Object.keys(JSON.parse(example));
  if (!fields.every((field) => Object.hasOwn(properties, field))) return [];
  const others = required.filter((name) => !fields.includes(name));
  return [`Arguments that fit${others.length === 0 ? '' : ` beside ${others.join(', ')}`}: ${example}`];
}
