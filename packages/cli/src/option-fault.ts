import { ApiError } from '@agent-faculties/client';
import { UsageError } from './errors.ts';
import type { Options } from './option.ts';

/** Where a service finds fault with what an option was given, that as a wrong call, named by the option; else the error as it is. */
export function inWordsOfOptions(error: unknown, options: Options, values: Readonly<Record<string, unknown>>): unknown {
  const { where = '', message = '' } = (error instanceof ApiError ? error.errors : [])[0] ?? {};
  const [, field = ''] = /^(?:query|body)\/(\w+)/.exec(where) ?? [];
  const option = Object.keys(options).find(
    (name) => values[name] !== undefined && fieldsOf(name, options).includes(field),
  );
  if (option === undefined) return error;
  // Of names of callers the sentence is whole.
  const fault = message.replace(`query ${field} `, '').replace(/\.$/, '');
  return new UsageError(`--${option} ${fault}.`);
}

function fieldsOf(name: string, options: Options): readonly string[] {
  return options[name]?.fields ?? [name.replaceAll('-', '_')];
}
