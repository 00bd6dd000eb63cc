import type { Payload } from './hook-event.ts';
import { readMarks } from './prompt-marks.ts';

/** Fields with the words of people and models. */
const SAID: ReadonlySet<string> = new Set([
  'prompt',
  'text',
  'last_assistant_message',
  'prompt_response',
  'outputText',
]);
/** Most characters of such a field: the longest answers of models have as many. */
const SAID_CHARACTERS = 100_000;
/** Most characters of any other text, such as the output of a tool; failures show within them. */
const OTHER_CHARACTERS = 4_000;
/** Fields that say at their end how a command went: of Gemini CLI and Copilot CLI. */
const TOLD_AT_THE_END: ReadonlySet<string> = new Set(['llmContent', 'textResultForLlm']);
/** Characters of such an end that are kept of a long text; the lines of the host have no more. */
const END_CHARACTERS = 300;
const NAME_CHARACTERS = 200;
const MOST_VALUES = 500;
const MOST_DEPTH = 8;
/** The field with what a user asks. OpenCode, whose plugin has no spool, sends it as `text`, and its replies as well. */
const ASKED = 'prompt';
/** All that is kept of a prompt with this mark: its words are for nobody, and its reply is known by it. */
const SKIPPED = '#skip';
/** The services give these names a meaning of their own, so the fields of the host are left out. */
const FOREIGN_IDS: ReadonlySet<string> = new Set([
  'agent_id',
  'project',
  'correlation_id',
  'idempotency_key',
  'end_event_id',
]);

/**
 * A payload that is small enough to search for secrets, whatever a tool wrote into it: long texts are cut, and values that lie too
 * deep or come after the 500th are left out. Of a prompt with `#skip` the mark alone stays. The others stay as they are.
 * @complexity O(kept values); at most 500 values are looked at
 */
export function slimPayload(payload: Payload): Payload {
  let values = 0;
  const slim = (value: unknown, { name, depth }: { name: string; depth: number }): unknown => {
    if (typeof value === 'string') return slimText(name, value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MOST_DEPTH) return null;
    const inside = { name, depth: depth + 1 };
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) {
        if (values++ >= MOST_VALUES) break;
        items.push(slim(item, inside));
      }
      return items;
    }
    const fields: [string, unknown][] = [];
    for (const field in value) {
      if (values++ >= MOST_VALUES) break;
      if (!Object.hasOwn(value, field) || FOREIGN_IDS.has(field) || field.length > NAME_CHARACTERS) continue;
      fields.push([field, slim((value as Payload)[field], { name: field, depth: depth + 1 })]);
    }
    return Object.fromEntries(fields);
  };
  return slim(payload, { name: '', depth: 0 }) as Payload;
}

function slimText(name: string, text: string): string {
  if (name === ASKED && readMarks(text).skips) return SKIPPED;
  if (SAID.has(name)) return cut(text, SAID_CHARACTERS);
  const start = cut(text, OTHER_CHARACTERS);
  return start !== text && TOLD_AT_THE_END.has(name) ? start + lastLines(text) : start;
}

/** Whole lines, from the break of a line on, so that no half of a secret is among them. */
function lastLines(text: string): string {
  const end = text.slice(-END_CHARACTERS);
  const from = end.indexOf('\n');
  return from === -1 ? '' : end.slice(from);
}

/** The first characters; half a surrogate pair is left out. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
