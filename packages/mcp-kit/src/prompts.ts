import type { Logger } from '@agent-faculties/service-kit';
import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Call } from './operation-calls.ts';
import { codeFor } from './resources.ts';
import { inWords, problemOf } from './tool-call.ts';

/** A text that a person chooses in a host, for a model to read. Every role may use it. */
export interface PromptText<Operations> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, { readonly description: string; readonly required: boolean }>>;
  readonly text: (given: Readonly<Record<string, string>>, call: Call<Operations>) => Promise<string>;
}

export function promptListing<Operations>(prompts: readonly PromptText<Operations>[]): ListPromptsResult {
  return {
    prompts: prompts.map(({ name, title, description, arguments: taken }) => ({
      name,
      title,
      description,
      arguments: Object.entries(taken).map(([argument, about]) => ({ name: argument, ...about })),
    })),
  };
}

/** @throws ProtocolError that says what to do */
export async function promptText<Operations>(
  prompts: readonly PromptText<Operations>[],
  { name, arguments: given = {} }: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
  { call, log }: { readonly call: Call<Operations>; readonly log: Logger },
): Promise<GetPromptResult> {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) {
    const names = prompts.map((one) => one.name).join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}: take one of ${names}.`);
  }
  const missing = Object.entries(prompt.arguments).find(([argument, { required }]) => required && !given[argument]);
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs ${missing[0]}.`);
  try {
    const text = await prompt.text(given, call);
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  } catch (error) {
    const problem = problemOf(error, log);
    throw new ProtocolError(codeFor(problem.status), inWords(problem));
  }
}
