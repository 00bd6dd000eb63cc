import { describe, expect, test } from '@jest/globals';
import { readSource } from '../../src/transfer/read-source.ts';

const MODIFIED = new Date('2026-11-22T12:00:00Z');
const read = (path: string, content: unknown) =>
  readSource({
    path,
    text: typeof content === 'string' ? content : JSON.stringify(content),
    modifiedAt: MODIFIED,
    visibility: [],
  });

describe('an export of another program', () => {
  test('of mem0', () => {
    const { records, faults } = read('mem0.json', {
      results: [
        {
          id: 'f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c',
          memory: 'Likes short answers',
          user_id: 'dana',
          agent_id: null,
          run_id: 'r1',
          hash: 'bae3e3',
          metadata: { channel: 'chat' },
          categories: ['preferences'],
          created_at: '2024-07-26T10:29:36.630547-07:00',
          updated_at: null,
        },
      ],
    });
    expect(faults).toEqual([]);
    expect(records).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
        content: 'Likes short answers',
        created_at: '2024-07-26T17:29:36.630Z',
        updated_at: '2024-07-26T17:29:36.630Z',
        session_id: 'r1',
        tags: ['preferences', 'mem0'],
        metadata: { channel: 'chat', mem0_id: 'f4cbdb08-7062-4f3e-8eb2-9f5c80dfe64c', user_id: 'dana' },
      },
    ]);
  });

  test.each([
    ['of mem0', (created_at: unknown) => ({ memory: 'a', created_at })],
    ['of mcp-memory-service', (created_at: unknown) => ({ content: 'a', content_hash: 'h', created_at })],
    [
      'of Claude',
      (created_at: unknown) => ({ chat_messages: [{ uuid: 'u', sender: 'human', text: 'a', created_at }] }),
    ],
    [
      'of ChatGPT',
      (create_time: unknown) => ({
        current_node: 'n',
        mapping: { n: { message: { author: { role: 'user' }, content: { parts: ['a'] }, create_time } } },
      }),
    ],
  ])('%s names an item whose time cannot be read, and takes the others', (_, item) => {
    const { records, faults } = read('export.json', [item('soon'), item('2026-01-02'), item(null)]);
    expect(faults).toEqual([expect.stringMatching(/^export\.json, item 1: "soon" is no time: write /)]);
    const times = ['2026-01-02T00:00:00.000Z', MODIFIED.toISOString()];
    expect(records.map(({ created_at }) => created_at)).toEqual(times);
  });

  describe('of the reference memory server of MCP', () => {
    const ivo = { name: 'Ivo', entityType: 'person', observations: ['speaks Polish', 'prefers mail', 'speaks Polish'] };
    const acme = { name: 'Acme', entityType: 'company', observations: [] };
    const relation = { from: 'Ivo', to: 'Acme', relationType: 'works_at' };
    const lines = [
      { type: 'entity', ...ivo },
      { type: 'entity', ...acme },
      { type: 'relation', ...relation },
    ].map((line) => JSON.stringify(line));

    test.each([
      ['memory.json', lines.join('\n')],
      ['memory.jsonl', `${lines.join('\n')}\n`],
      ['graph.json', JSON.stringify({ entities: [ivo, acme], relations: [relation] }, null, 2)],
    ])('in %s', (path, text) => {
      const { records, faults } = read(path, text);
      expect(faults).toEqual([]);
      expect(records).toMatchObject([
        { content: 'Ivo: speaks Polish', tags: ['person', 'knowledge-graph'], created_at: '2026-11-22T12:00:00.000Z' },
        { content: 'Ivo: prefers mail' },
        { content: 'Acme: company', tags: ['company', 'knowledge-graph'] },
        { content: 'Ivo works at Acme', tags: ['knowledge-graph'] },
      ]);
      expect(new Set(records.map(({ id }) => id)).size).toBe(4);
    });

    test('not where a line is something else', () => {
      const { faults } = read('memory.jsonl', [...lines, '{"type":"entity","name":7}'].join('\n'));
      expect(faults).toContainEqual(expect.stringContaining('line 4'));
    });
  });

  test('of mcp-memory-service', () => {
    const { records } = read('backup.json', {
      export_metadata: { total_memories: 1 },
      memories: [
        {
          content: 'Deploys need two reviews.',
          content_hash: '9f86d081',
          tags: ['deploy', 'rule'],
          created_at: 1_721_990_976.5,
          created_at_iso: '2024-07-26T10:49:36.500000Z',
          updated_at: 1_721_990_977,
          memory_type: 'decision',
          metadata: { source: 'claude' },
        },
      ],
    });
    expect(records).toMatchObject([
      {
        content: 'Deploys need two reviews.',
        created_at: '2024-07-26T10:49:36.500Z',
        updated_at: '2024-07-26T10:49:37.000Z',
        tags: ['deploy', 'rule'],
        metadata: { source: 'claude', memory_type: 'decision' },
      },
    ]);
  });

  test('of ChatGPT: what people and the model said in the branch that was shown last', () => {
    const node = (
      parent: string | null,
      role: string,
      parts: unknown[],
      create_time: number | null = 1_721_990_976,
    ) => ({
      parent,
      children: [],
      message: { author: { role }, content: { content_type: 'text', parts }, create_time },
    });
    const { records } = read('conversations.json', [
      {
        title: 'Harbour',
        conversation_id: 'c1',
        create_time: 1_721_990_000,
        current_node: 'd',
        mapping: {
          root: { parent: null, children: ['a'], message: null },
          a: node('root', 'system', ['']),
          b: node('a', 'user', ['Where is the harbour?', { asset_pointer: 'x' }], null),
          old: node('b', 'assistant', ['An answer that was made again.']),
          c: node('b', 'tool', ['result']),
          d: node('c', 'assistant', ['In the north.']),
        },
      },
    ]);
    expect(records).toMatchObject([
      {
        role: 'user',
        content: 'Where is the harbour?',
        created_at: '2024-07-26T10:33:20.000Z',
        session_id: 'c1',
        metadata: { title: 'Harbour' },
      },
      { role: 'assistant', content: 'In the north.', created_at: '2024-07-26T10:49:36.000Z', tags: ['chatgpt'] },
    ]);
  });

  test('of Claude', () => {
    const { records } = read('conversations.json', [
      {
        uuid: 'u1',
        name: 'Ports',
        chat_messages: [
          { uuid: 'm1', sender: 'human', text: 'Which port?', created_at: '2025-01-02T03:04:05.678901Z' },
          {
            uuid: 'm2',
            sender: 'assistant',
            text: '',
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'text', text: '7832.' },
            ],
            created_at: '2025-01-02T03:04:06Z',
          },
        ],
      },
    ]);
    expect(records).toMatchObject([
      {
        role: 'user',
        content: 'Which port?',
        created_at: '2025-01-02T03:04:05.678Z',
        session_id: 'u1',
        metadata: { title: 'Ports' },
      },
      { role: 'assistant', content: '7832.' },
    ]);
  });

  test('of ChatGPT and Claude without times has those of their conversations, or of the file', () => {
    const claude = (times: object) => ({
      uuid: 'u1',
      ...times,
      chat_messages: [{ uuid: 'm1', sender: 'human', text: 'Likes tea.', created_at: null }],
    });
    const chatGpt = (times: object) => ({
      current_node: 'a',
      ...times,
      mapping: { a: { message: { author: { role: 'user' }, content: { parts: ['Likes tea.'] } } } },
    });
    const timesOf = (data: object[]) => read('conversations.json', data).records.map(({ created_at }) => created_at);
    const created_at = '2025-01-02T03:04:05.000Z';
    expect(timesOf([claude({ created_at }), claude({})])).toEqual([created_at, MODIFIED.toISOString()]);
    expect(timesOf([chatGpt({ create_time: 1_735_787_045 }), chatGpt({})])).toEqual([
      created_at,
      MODIFIED.toISOString(),
    ]);
  });

  test.each([
    ['mem0', { results: [{ id: 'a', memory: 'Likes tea.' }, { id: 'b' }, { id: 'c', memory: ' ' }, null] }, [2, 3, 4]],
    [
      'mcp-memory-service',
      {
        memories: [
          { content: '', content_hash: 'a' },
          { content: 'Likes tea.', content_hash: 'b' },
        ],
      },
      [1],
    ],
    [
      'ChatGPT',
      [
        { title: 'Empty', mapping: null },
        {
          current_node: 'a',
          create_time: 1_721_990_000,
          mapping: { a: { message: { author: { role: 'user' }, content: { parts: ['Likes tea.'] } } } },
        },
      ],
      [1],
    ],
    [
      'Claude',
      [
        {
          uuid: 'u1',
          chat_messages: [{ uuid: 'm1', sender: 'human', text: 'Likes tea.', created_at: '2025-01-02T03:04:05Z' }],
        },
        { uuid: 'u2' },
      ],
      [2],
    ],
  ])('of %s comes in without the items that nobody can read, and names them', (_, data, unread) => {
    const { records, faults } = read('export.json', data);
    expect(records).toMatchObject([{ content: 'Likes tea.' }]);
    expect(faults).toEqual(unread.map((place) => expect.stringMatching(`^export\\.json, item ${place}: `)));
  });

  test('is named in the fault where it is none of them', () => {
    expect(read('x.json', { a: 1 })).toEqual({
      records: [],
      faults: [expect.stringContaining('x.json: not a known export')],
    });
    expect(read('x.json', '{').faults).toHaveLength(1);
    expect(read('x.json', [])).toEqual({ records: [], faults: [] });
  });
});

describe('JSON lines', () => {
  test('go in as they are where they are ours, and by the usual names where not', () => {
    const own = {
      id: '0193a000000070008000000000000001',
      content: 'Ours.',
      created_at: '2026-11-20T10:00:00Z',
      anything: 1,
    };
    const lines = [
      own,
      { text: 'Theirs.', timestamp: 1_721_990_976, role: 'user', name: 'Dana' },
      { message: 'Bare.' },
      { x: 1 },
      'no',
    ];
    const { records, faults } = read('x.jsonl', lines.map((line) => JSON.stringify(line)).join('\n\n'));
    expect(records[0]).toEqual(own);
    expect(records.slice(1)).toMatchObject([
      { content: 'Theirs.', created_at: '2024-07-26T10:49:36.000Z', role: 'user', name: 'Dana' },
      { content: 'Bare.', created_at: '2026-11-22T12:00:00.000Z' },
    ]);
    expect(faults).toEqual([expect.stringContaining('line 7'), expect.stringContaining('line 9')]);
  });

  test.each([
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05.678901+02:00', '2026-01-02T01:04:05.678Z'],
    // Of git and Jekyll.
    ['2026-01-02 03:04:05 +0200', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05-0130', '2026-01-02T04:34:05.000Z'],
    // No time is told: that of the file.
    ['', '2026-11-22T12:00:00.000Z'],
    [null, '2026-11-22T12:00:00.000Z'],
  ])(
    'are of the time that the service would read, in whichever time zone they are imported: %s',
    (timestamp, createdAt) => {
      const { records } = read('x.jsonl', JSON.stringify({ text: 'a', timestamp }));
      expect(records).toMatchObject([{ created_at: createdAt }]);
    },
  );

  test.each([
    [1_767_323_045, '2026-01-02T03:04:05.000Z'],
    [1_767_323_045_678, '2026-01-02T03:04:05.678Z'],
    [100_000_000, '1973-03-03T09:46:40.000Z'],
  ])('are of the time %p, in seconds or milliseconds', (timestamp, createdAt) => {
    const { records } = read('x.jsonl', JSON.stringify({ text: 'a', timestamp }));
    expect(records).toMatchObject([{ created_at: createdAt }]);
  });

  // No day of the calendar, no instant, a year and a day.
  test.each(['yesterday', '2026-02-30', '5', 2026, 20_260_102])(
    'are named where their time cannot be read, and not dated by the file: %j',
    (time) => {
      const text = JSON.stringify({ text: 'a', time });
      expect(read('x.jsonl', text)).toEqual({
        records: [],
        faults: [
          `x.jsonl, line 1: ${JSON.stringify(time)} is no time: write the whole day, such as 2026-01-20 or 20 January 2026, an instant of ISO 8601, or seconds or milliseconds since 1970`,
        ],
      });
      const other = JSON.stringify({ text: 'a', time, created_at: '2026-01-02' });
      expect(read('x.jsonl', other).records).toMatchObject([{ created_at: '2026-01-02T00:00:00.000Z' }]);
    },
  );

  test('have the same id when they are read again', () => {
    const ids = () => read('x.jsonl', '{"text":"a"}\n{"text":"b"}').records.map(({ id }) => id);
    expect(ids()).toEqual(ids());
    expect(new Set(ids()).size).toBe(2);
  });
});

describe('Markdown', () => {
  test('is a memory for each section, under its headings', () => {
    const text =
      '---\ntags: [ops]\ndate: 2026-01-02\nowner: Dana\n---\nIntro.\n\n# Deploy\n\n## Staging\nWipes on Sunday.\n```sh\n# no heading\n```\n## Empty\n# Other #\nEnd.\n';
    expect(read('docs/ops.md', text).records).toMatchObject([
      {
        content: 'Intro.',
        created_at: '2026-01-02T00:00:00.000Z',
        tags: ['ops'],
        metadata: { owner: 'Dana', file: 'docs/ops.md' },
      },
      {
        content: 'Deploy > Staging\n\nWipes on Sunday.\n```sh\n# no heading\n```',
        metadata: { heading: 'Deploy > Staging' },
      },
      { content: 'Other\n\nEnd.' },
    ]);
  });

  test.each(['docs/keys.md', 'CLAUDE.md'])('loses nothing between thematic breaks and before them: %s', (path) => {
    const text = 'Priya keeps the code.\n\n---\n\nNote: the rest is for CI.\n\n---\n\nCI runs on db-7.\n';
    const told = read(path, text).records.map(({ content }) => content);
    expect(told.join('\n')).toMatch(/^Priya keeps the code\.\n.*^Note: the rest is for CI\.\n.*^CI runs on db-7\.$/ms);
  });

  test.each([
    ['20 January 2026', '2026-01-20T00:00:00.000Z'],
    ['20th Jan. 2026', '2026-01-20T00:00:00.000Z'],
    ['20-Sept-2026', '2026-09-20T00:00:00.000Z'],
    ['Tue, 20 Jan 2026 10:00:00 +0130', '2026-01-20T08:30:00.000Z'],
    ['Tuesday, January 20th, 2026', '2026-01-20T00:00:00.000Z'],
    ['Jan 20 2026 at 3:15 PM', '2026-01-20T15:15:00.000Z'],
    ['May 2, 2026 12:05 am', '2026-05-02T00:05:00.000Z'],
    ['2026/1/20 20:46', '2026-01-20T20:46:00.000Z'],
    ['2026.01.02', '2026-01-02T00:00:00.000Z'],
    ['20.01.2026', '2026-01-20T00:00:00.000Z'],
    ['1.2.2026, 9:05', '2026-02-01T09:05:00.000Z'],
  ])('is of the date in its front matter: %s', (date, createdAt) => {
    const { records, faults } = read('log.md', `---\ndate: ${date}\n---\nThe vault is open.\n`);
    expect([records.map(({ created_at }) => created_at), faults]).toEqual([[createdAt], []]);
  });

  // Which is the day, no days of the calendar, no hour, a month, a year of two digits.
  test.each([
    '20/01/2026',
    '30 February 2026',
    '01.20.2026',
    '20.01.26',
    'Jan 20, 2026 13:00 pm',
    'May 2026',
    'Jan 20, 26',
    'in spring',
  ])('is named where that date cannot be read, and not dated by the file: %s', (date) => {
    const text = `---\ndate: ${date}\n---\nThe vault is open.\n`;
    expect(read('log.md', text)).toEqual({
      records: [],
      faults: [
        `log.md, its front matter: "${date}" is no time: write the whole day, such as 2026-01-20 or 20 January 2026, an instant of ISO 8601, or seconds or milliseconds since 1970`,
      ],
    });
    const created = text.replace('date', 'created: 2026-01-02\ndate');
    expect(read('log.md', created).records).toMatchObject([{ created_at: '2026-01-02T00:00:00.000Z' }]);
    expect(read('log.md', text.replace(date, '')).faults).toEqual([]);
  });

  test('takes in a file whose front matter holds itself, or holds the blanks of a template', () => {
    const circle = '---\nowner: &a [*a]\n---\nThe vault is open.\n';
    expect(read('vault.md', circle).records.map(({ content }) => content)).toEqual([circle.trim()]);
    const template = '---\nowner: {{name}}\n---\nThe vault is open.\n';
    expect(read('vault.md', template).records.map(({ content }) => content)).toEqual(['The vault is open.']);
  });

  test.each(['---', '***', '_ _ _', '- - -'])('makes no memory of the thematic break %s', (line) => {
    const text = `# Build\n\n- Use pnpm.\n\n${line}\n\n# Plans\n\n${line}\n`;
    expect(read('CLAUDE.md', text).records.map(({ content }) => content)).toEqual(['Build: Use pnpm.']);
    expect(read('docs/build.md', `# Plans\n\n${line}\n`).records).toEqual([]);
  });

  test.each(['CLAUDE.md', 'sub/AGENTS.md'])('with rules for agents is a memory for each rule: %s', (path) => {
    const text =
      '# Build\n\nUse pnpm,\nnever npm.\n\n- Tests first\n  - and small\n\n  with reasons\n- Lint\n1. Then push\n\n```sh\nnpm test\n\n- not a rule\n```\n';
    expect(read(path, text).records.map(({ content, role }) => [role, content])).toEqual([
      ['user', 'Build: Use pnpm,\nnever npm.'],
      ['user', 'Build: Tests first\n  - and small\n  with reasons'],
      ['user', 'Build: Lint'],
      ['user', 'Build: Then push'],
      ['user', 'Build: ```sh\nnpm test\n\n- not a rule\n```'],
    ]);
  });
});

test('a Markdown section that is too long for one memory becomes several, each under its heading, and loses nothing', () => {
  const paragraphs = Array.from({ length: 700 }, (_, index) => `Paragraph ${index} ${'of words '.repeat(60)}end.`);
  const { records, faults } = read('long.md', `# Log\n\n## Of today\n\n${paragraphs.join('\n\n')}\n`);
  expect(faults).toEqual([]);
  expect(records.length).toBe(2);
  const parts = records.map(({ content }) => content.replace('Log > Of today\n\n', ''));
  for (const { content } of records) {
    expect(content.length).toBeLessThanOrEqual(200_000);
    expect(content.startsWith('Log > Of today\n\n')).toBe(true);
  }
  expect(parts.join('\n\n').split('\n\n')).toEqual(paragraphs);
  expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  const emoji = read('emoji.md', '\u{1F600}'.repeat(150_000)).records.map(({ content }) => content);
  expect(emoji.join('')).toBe('\u{1F600}'.repeat(150_000));
});

test('cuts a Markdown heading that leaves no room for what stands below it', () => {
  const [record] = read('heading.md', `# ${'of words '.repeat(30_000)}\n\nUse pnpm.\n`).records;
  expect(record?.content.length).toBeLessThanOrEqual(10_100);
  expect(record?.content.endsWith('\n\nUse pnpm.')).toBe(true);
});
