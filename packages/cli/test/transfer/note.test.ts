import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { noteName, noteOf, noteRecord } from '../../src/transfer/note.ts';
import type { MemoryRecord } from '../../src/transfer/record.ts';

const MODIFIED = new Date('2026-11-22T12:00:00Z');
const file = (text: string) => ({ path: 'a.md', text, modifiedAt: MODIFIED });

const RECORD: MemoryRecord = {
  id: '0193a000-0000-7000-8000-0000000000aa',
  gist: 'The status goes out on Mondays.',
  content: 'The status goes out on Mondays.',
  gist_edited: false,
  tags: ['status', 'true', '2026-11-21'],
  importance: 0.39,
  agent_id: 'planner',
  session_id: null,
  scope: 'TEAM',
  entities: [{ name: 'Dana', type: 'person' }],
  created_at: '2026-11-21T09:30:00.123Z',
  updated_at: '2026-11-21T09:30:00.123Z',
  metadata: { nested: { list: [1, null, 'é'], no: 'no', date: '2026-11-21' } },
};

describe('a note', () => {
  test('has the words in plain sight under everything else', () => {
    const text = noteOf(RECORD);
    expect(text).toMatch(/^---\nid: 0193a000-0000-7000-8000-0000000000aa\n/);
    expect(text).toMatch(/\n---\nThe status goes out on Mondays\.\n$/);
  });

  test('gives back the memory that it was made of, whatever stands in it', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[-\s:#|>&*!%@`'"{}[\],?~\r\n0-9eE.+_=a-z]*$/),
      fc.constantFrom(
        '---',
        '---\n',
        '\n---\n',
        'a\n---\nb',
        '\r\n',
        ' ',
        '\ufeff',
        'null',
        '~',
        '1e3',
        '0x1F',
        '\u2028',
        '\u0085',
      ),
    );
    fc.assert(
      fc.property(text, fc.dictionary(text, json), text, fc.array(text), (content, metadata, gist, tags) => {
        const record = { ...RECORD, content, metadata, gist, tags };
        const note = noteRecord(file(noteOf(record)));
        expect(note).toEqual({ record, isEdited: false });
      }),
      { numRuns: 200 },
    );
  });

  test('is a change where its words were changed, with what was made of the old ones left out', () => {
    const text = noteOf(RECORD).replace(/on Mondays\.\n$/, 'on Tuesdays.\n');
    const { gist, entities, gist_edited, ...kept } = RECORD;
    expect(noteRecord(file(text))).toEqual({
      isEdited: true,
      record: { ...kept, content: 'The status goes out on Tuesdays.', updated_at: '2026-11-22T12:00:00.000Z' },
    });
  });

  test('is a change where a field was changed, and none where an editor writes the same fields otherwise', () => {
    const text = noteOf(RECORD);
    expect(noteRecord(file(text.replace('importance: 0.39', 'importance: 0.9')))).toMatchObject({
      isEdited: true,
      record: { importance: 0.9 },
    });
    const [matter = '', ...rest] = text.slice(4).split('\n---\n');
    const lines = matter.split('\n');
    const moved = lines.filter((line) => line.startsWith('id:') || line.startsWith('scope:'));
    const reordered = [...lines.filter((line) => !moved.includes(line)), ...moved, '# a remark'].join('\n');
    expect(noteRecord(file(`---\n${reordered}\n---\n${rest.join('\n---\n')}`))).toEqual({
      record: RECORD,
      isEdited: false,
    });
  });

  test('has the gist that somebody has written into its fields', () => {
    const { record } = noteRecord(file(noteOf(RECORD).replace('gist: The status goes out', 'gist: Status'))) ?? {};
    expect(record).toMatchObject({ gist: 'Status on Mondays.', content: RECORD.content });
    // So that the service sees that it is no gist of its own.
    expect(record).not.toHaveProperty('gist_edited');
  });

  test('keeps the gist that somebody has written', () => {
    const edited = { ...RECORD, gist: 'Status: Mondays.', gist_edited: true };
    const changed = noteRecord(file(`${noteOf(edited)}More.`));
    expect(changed?.record).toMatchObject({
      gist: 'Status: Mondays.',
      content: 'The status goes out on Mondays.\nMore.',
    });
  });

  test.each(['', '# Heading', '---\nid: x\n---\n', '---\n{\n---\n', '---\n- a\n---\n', '---\nexport_hash: y\n'])(
    'is not read out of %j',
    (text) => {
      expect(noteRecord(file(text))).toBeNull();
    },
  );

  test('has a name that every file system takes, with the end of its id', () => {
    expect(noteName(RECORD)).toEqual({
      name: 'The status goes out on Mondays 0000000000aa.md',
      end: '0000000000aa.md',
    });
    expect(noteName({ ...RECORD, gist: '../../etc/passwd: "a|b"?\u0000' }).name).toBe('etc passwd a b 0000000000aa.md');
    expect(noteName({ ...RECORD, gist: '!!!' }).name).toBe('memory 0000000000aa.md');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (gist) => {
        const { name } = noteName({ ...RECORD, gist });
        expect(Buffer.byteLength(name)).toBeLessThan(255);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name may hold them.
        expect(name).not.toMatch(/[/\\:*?"<>|\u0000-\u001f]/);
      }),
    );
  });
});
