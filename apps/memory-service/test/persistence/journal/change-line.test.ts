import { describe, expect, test } from '@jest/globals';
import { ALWAYS_VALID, type Memory, NOT_SUPERSEDED } from '../../../src/domain/memory/memory.ts';
import { changeFromWire, changeToJson, UnknownChangeError } from '../../../src/persistence/journal/change-line.ts';
import type { Change } from '../../../src/store/changes/change.ts';

const MODEL = { id: 'pair@1', dimension: 2 };
const MEMORY: Memory = {
  id: 'm1',
  gist: 'We ship.',
  content: 'We ship.',
  gistEdited: false,
  tags: [],
  importance: 0.4,
  agentId: 'ann',
  sessionId: null,
  scope: 'TEAM',
  project: null,
  kind: 'episodic',
  role: 'user',
  name: null,
  source: 'user',
  entities: [],
  createdAt: Date.UTC(2026, 10, 20, 9, 30),
  updatedAt: Date.UTC(2026, 10, 20, 9, 31),
  sources: [],
  consolidatedInto: null,
  ...NOT_SUPERSEDED,
  ...ALWAYS_VALID,
  metadata: {},
  idempotencyKey: null,
};
const MEMORY_JSON =
  '{"id":"m1","gist":"We ship.","gist_edited":false,"tags":[],"importance":0.4,"agent_id":"ann","session_id":null,"scope":"TEAM","kind":"episodic","role":"user","name":null,"source":"user","entities":[],"created_at":"2026-11-20T09:30:00.000Z","updated_at":"2026-11-20T09:31:00.000Z","sources":[],"consolidated_into":null,"superseded_by":null,"metadata":{},"idempotency_key":null}';
/** 1 and 2 as little-endian 32-bit floats: 00 00 80 3f 00 00 00 40. */
const VECTORS_JSON = '{"model":"pair@1","dimension":2,"base64":"AACAPwAAAEA="}';
const CONTRADICTION = {
  id: 'c1',
  a: 'm1',
  b: 'm2',
  score: 0.8,
  reason: 'number',
  topic: 'rack',
  clash: { a: ['7'], b: ['9'] },
  by: 'rules',
  foundAt: Date.UTC(2026, 10, 21),
  decision: null,
  opinion: null,
} as const;
const CONTRADICTION_JSON =
  '{"id":"c1","a":"m1","b":"m2","score":0.8,"reason":"number","topic":"rack","clash":{"a":["7"],"b":["9"]},"by":"rules","found_at":"2026-11-21T00:00:00.000Z","decision":null}';

/** A change, its JSON, and the fields that it has only when it is read. */
const CHANGES: readonly [string, Change, string, object?][] = [
  [
    'a new memory with its vectors',
    { op: 'add', memory: MEMORY, vectors: [Float32Array.of(1, 2)] },
    `{"op":"add","memory":${MEMORY_JSON},"vectors":${VECTORS_JSON}}`,
    { strength: null, vectors: { model: MODEL, values: Float32Array.of(1, 2) } },
  ],
  [
    'a new memory with its strength, without vectors',
    {
      op: 'add',
      memory: MEMORY,
      strength: {
        lastRecalledAt: Date.UTC(2026, 10, 21),
        recallCount: 2,
        stabilityDays: 3.5,
        recalledBy: [{ agentId: 'bob', at: Date.UTC(2026, 10, 21) }],
      },
      vectors: [],
    },
    `{"op":"add","memory":${MEMORY_JSON},"strength":{"last_recalled_at":"2026-11-21T00:00:00.000Z","recall_count":2,"stability_days":3.5,"recalled_by":[{"agent_id":"bob","at":"2026-11-21T00:00:00.000Z"}]},"vectors":null}`,
    { vectors: null },
  ],
  [
    'a change of something else than the text',
    { op: 'update', memory: MEMORY },
    `{"op":"update","memory":${MEMORY_JSON}}`,
    { strength: undefined, vectors: undefined },
  ],
  [
    'a new text without vectors',
    { op: 'update', memory: MEMORY, vectors: [] },
    `{"op":"update","memory":${MEMORY_JSON},"vectors":null}`,
    { strength: undefined, vectors: null },
  ],
  ['a delete', { op: 'delete', ids: ['m1', 'm2'] }, '{"op":"delete","ids":["m1","m2"]}'],
  [
    'a decision',
    {
      op: 'decided',
      contradiction: {
        ...CONTRADICTION,
        decision: { winner: 'm2', agentId: 'bob', at: Date.UTC(2026, 10, 22), note: null },
      },
    },
    `{"op":"decided","contradiction":${CONTRADICTION_JSON.replace(
      '"decision":null',
      '"decision":{"winner":"m2","note":null,"agent_id":"bob","at":"2026-11-22T00:00:00.000Z"}',
    )}}`,
  ],
];

describe('a change in the journal', () => {
  test.each(CHANGES)('%s is written and read', (_what, change, json, readMore = {}) => {
    expect(changeToJson(change, MODEL)).toBe(json);
    expect(changeFromWire(JSON.parse(json))).toEqual({ ...change, ...readMore });
  });

  test('a group holds its changes, and what they rest on', () => {
    const [, remove, removeJson] = CHANGES[4] as (typeof CHANGES)[number];
    const [, update, updateJson] = CHANGES[2] as (typeof CHANGES)[number];
    const expected = [{ id: 'm1', updatedAt: 7 }];
    const group = { op: 'group', expected, changes: [remove, update] } as Change;
    const json = `{"op":"group","expected":[{"id":"m1","updatedAt":7}],"changes":[${removeJson},${updateJson}]}`;
    expect(changeToJson(group, MODEL)).toBe(json);
    expect(changeFromWire(JSON.parse(json))).toEqual({
      op: 'group',
      expected,
      changes: [remove, { ...update, strength: undefined, vectors: undefined }],
    });
  });

  test('a comparison names what was compared, as it was read, and what was found', () => {
    const json = `{"op":"compared","by":"rules","memories":["m1"],"read":[],"found":[${CONTRADICTION_JSON}]}`;
    const change = { op: 'compared', by: 'rules', memories: ['m1'], read: [], found: [CONTRADICTION] } as Change;
    expect(JSON.parse(changeToJson(change, null))).toEqual(JSON.parse(json));
    expect(changeFromWire(JSON.parse(json))).toEqual(change);
  });

  test('without a model no vectors are written', () => {
    expect(changeToJson({ op: 'add', memory: MEMORY, vectors: [Float32Array.of(1)] }, null)).toContain(
      '"vectors":null',
    );
  });

  test('one that a later version wrote is refused by name', () => {
    expect(() => changeFromWire({ op: 'entangle' })).toThrow(UnknownChangeError);
    expect(() => changeFromWire({ op: 'entangle' })).toThrow("the change 'entangle'");
  });
});
