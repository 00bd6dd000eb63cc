import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { emptyStore, say } from '../../../apps/memory-service/test/start-service.ts';
import { runTasks } from '../../../apps/timing-service/test/start-service.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import type { Edge } from '../src/command.ts';
import { run as runAnywhere } from './run-cli.ts';

let services: LiveServices;
let folder: string;

beforeAll(async () => {
  services = await startLiveServices();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  await emptyStore(services.memory);
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => services.close());

const run = (argv: readonly string[], world: Partial<Edge> & { input?: string } = {}) =>
  runAnywhere(argv, {
    cwd: folder,
    env: { MEMORY_URL: services.memoryUrl, TIMING_URL: services.timingUrl, AGENT_ID: 'ann' },
    ...world,
  });
const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const putLongAgo = (path: string, text: string) => {
  put(path, text);
  utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
};
const exported = async () =>
  (await run(['export'])).out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const notes = () =>
  readdirSync(join(folder, 'notes'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

describe('import', () => {
  test('takes a folder in, and nothing twice', async () => {
    put('AGENTS.md', '# Build\n- Use pnpm.\n- Test first.\n');
    put('docs/ops.md', '# Backups\nKept for 30 days.\n');
    put('chat.jsonl', '{"text":"The harbour is in the north.","timestamp":"2026-01-02T03:04:05Z"}\n');
    put('.git/x.md', 'Hidden.');
    put('node_modules/x/README.md', 'Foreign.');
    put('picture.png', 'x');
    symlinkSync(folder, join(folder, 'circle'));
    for (const name of ['AGENTS.md', 'docs/ops.md']) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    expect(await run(['import', '.', '--tag', 'first'])).toEqual({
      code: 0,
      err: '',
      out: '4 memories: 4 added, 0 updated, 0 known already, 0 rejected.\n',
    });
    const kept = (await exported()).map(({ content, source, agent_id, tags }) => [content, agent_id, source, ...tags]);
    expect(kept.sort()).toEqual([
      ['Backups\n\nKept for 30 days.', 'ann', 'import', 'first'],
      ['Build: Test first.', 'ann', 'import', 'rules', 'first'],
      ['Build: Use pnpm.', 'ann', 'import', 'rules', 'first'],
      ['The harbour is in the north.', 'ann', 'import', 'first'],
    ]);
    expect((await run(['import', '.'])).out).toBe('4 memories: 0 added, 0 updated, 4 known already, 0 rejected.\n');
    expect((await run(['recall', 'Where is the harbour?', '-n', '1'])).out).toContain('in the north');
  });

  test('leaves alone what was said of its memories since, also where the file has got a new time', async () => {
    putLongAgo('AGENTS.md', '- Use pnpm.\n- Test first.\n');
    await run(['import', 'AGENTS.md']);
    const [first] = await exported();
    await run(['forget', first.id, '--reason', 'We use npm now.']);
    const before = await exported();
    utimesSync(join(folder, 'AGENTS.md'), 1_790_000_000, 1_790_000_000);
    expect((await run(['import', 'AGENTS.md'])).out).toBe(
      '2 memories: 0 added, 0 updated, 2 known already, 0 rejected.\n',
    );
    expect(await exported()).toEqual(before);
  });

  test('gives each project what it takes in, and each agent what it keeps to itself, also of one file', async () => {
    putLongAgo('AGENTS.md', '- Use pnpm.\n- Test first.\n');
    for (const place of [
      ['--project', 'web'],
      ['--project', 'till'],
      ['--scope', 'PRIVATE'],
      ['--scope', 'PRIVATE', '--agent-id', 'bob'],
    ]) {
      expect((await run(['import', 'AGENTS.md', ...place])).out).toMatch(/^2 memories: 2 added/);
      expect((await run(['import', 'AGENTS.md', ...place])).out).toMatch(/ 2 known already, 0 rejected\.\n$/);
    }
  });

  test('counts as known what another agent has told all', async () => {
    putLongAgo('AGENTS.md', '- Lint first.\n- Push often.\n');
    await run(['import', 'AGENTS.md']);
    expect(await run(['import', 'AGENTS.md', '--agent-id', 'bob'])).toMatchObject({
      code: 0,
      out: '2 memories: 0 added, 0 updated, 2 known already, 0 rejected.\n',
    });
  });

  test('says what would happen, and changes nothing, in a dry run', async () => {
    const { out, code } = await run(['import', '-', '--dry-run', '--scope', 'PRIVATE'], { input: '{"text":"a"}\n' });
    expect([code, out]).toEqual([
      0,
      'Nothing was changed. 1 memory: 1 added, 0 updated, 0 known already, 0 rejected.\n',
    ]);
    expect(await exported()).toEqual([]);
  });

  test('takes files in that begin with a byte order mark', async () => {
    put('AGENTS.md', '\ufeff# Build\n- Use tabs.\n');
    put('chat.jsonl', '\ufeff{"text":"The lighthouse is in the south."}\n');
    for (const name of ['AGENTS.md', 'chat.jsonl']) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    expect(await run(['import', '.'])).toMatchObject({ code: 0, err: '' });
    expect((await exported()).map(({ content }) => content).sort()).toEqual([
      'Build: Use tabs.',
      'The lighthouse is in the south.',
    ]);
  });

  test('takes UTF-16 as Windows PowerShell writes it, and keeps nothing of what is no text', async () => {
    put('chat.jsonl', Buffer.from('\ufeff{"text":"Der Hafen heißt Überlingen."}\n', 'utf16le'));
    put('export.json', Buffer.from('PK\u0003\u0004\u0014\0conversations.json', 'latin1'));
    put('latin.md', Buffer.from('The café opens at nine.\n', 'latin1'));
    put('picture.md', Buffer.from([0x23, 0x20, 0x00, 0x01]));
    utimesSync(join(folder, 'chat.jsonl'), 1_700_000_000, 1_700_000_000);
    const { code, out, err } = await run(['import', '.']);
    expect([code, out]).toEqual([1, '1 memory: 1 added, 0 updated, 0 known already, 0 rejected, 3 not read.\n']);
    expect(err.trim().split('\n')).toEqual([
      'export.json: an archive: unpack it, and import what is in it',
      'latin.md: no text in UTF-8: save it in UTF-8, if it is a text',
      'picture.md: no text in UTF-8: save it in UTF-8, if it is a text',
    ]);
    expect((await exported()).map(({ content }) => content)).toEqual(['Der Hafen heißt Überlingen.']);
    // A text from a pipe whose chunks end within a letter.
    const bytes = new TextEncoder().encode('{"text":"Größe: 7 Körbe."}\n');
    const stdin = (async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte);
    })();
    expect((await run(['import', '-'], { stdin })).code).toBe(0);
    expect((await exported()).map(({ content }) => content)).toContain('Größe: 7 Körbe.');
  });

  test('reads a pipe with a name to its end, whenever somebody writes into it', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const lines = ['north', 'south'].map((place) => `echo '{"text":"The harbour is in the ${place}."}'`);
    spawn('sh', ['-c', `{ ${lines.join('; ')}; } >pipe`], { cwd: folder, stdio: 'ignore' });
    const { out } = await run(['import', 'pipe']);
    expect(out).toBe('2 memories: 2 added, 0 updated, 0 known already, 0 rejected.\n');
  });

  test('names what cannot be taken in, takes the rest, and fails', async () => {
    const input = '{"text":"password: hunter2secret!"}\n{"x":1}\n{"text":"future","date":"2050-01-01"}\n';
    const { out, err, code } = await run(['import', '-'], { input });
    expect(code).toBe(1);
    expect(out).toBe(
      '2 memories: 1 added, 0 updated, 0 known already, 1 rejected, 1 not read.\n1 secret masked (password).\n',
    );
    expect(err).toMatch(
      /^standard input, line 2: no JSON object with a text .*\nstandard input, memory 2: created_at /,
    );
    putLongAgo('a.jsonl', '{"text":"One."}\n{"text":"Two."}\n');
    putLongAgo('b/c.jsonl', '{"text":"Three."}\n{"text":"future","date":"2050-01-01"}\n');
    expect((await run(['import', '.'])).err).toMatch(/^b\/c\.jsonl, memory 2: created_at .*\n$/);
    expect(JSON.parse((await run(['import', '-', '--json'], { input })).out)).toMatchObject({
      report: { received: 2, duplicates: 1, rejected_count: 1 },
      faults: [expect.stringContaining('line 2')],
    });
  });

  // Whoever runs the tests as root can read every file on a disk.
  (existsSync('/proc/self/mem') ? test : test.skip)(
    'names a file that cannot be read, and takes in the others',
    async () => {
      putLongAgo('AGENTS.md', '- Write plainly.\n');
      const { code, out, err } = await run(['import', '/proc/self/mem', 'AGENTS.md']);
      expect([code, out]).toEqual([1, '1 memory: 1 added, 0 updated, 0 known already, 0 rejected, 1 not read.\n']);
      expect(err).toMatch(/^\/proc\/self\/mem cannot be read: /);
    },
  );

  test.each([
    [['import'], 2, 'Name a file or a folder'],
    [['import', 'nowhere'], 1, 'nowhere does not exist'],
    [['import', '.'], 1, '. holds no Markdown and no JSON'],
    [['import', '.', '--format', 'word'], 2, '--format="word" must be one of mem0'],
  ])('refuses %j', async (argv, code, message) => {
    const ran = await run(argv);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});

describe('export', () => {
  beforeEach(async () => {
    await say(services.memory, 'ann', {
      content: 'The status goes out on Mondays.',
      role: 'user',
      name: 'Dana',
      tags: ['status'],
      metadata: { a: [1, null] },
    });
    await say(services.memory, 'bob/../x', { content: '---\nA line of dashes\n---\n' });
    await say(services.memory, 'ann', { content: 'Mine alone.', scope: 'PRIVATE' });
  });

  test('writes a file that import reads back, whole or not at all', async () => {
    expect(await run(['export', 'all.ndjson'])).toMatchObject({ code: 0, out: '', err: '3 lines in all.ndjson.\n' });
    const before = await exported();
    await emptyStore(services.memory);
    expect(readdirSync(folder)).toEqual(['all.ndjson']);
    // What was deleted does not come back into the same store.
    expect((await run(['import', 'all.ndjson'])).out).toContain('3 rejected');
    expect(before).toHaveLength(3);
    expect(await run(['export', 'no/such/folder.ndjson'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written'),
    });
    const failed = await run(['export', 'broken.ndjson'], { env: { MEMORY_URL: 'http://127.0.0.1:65535' } });
    expect([failed.code, readdirSync(folder)]).toEqual([1, ['all.ndjson']]);
  });

  test('writes to standard output for -, and into what a link leads to, which may be no file', async () => {
    const { out, err } = await run(['export', '-']);
    expect([out, err]).toEqual([(await run(['export'])).out, '']);
    symlinkSync('/dev/null', join(folder, 'nothing'));
    symlinkSync('kept.ndjson', join(folder, 'latest'));
    writeFileSync(join(folder, 'kept.ndjson'), '');
    expect((await run(['export', 'nothing'])).code).toBe(0);
    expect((await run(['export', 'latest'])).code).toBe(0);
    expect(['nothing', 'latest'].map((name) => readlinkSync(join(folder, name)))).toEqual(['/dev/null', 'kept.ndjson']);
    expect(readFileSync(join(folder, 'kept.ndjson'), 'utf8')).toBe(out);
    expect(readdirSync(folder).sort()).toEqual(['kept.ndjson', 'latest', 'nothing']);
  });

  test('refuses a link to what does not exist, and leaves it as it is', async () => {
    symlinkSync('gone.ndjson', join(folder, 'latest'));
    expect(await run(['export', 'latest'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('latest is a link to gone.ndjson, which does not exist: write to that.'),
    });
    expect([readlinkSync(join(folder, 'latest')), readdirSync(folder)]).toEqual(['gone.ndjson', ['latest']]);
  });

  test('writes notes that another store takes in without loss', async () => {
    await say(services.memory, 'ann', { content: 'The dump begins with \0, and goes on.', scope: 'PRIVATE' });
    expect(await run(['export', '--notes', 'notes'])).toMatchObject({ code: 0, err: '4 notes in notes.\n' });
    expect(
      notes()
        .map((name) => name.replace(/ [0-9a-f]{12}\.md$/, ''))
        .sort(),
    ).toEqual([
      'ann/Mine alone',
      'ann/The dump begins with and goes on',
      'ann/The status goes out on Mondays',
      'bob_.._x/A line of dashes',
    ]);
    const before = await exported();
    const other = await startLiveServices();
    const elsewhere = { env: { MEMORY_URL: other.memoryUrl, AGENT_ID: 'ann' } };
    expect((await run(['import', 'notes'], elsewhere)).out).toBe(
      '4 memories: 4 added, 0 updated, 0 known already, 0 rejected.\n',
    );
    const after = (await run(['export'], elsewhere)).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(after).toEqual(before);
    await other.close();
  });

  (existsSync('/proc/self') ? test : test.skip)('of notes says where the system takes no folder', async () => {
    const { code, err } = await run(['export', '--notes', '/proc/notes']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^agent-faculties: \/proc\/notes\/.* cannot be written: ENOENT/),
    ]);
  });

  test('of notes says which note cannot be read', async () => {
    await run(['export', '--notes', 'notes']);
    const path = join(folder, 'notes', notes()[0] as string);
    rmSync(path);
    mkdirSync(path);
    expect(await run(['export', '--notes', 'notes'])).toMatchObject({
      code: 1,
      err: `agent-faculties: ${path} cannot be read: EISDIR: illegal operation on a directory, read\n`,
    });
  });

  test('takes back what was changed in a note, once', async () => {
    await run(['export', '--notes', 'notes']);
    const path = join(folder, 'notes', notes().find((name) => name.includes('status')) as string);
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replace(/on Mondays\.\n$/, 'on Tuesdays.\n')
        .replace('- status', '- changed'),
    );
    utimesSync(path, 1_795_253_460, 1_795_253_460);
    const again = await run(['export', '--notes', 'notes']);
    expect(again.err).toMatch(/^2 notes in notes\.\n.*was changed and stays as it is: import it first\.\n$/);
    expect((await run(['import', 'notes'])).out).toBe('3 memories: 0 added, 1 updated, 2 known already, 0 rejected.\n');
    expect((await run(['recall', 'When does the status go out?', '-n', '1', '--json'])).out).toContain('on Tuesdays.');
    expect((await run(['import', 'notes'])).out).toContain('0 updated, 3 known already');
    expect(await run(['export', '--notes', 'notes'])).toMatchObject({ err: '3 notes in notes.\n' });
    expect(readFileSync(path, 'utf8')).toContain('gist: The status goes out on Tuesdays.\n');
    expect((await run(['import', 'notes'])).out).toContain('0 updated, 3 known already');
  });

  test('makes no other memory of a note whose front matter a change has broken', async () => {
    await run(['export', '--notes', 'notes']);
    const name = notes().find((name) => name.includes('status')) as string;
    const path = join(folder, 'notes', name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('gist: ', 'gist: ["'));
    expect(await run(['import', 'notes'])).toMatchObject({
      code: 1,
      out: '2 memories: 0 added, 0 updated, 2 known already, 0 rejected, 1 not read.\n',
      err: `${name}: a note whose front matter is not YAML any more: mend it\n`,
    });
  });

  test('says of a changed note that the memory was changed later', async () => {
    await run(['export', '--notes', 'notes']);
    const path = join(folder, 'notes', notes().find((name) => name.includes('status')) as string);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/on Mondays\.\n$/, 'on Tuesdays.\n'));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const again = await run(['export', '--notes', 'notes']);
    expect(again.err).toMatch(
      /^2 notes in notes\.\n.*the memory was changed later, .* delete it to have it written anew\.\n$/,
    );
    expect((await run(['import', 'notes'])).out).toContain('0 updated, 3 known already');
    rmSync(path);
    expect(await run(['export', '--notes', 'notes'])).toMatchObject({ err: '3 notes in notes.\n' });
  });

  test('writes events and tasks', async () => {
    await runTasks(services.timing, 'build', [1], { agent: 'ann' });
    const { out } = await run(['export', '--timing']);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind)
        .sort(),
    ).toEqual(['event', 'event', 'task']);
  });

  test.each([[['export', 'a', 'b']], [['export', 'a', '--notes', 'b']], [['export', '--notes', 'b', '--timing']]])(
    'refuses %j',
    async (argv) => {
      expect((await run(argv)).code).toBe(2);
    },
  );
});
