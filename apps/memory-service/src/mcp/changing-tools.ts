import {
  type Answered,
  type ContractSchemas,
  objectOf,
  operationTool,
  type Tool,
  whole,
} from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { briefFields, briefOf, cut, PROJECT, redactedField, VERSION, withoutUndefined } from './tool-fields.ts';

/** What `correct` changes. */
const CORRECTED = ['gist', 'tags', 'importance'] as const;

const IF_MATCH = 'The version that get returned: nothing is changed where the memory is another by now.';
const RENAMED = { 'If-Match': 'version' } as const;

export function correctTool(schemas: ContractSchemas): Tool<operations> {
  return operationTool(schemas, {
    name: 'correct',
    title: 'Correct',
    description:
      'Replace the text of a memory that is wrong or outdated, by its id, so that everybody recalls the new text from now on. ' +
      'Needs the right to change what others said; without it, remember the corrected fact instead. Give the version that get ' +
      'returned, so that a change that somebody else made meanwhile is not lost.',
    role: 'team-admin',
    effect: 'changes',
    operationId: 'updateMemory',
    arguments: {
      id: 'Of the memory, from recall or get.',
      gist: 'The text that is right, whole in itself.',
      tags: 'In place of all tags that it has.',
      importance: true,
      project: PROJECT,
      'If-Match': IF_MATCH,
    },
    renamed: RENAMED,
    values: (given) => {
      if (CORRECTED.every((field) => given[field] === undefined))
        throw new InvalidInputError(`Give what is right: ${CORRECTED.join(', ')}, or several of them.`);
      return withVersion(given);
    },
    output: changedOutput(schemas),
    answer: ({ body, header }) => ({
      data: changed(body, header('ETag')),
      text: `Memory ${body.memory.id} now says: ${cut(body.memory.gist)}`,
    }),
  });
}

export function forgetTool(schemas: ContractSchemas): Tool<operations> {
  return operationTool(schemas, {
    name: 'forget',
    title: 'Forget',
    description:
      'Say that a memory no longer holds, by its id, and why. It stays stored, ranks behind what holds and is marked as past. Use ' +
      'it when something ended, was called off or was never so, and nothing takes its place; where something does, remember that ' +
      'with supersedes. Needs the right to change what others said. Erasing is for people: tell the user, if that is wanted.',
    role: 'team-admin',
    effect: 'changes',
    operationId: 'invalidateMemory',
    arguments: {
      id: 'Of the memory, from recall or get.',
      reason: 'Why it no longer holds, in a sentence, and who said so; kept with the memory.',
      at: 'When it ceased to hold, where that is not now (ISO 8601).',
      project: PROJECT,
      'If-Match': IF_MATCH,
    },
    renamed: RENAMED,
    values: withVersion,
    output: changedOutput(schemas),
    answer: ({ body, header }) => ({
      data: changed(body, header('ETag')),
      text: `Memory ${body.memory.id} holds until ${body.memory.valid_until} and no longer, and is kept: ${cut(body.memory.gist)}`,
    }),
  });
}

/** Models leave the quotes of a version out. */
function withVersion(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const version = given['If-Match'];
  const isBare = typeof version === 'string' && /^\w+$/.test(version);
  return isBare ? { ...given, 'If-Match': `"${version}"` } : given;
}

function changedOutput(schemas: ContractSchemas) {
  return objectOf({
    memory: { schema: whole(briefFields(schemas)), required: true },
    version: VERSION,
    redacted: redactedField(schemas),
  });
}

function changed({ memory, redacted }: Answered<operations['updateMemory']>, version = '') {
  return { ...withoutUndefined({ redacted }), memory: briefOf(memory), version };
}
