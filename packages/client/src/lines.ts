import { answerValue, isObject } from './answers.ts';
import type { Core } from './core.ts';
import { jsonOf } from './json.ts';
import type { CallOptions } from './options.ts';
import type { Operation } from './request.ts';

/** A line of NDJSON, or an object that becomes one. */
export type Line = string | object;

/** Lines per request: enough to be fast, few enough to send again. */
const BATCH_LINES = 500;
const BATCH_CHARS = 1_000_000;

type Report = Record<string, unknown>;

/** Sends any number of lines in batches and adds up the reports. Line numbers in the sum count from the first line of all. */
export async function sendLines<T>(
  core: Core,
  operation: Operation,
  lines: Iterable<Line> | AsyncIterable<Line>,
  options?: CallOptions & { readonly query?: Record<string, unknown> },
): Promise<T> {
  let total: Report | null = null;
  let sent = 0;
  for await (const batch of batchesOf(lines)) {
    const request = { operation: { ...operation, body: false }, input: options?.query, lines: batch.join(''), options };
    const report = (await core.send(request, (response) => answerValue(operation, response))) as Report;
    total = total === null ? report : added(total, report, sent);
    sent += batch.length;
  }
  return total as T;
}

/** Yields at least one batch, even an empty one, so that there is a report. */
async function* batchesOf(lines: Iterable<Line> | AsyncIterable<Line>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let chars = 0;
  let any = false;
  for await (const line of lines) {
    const text = typeof line === 'string' ? line.trim() : jsonOf(line);
    if (text === '') continue;
    if (batch.length >= BATCH_LINES || (chars + text.length > BATCH_CHARS && batch.length > 0)) {
      yield batch;
      any = true;
      batch = [];
      chars = 0;
    }
    batch.push(`${text}\n`);
    chars += text.length;
  }
  if (batch.length > 0 || !any) yield batch;
}

/** Adds numbers, joins lists, and shifts line numbers by the lines that were sent before. */
function added(total: Report, report: Report, sent: number): Report {
  const moved = (item: Report): Report =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        name === 'line' || name === 'index' ? Number(value) + sent : value,
      ]),
    );
  return Object.fromEntries(
    Object.entries({ ...total, ...report }).map(([name]) => {
      const [before, after] = [total[name], report[name]];
      if (typeof before === 'number' && typeof after === 'number') return [name, before + after];
      if (Array.isArray(after)) return [name, [...((before as Report[] | undefined) ?? []), ...after.map(moved)]];
      if (isObject(before) && isObject(after)) return [name, added(before, after, sent)];
      return [name, after ?? before];
    }),
  );
}
