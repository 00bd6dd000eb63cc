import type { ContractSchemas, JsonSchema } from '@agent-faculties/mcp-kit';
import type { components } from '../api.gen.ts';
import { withoutFrameMarks } from '../domain/recall/context/frame.ts';
import { flatText } from '../domain/text/sentences/flat-text.ts';

export type Memory = components['schemas']['Memory'];

/** Characters of a text in a list; `get` has the whole text. */
export const LISTED_CHARACTERS = 500;
/** How much of a text stands beside its id, so that a model sees which line of the context it is. */
const BEGINNING_CHARACTERS = 60;

export const PROJECT_ASKED =
  'Of this project, of none and what others share; * of all; that of the connection unless given.';
export const PROJECT = 'The project that it belongs to; that of the connection unless given.';

/** What a list says of a memory. */
export const BRIEF = [
  'id',
  'gist',
  'agent_id',
  'name',
  'source',
  'scope',
  'tags',
  'created_at',
  'superseded_by',
  'valid_until',
] as const;
type Brief = Pick<Memory, (typeof BRIEF)[number]>;

export const TRUNCATED: JsonSchema = { type: 'boolean', description: 'The gist goes on; get has all of it' };

export const VERSION = { schema: { type: 'string', description: 'For correct' }, required: true } as const;

/** The fields of a memory in a list. */
export function briefFields(schemas: ContractSchemas) {
  return { ...schemas.fieldsOf('Memory', BRIEF), truncated: TRUNCATED };
}

/** How many secrets were masked. */
export function redactedField(schemas: ContractSchemas) {
  return { schema: schemas.component('Redacted'), required: false };
}

export function briefOf(memory: Memory, characters = LISTED_CHARACTERS): Brief & { truncated: boolean } {
  const { id, gist, agent_id, name, source, scope, tags, created_at, superseded_by, valid_until } = memory;
  const fields = { id, agent_id, name, source, scope, tags, created_at, superseded_by, valid_until };
  return { ...fields, gist: cut(gist, characters), truncated: gist.length > characters };
}

/** In quotes and on one line. */
export function beginning(text: string, characters = BEGINNING_CHARACTERS): string {
  return JSON.stringify(cut(oneLine(text.slice(0, LISTED_CHARACTERS + 1)), characters));
}

/** On one line, so that no text starts a line of its own, and without what could pass for the frame of a context beside it. */
export function oneLine(text: string): string {
  return withoutFrameMarks(flatText(text));
}

/** Cuts a text, but never in the middle of a character. */
export function cut(text: string, characters = LISTED_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function withoutUndefined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
