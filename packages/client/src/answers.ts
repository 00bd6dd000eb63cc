import { ConnectionError, UnexpectedAnswerError } from './errors.ts';
import type { Operation } from './request.ts';

/** A message of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id: string;
}

/** The value of an answer. */
export async function answerValue({ answers, pages }: Operation, response: Response): Promise<unknown> {
  const text = await response.text();
  if (answers === 'text') return text;
  const value = objectIn(text, response);
  if (pages !== undefined && !Array.isArray(value[pages])) throw unexpected(response);
  return value;
}

/** @throws UnexpectedAnswerError for what is no JSON object */
function objectIn(text: string, response: Response): Record<string, unknown> {
  const value = parsed(text, response);
  if (!isObject(value)) throw unexpected(response);
  return value;
}

function parsed(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(response);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected({ url }: Response): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`${url} answers, and not as the service does: check the address.`);
}

/**
 * Each line of a body, without the line break.
 * @throws ConnectionError when the body breaks off, UnexpectedAnswerError where there is none, as with 204
 */
async function* textLines(response: Response): AsyncGenerator<string> {
  if (response.body === null) throw unexpected(response);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() as string;
      yield* lines;
      // A blank end is no line: it would end an event that broke off.
      if (done && rest !== '') yield rest;
      if (done) return;
    }
  } catch (error) {
    throw new ConnectionError(`${response.url} broke off in the middle: what came is not all.`, { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** NDJSON: each line that is not blank, parsed. */
export async function* jsonLines(response: Response): AsyncGenerator<Record<string, unknown>> {
  for await (const line of textLines(response)) if (line.trim()) yield objectIn(line, response);
}

/**
 * Server-sent events by the HTML standard, with their data parsed as JSON.
 * @throws UnexpectedAnswerError where the answer is no such stream: to connect again would bring the same
 * @param onId is told where to go on from, also by a message that is no event
 */
export async function* serverEvents(response: Response, onId: (id: string) => void): AsyncGenerator<ServerEvent> {
  if (!/^text\/event-stream\b/i.test(response.headers.get('Content-Type') ?? '')) {
    await response.body?.cancel();
    throw unexpected(response);
  }
  let event = 'message';
  let data: string[] = [];
  let id = '';
  for await (const raw of textLines(response)) {
    const line = raw.replace(/\r$/, '');
    if (line === '') {
      if (id !== '') onId(id);
      if (data.length > 0) yield { event, id, data: parsed(data.join('\n'), response) };
      event = 'message';
      data = [];
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
    if (name === 'id') id = value;
  }
}
