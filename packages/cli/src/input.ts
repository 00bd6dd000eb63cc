import { constants, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Edge } from './edge.ts';
import { CommandError, UsageError } from './errors.ts';
import { decode } from './transfer/decode.ts';

/** The text of a file, without the byte order mark that some editors put before it. */
export function readText(path: string): string {
  return new TextDecoder().decode(readFileSync(path));
}

/** All of standard input. */
export async function readBytes({ stdin }: Pick<Edge, 'stdin'>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * A pipe with a name, such as that of `<(program)`. Not read as a file: that would wait for a writer where Ctrl-C does not reach it.
 * @throws Error of the system
 */
export function openPipe(path: string, { signal }: Pick<Edge, 'signal'>): AsyncIterable<Uint8Array> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false, signal });
}

/** Standard input, one line at a time. */
export async function* readLines({ stdin }: Pick<Edge, 'stdin'>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stdin) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The text of a command: its positional arguments, else standard input.
 * @throws UsageError without either, CommandError where standard input is no text
 */
export async function wordsOf(positionals: readonly string[], edge: Edge, what: string): Promise<string> {
  const isPiped = positionals.length === 0 ? !edge.isTerminal.stdin : positionals.join() === '-';
  const words = (isPiped ? await textOf(edge) : positionals.join(' ')).trim();
  if (words === '') throw new UsageError(`There is no ${what}: write it behind the command, or pipe it in.`);
  return words;
}

/** @throws CommandError where standard input is no text */
async function textOf(edge: Pick<Edge, 'stdin'>): Promise<string> {
  const decoded = decode(await readBytes(edge));
  if ('fault' in decoded) throw new CommandError(`standard input: ${decoded.fault}`);
  return decoded.text;
}

/** @throws UsageError unless it is a whole number from 1 to `most` */
export function wholeNumber(
  value: string | undefined,
  option: string,
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? 'from 1 on' : `from 1 to ${most}`;
  throw new UsageError(`--${option}=${JSON.stringify(value)} is not a whole number ${range}.`);
}

/** @throws UsageError unless it is a number */
export function plainNumber(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--${option}=${JSON.stringify(value)} is not a number.`);
}

/** @throws UsageError unless it is one of the choices */
export function choice<const T extends string>(
  value: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  const found = choices.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new UsageError(`--${option}=${JSON.stringify(value)} must be one of ${choices.join(', ')}.`);
}

/**
 * Where a command has several forms, each with options of its own.
 * @param form such as `timing spent`
 * @throws UsageError for an option of another form, which would change nothing
 */
export function refuseOptionsOf(
  form: string,
  others: readonly string[],
  values: Readonly<Record<string, unknown>>,
): void {
  const given = others.filter((option) => values[option] !== undefined);
  if (given.length > 0)
    throw new UsageError(`${form} does not take ${given.map((option) => `--${option}`).join(', ')}.`);
}

/** The object without undefined fields. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
