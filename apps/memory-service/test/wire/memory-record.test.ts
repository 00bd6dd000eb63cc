import { InvalidInputError } from '@agent-faculties/service-kit';
import { loadSpec } from '@agent-faculties/service-kit/http';
import { describe, expect, test } from '@jest/globals';
import { ALWAYS_VALID, NOT_SUPERSEDED } from '../../src/domain/memory/memory.ts';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import { memoryRecordReader, transferLine } from '../../src/wire/memory-record.ts';
import { sampleMemory, sampleStrength } from '../sample-memory.ts';

const read = memoryRecordReader(loadSpec(CONTRACT));
const NOW = Date.parse('2026-11-21T09:30:00.123Z');
const OPTIONS = {
  nowMs: NOW,
  callerAgentId: 'caller',
  callerProject: null,
  model: { id: 'pair@1', dimension: 2 },
  knownEntities: async () => new Set<string>(),
};
const ID = '0193a000-0000-7000-8000-000000000001';
const OTHER = '0193a000-0000-7000-8000-000000000002';
const PLAIN = ID.replaceAll('-', '');
const RECORD = { id: ID, content: 'Kestrel 2.4 ships on Friday.', created_at: '2026-11-20T09:30:00Z' };

type Fields = Record<string, unknown>;

async function memoryOf(fields: Fields) {
  return (await read({ ...RECORD, ...fields }, OPTIONS)).memory;
}

async function refusalOf(fields: Fields): Promise<string | null> {
  try {
    await memoryOf(fields);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.message;
  }
}

function base64(...floats: number[]): string {
  return Buffer.from(Float32Array.from(floats).buffer).toString('base64');
}

describe('a record of the three fields that it needs', () => {
  test('is made a memory as of a new message', async () => {
    expect(await read(RECORD, OPTIONS)).toEqual({
      isDated: false,
      memory: {
        id: ID,
        gist: 'Kestrel 2.4 ships on Friday.',
        content: 'Kestrel 2.4 ships on Friday.',
        gistEdited: false,
        tags: [],
        importance: expect.closeTo(0.3, 0.2),
        agentId: 'caller',
        sessionId: null,
        scope: 'TEAM',
        kind: 'episodic',
        role: null,
        name: null,
        source: 'import',
        entities: [{ name: '2.4', type: 'version' }],
        createdAt: Date.parse('2026-11-20T09:30:00Z'),
        updatedAt: Date.parse('2026-11-20T09:30:00Z'),
        sources: [],
        consolidatedInto: null,
        ...NOT_SUPERSEDED,
        ...ALWAYS_VALID,
        project: null,
        metadata: {},
        idempotencyKey: null,
      },
      strength: { lastRecalledAt: null, recallCount: 0, stabilityDays: expect.any(Number) },
      vectors: [],
    });
  });

  test.each(['id', 'content', 'created_at'])('is refused without %s', async (field) => {
    const { [field]: _, ...rest } = RECORD as Fields;
    await expect(read(rest, OPTIONS)).rejects.toThrow(`${field} is required`);
  });
});

describe('a line of an export', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 12])('is read as the memory that it was written of (%p)', async (number) => {
    const memory = { ...sampleMemory(number), idempotencyKey: null };
    // Who recalled it is a matter of the store that it was recalled in.
    const { recalledBy: _, ...strength } = sampleStrength(number);
    const vectors = [Float32Array.of(1, 0)];
    const line = transferLine({ memory, strength }, { nowMs: NOW, model: OPTIONS.model, vectors });
    const fields = JSON.parse(line);
    expect(await read(fields, OPTIONS)).toEqual({ memory, isDated: true, strength, vectors });
  });
});

describe('null stands for an absent field', () => {
  test.each<[string, Fields]>([
    ['tags', { tags: [] }],
    ['agent_id', { agentId: 'caller' }],
    ['session_id', { sessionId: null }],
    ['role', { role: null }],
    ['name', { name: null }],
    ['sources', { sources: [] }],
    ['consolidated_into', { consolidatedInto: null }],
    ['superseded_by', { supersededBy: null }],
    ['project', { project: null }],
    ['supersession', { supersession: null }],
    ['valid_from', { validFrom: null }],
    ['valid_until', { validUntil: null }],
    ['invalidation', { invalidation: null }],
    ['expires_at', { expiresAt: null }],
    ['metadata', { metadata: {} }],
  ])('in %s', async (field, expected) => {
    expect(await memoryOf({ [field]: null })).toMatchObject(expected);
  });

  test('in last_recalled_at and vectors', async () => {
    const { strength, vectors } = await read({ ...RECORD, last_recalled_at: null, vectors: null }, OPTIONS);
    expect([strength.lastRecalledAt, vectors]).toEqual([null, []]);
  });

  test.each<[string, string]>([
    ['gist', 'a text'],
    ['gist_edited', 'true or false'],
    ['importance', 'a number from 0 to 1'],
    ['scope', 'one of TEAM, SHARED, PRIVATE'],
    ['kind', 'one of episodic, semantic'],
    ['source', 'one of user, assistant, tool, import'],
    ['entities', 'a list of at most 256'],
    ['updated_at', 'an ISO 8601 instant, such as 2026-11-21T09:30:00Z'],
    ['recall_count', 'a whole number from 0 to 1000000000'],
    ['stability_days', 'a number from 0.001 to 36500'],
  ])('and not in %s', async (field, expected) => {
    expect(await refusalOf({ [field]: null })).toBe(`${field} must be ${expected}`);
  });
});

describe('each field', () => {
  test.each<[string, Fields, Fields]>([
    ['an id without dashes', { id: PLAIN }, { id: PLAIN }],
    ['blanks around a text', { content: ' \n a b\ufeff ' }, { content: 'a b', gist: 'a b' }],
    ['half of a surrogate pair in a text', { content: 'a\ud800' }, { content: 'a\ufffd' }],
    ['as many characters as there may be', { content: ` ${'😀'.repeat(200_000)} ` }, { content: '😀'.repeat(200_000) }],
    ['a gist of its own', { gist: ' Friday it is. ' }, { gist: 'Friday it is.', gistEdited: true }],
    ['a gist as it is made here', { gist: 'Kestrel 2.4 ships on Friday.' }, { gistEdited: false }],
    ['what the record says of its gist', { gist: 'Else.', gist_edited: false }, { gistEdited: false }],
    ['a tag that stands twice', { tags: ['b', 'a', 'b'] }, { tags: ['b', 'a'] }],
    ['64 tags', { tags: Array(64).fill('t') }, { tags: ['t'] }],
    ['a tag of 128 code points', { tags: ['😀'.repeat(128)] }, { tags: ['😀'.repeat(128)] }],
    ['importance 0', { importance: 0 }, { importance: 0 }],
    ['another agent', { agent_id: 'ann' }, { agentId: 'ann' }],
    ['a session', { session_id: '*' }, { sessionId: '*' }],
    ['a name between blanks', { name: ' Ann ' }, { name: ' Ann ' }],
    [
      'entities, of name and type alone',
      { entities: [{ name: 'a\ud800', type: 'tag', more: 1 }] },
      { entities: [{ name: 'a\ufffd', type: 'tag' }] },
    ],
    ['no entities', { entities: [] }, { entities: [] }],
    ['a date alone', { created_at: '2026-11-20' }, { createdAt: Date.parse('2026-11-20T00:00:00Z') }],
    ['a blank for +', { created_at: '2026-11-20 10:00 01:00' }, { createdAt: Date.parse('2026-11-20T09:00:00Z') }],
    ['microseconds', { created_at: '2026-11-20T09:30:00.123999Z' }, { createdAt: Date.parse(RECORD.created_at) + 123 }],
    ['an hour ahead', { updated_at: '2026-11-21T10:30:00Z' }, { updatedAt: Date.parse('2026-11-21T10:30:00Z') }],
    ['a source that stands twice', { sources: [OTHER, OTHER] }, { sources: [OTHER] }],
    ['itself as the survivor', { consolidated_into: ID }, { consolidatedInto: null }],
    ['another survivor', { consolidated_into: OTHER }, { consolidatedInto: OTHER }],
    ['a successor', { superseded_by: PLAIN.replace('1', '2') }, { supersededBy: PLAIN.replace('1', '2') }],
    ['metadata of 64 KiB', { metadata: { x: 'x'.repeat(65_536 - 8) } }, { metadata: { x: 'x'.repeat(65_536 - 8) } }],
    ['fields that nobody knows', { score: 1, __proto__x: 1 }, { id: ID }],
  ])('%s is taken', async (_what, fields, expected) => {
    expect(await memoryOf(fields)).toMatchObject(expected);
  });

  test.each<[string, Fields, string]>([
    [
      'an id that is none',
      { id: '../etc' },
      'id must be a UUID in lower case, such as 0193a0000000700080000000000000aa',
    ],
    ['an id in upper case', { id: ID.toUpperCase() }, 'id must be a UUID in lower case'],
    ['an id with a line end', { id: `${ID}\n` }, 'id must be a UUID in lower case'],
    ['content that is no text', { content: 7 }, 'content must be a text'],
    ['blank content', { content: ' \n\ufeff' }, 'content is blank: send words'],
    ['long content', { content: '😀'.repeat(200_001) }, 'content has more than 200000 characters: send it in parts'],
    ['a blank gist', { gist: '' }, 'gist is blank: send words'],
    ['too many tags', { tags: Array(65).fill('t') }, 'tags must be a list of at most 64'],
    ['a tag with a control character', { tags: ['a', 'b\u0085'] }, 'tags/1 must be 1 to 128 characters, not blank'],
    ['importance beyond 1', { importance: 1.1 }, 'importance must be a number from 0 to 1'],
    ['all agents', { agent_id: '*' }, "agent_id must name one agent: '*' means all agents"],
    ['an empty agent', { agent_id: '' }, 'agent_id must be 1 to 128 characters'],
    ['an agent with a blank', { agent_id: 'ann ' }, 'agent_id begins or ends with a blank: send '],
    ['a session with a blank', { session_id: ' s' }, 'session_id begins or ends with a blank: send '],
    ['a blank name', { name: '\u00a0' }, 'name must be 1 to 128 characters, not blank'],
    ['an unknown role', { role: 'ghost' }, 'role must be one of user, assistant, system'],
    ['an entity that is a text', { entities: ['Kestrel'] }, 'entities/0 must be an object'],
    ['an entity without a name', { entities: [{ type: 'tag' }] }, 'entities/0/name is required'],
    ['a blank entity', { entities: [{ name: ' ', type: 'tag' }] }, 'entities/0/name must be 1 to 2048 characters'],
    ['an odd entity', { entities: [{ name: 'a', type: 'animal' }] }, 'entities/0/type must be one of person, project,'],
    ['an instant that is a number', { created_at: NOW }, 'created_at must be an ISO 8601 instant'],
    ['a day that does not exist', { created_at: '2026-02-31' }, "created_at: '2026-02-31' is not an instant: send ISO"],
    ['before 1970', { created_at: '1969-12-31T23:59:59Z' }, 'created_at lies before 1970'],
    ['two days ahead', { last_recalled_at: '2026-11-23' }, 'last_recalled_at lies more than a day ahead'],
    ['half a recall', { recall_count: 0.5 }, 'recall_count must be a whole number from 0 to 1000000000'],
    ['no stability', { stability_days: 0 }, 'stability_days must be a number from 0.001 to 36500'],
    ['itself among its sources', { sources: [OTHER, ID] }, 'sources must not name the memory itself'],
    ['a source that is none', { sources: [OTHER, 'x'] }, 'sources/1 must be a UUID in lower case'],
    ['a successor that is a number', { superseded_by: 7 }, 'superseded_by must be a UUID in lower case'],
    ['metadata that is a list', { metadata: [] }, 'metadata must be an object'],
    [
      'large metadata',
      { metadata: { x: 'x'.repeat(65_536 - 7) } },
      'metadata has 65537 bytes as JSON: send at most 65536',
    ],
    ['vectors of nobody', { vectors: [base64(1, 0)] }, 'embedding_model must name the model of the vectors'],
  ])('%s is refused', async (_what, fields, reason) => {
    expect((await refusalOf(fields))?.slice(0, reason.length)).toBe(reason);
  });
});
