import { argumentFields, type ContractSchemas, objectOf, type Tool, whole } from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { speakerOf } from './speaker.ts';
import {
  BRIEF,
  beginning,
  briefOf,
  cut,
  LISTED_CHARACTERS,
  type Memory,
  PROJECT_ASKED,
  TRUNCATED,
  VERSION,
} from './tool-fields.ts';

/** Characters of one answer of `get`: hosts cut answers from 25,000 tokens on. */
const PAGE_CHARACTERS = 20_000;

/** What the answer has of a memory, beside its texts. */
const FIELDS = [
  ...BRIEF,
  'kind',
  'role',
  'session_id',
  'importance',
  'strength',
  'sources',
  'metadata',
  'supersession',
  'valid_from',
  'invalidation',
  'expires_at',
] as const;

const OFFSET = {
  schema: {
    type: 'integer',
    minimum: 0,
    description: 'Where to go on in a long text: next_offset of the answer before',
  },
  required: false,
} as const;

export function getTool(schemas: ContractSchemas): Tool<operations> {
  const page = {
    ...schemas.fieldsOf('Memory', FIELDS),
    truncated: TRUNCATED,
    content: { type: 'string', description: `What was said, from offset on; at most ${PAGE_CHARACTERS} characters` },
    content_characters: { type: 'integer', description: 'Of all of it' },
    next_offset: { type: ['integer', 'null'], description: 'For the next call; null where this is the end' },
  } as const;
  return {
    name: 'get',
    title: 'Get a memory',
    description:
      'Read one memory whole, by its id: the text that is recalled, all that was said word for word, who said it and when, what it was ' +
      'derived from, and whether another one holds in its place (superseded_by) or it has ended (valid_until), and why. Its version is ' +
      'what correct and forget want.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf({
      ...argumentFields(schemas, 'getMemory', { id: 'Of the memory, from recall.', project: PROJECT_ASKED }),
      offset: OFFSET,
    }),
    output: objectOf({ memory: { schema: whole(page), required: true }, version: VERSION }),
    run: async ({ id, project, offset }, call) => {
      const { body, header } = await call('getMemory', { id, project });
      const { memory } = body;
      const version = header('ETag') ?? '';
      const part = partOf(memory.content, offset);
      return { data: { memory: viewOf(memory, part), version }, text: textOf(memory, { ...part, version }) };
    },
  };
}

/** A part of what was said that fits into one answer. */
interface Part {
  readonly from: number;
  readonly content: string;
  /** Where the next one begins; null: this is the end. */
  readonly next: number | null;
}

/** @throws InvalidInputError for an offset beyond the end */
function partOf(content: string, offset: unknown): Part {
  const from = typeof offset === 'number' && offset > 0 ? Math.floor(offset) : 0;
  if (from > 0 && from >= content.length) {
    throw new InvalidInputError(`The text ends at ${content.length}: leave offset out to read it from its beginning.`);
  }
  const end = Math.min(content.length, from + PAGE_CHARACTERS);
  return { from, content: content.slice(from, end), next: end < content.length ? end : null };
}

function viewOf(memory: Memory, { content, next }: Part) {
  return {
    ...Object.fromEntries(FIELDS.map((field) => [field, memory[field]])),
    ...briefOf(memory, PAGE_CHARACTERS),
    content,
    content_characters: memory.content.length,
    next_offset: next,
  };
}

function textOf(memory: Memory, { from, content, next, version }: Part & { readonly version: string }): string {
  const isGistOther = from === 0 && memory.gist !== memory.content;
  return [
    heading(memory, version),
    ...(isGistOther ? [cut(memory.gist, PAGE_CHARACTERS), 'As it was told:'] : []),
    content,
    ...(next === null ? [] : [`[goes on: offset ${next}]`]),
  ].join('\n');
}

function heading(memory: Memory, version: string): string {
  const { id, agent_id, name, kind, created_at, scope, source, superseded_by, valid_until, invalidation } = memory;
  const replaced = superseded_by === null ? '' : `; superseded by ${superseded_by}`;
  const why =
    invalidation === null
      ? ''
      : `, says ${invalidation.agent_id}: ${beginning(invalidation.reason, LISTED_CHARACTERS)}`;
  const end = valid_until === null ? '' : `; holds until ${valid_until}${why}`;
  const speaker = speakerOf({ agent_id, name, isOfUser: source === 'user' && kind === 'episodic' });
  return `Memory ${id} of ${speaker}, ${created_at}, ${scope}, source ${source}, version ${version}${replaced}${end}:`;
}
