import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

// The program that joins the pages of both services, on a page of its own.
const { joinDashboard, writeDashboard } = await import(
  String(new URL('../../../../scripts/lib/dashboards.mjs', import.meta.url))
);

let folder: string;
let from: string;
let to: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joined-'));
  from = join(folder, 'page');
  to = join(folder, 'built');
  mkdirSync(join(from, 'room'), { recursive: true });
  write('index.html', '<link href="dashboard/assets/main.css"><script src="dashboard/assets/main.js"></script>');
  write(
    'main.js',
    "import { part } from './room/part.js';\nimport { html } from './shared/template.js';\npart(html``);\n",
  );
  write(
    'room/part.js',
    "import { setText } from '../shared/dom.js';\nexport const part = (one) => setText(one, 'first');\n",
  );
  write('main.css', '@import "./shared/theme.css";\n@import "./room/part.css";\n');
  write('room/part.css', '.part {\n  color: red;\n}\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(from, name), text);
const build = async () => writeDashboard(to, await joinDashboard(from));
const assets = () => readdirSync(join(to, 'assets')).sort();
const named = (kind: string) => new RegExp(`main-[0-9a-f]{16}\\.${kind}(?=")`).exec(page())?.[0] ?? 'none';
const page = () => readFileSync(join(to, 'index.html'), 'utf8');
/** As if they had been built an hour ago. */
const makeOld = () => {
  const at = Date.now() / 1_000 - 3_600;
  for (const name of assets()) utimesSync(join(to, 'assets', name), at, at);
};
const text = (name: string) => readFileSync(join(to, 'assets', name), 'utf8');

test('the page names one script and one style sheet, each with its map, which hold what is imported', async () => {
  await build();
  const [css, js] = [named('css'), named('js')];
  expect(assets()).toEqual([css, `${css}.map`, js, `${js}.map`].sort());
  expect(page()).toBe(`<link href="dashboard/assets/${css}"><script src="dashboard/assets/${js}"></script>`);
  expect(text(css)).toContain('.part{color:red}');
  expect(text(css)).toContain('color-scheme:');
  expect(text(js)).toContain('"first"');
  expect(text(js)).not.toMatch(/^import /m);
  expect(text(js).endsWith(`\n//# sourceMappingURL=${js}.map\n`)).toBe(true);
  expect(JSON.parse(text(`${js}.map`)).sourcesContent).toContain(readFileSync(join(from, 'room/part.js'), 'utf8'));
});

test('the licence of each package stands whole in the file that holds code of it', async () => {
  await build();
  const licence = new URL('../../node_modules/lit-html/LICENSE', import.meta.url);
  expect(text(named('js'))).toContain(readFileSync(licence, 'utf8').trim());
  expect(text(named('css'))).not.toContain('BSD');
});

test('a file gets another name where its map alone changes, too, and the other file keeps its own', async () => {
  await build();
  const before = [named('css'), named('js')];
  write('room/part.js', `${readFileSync(join(from, 'room/part.js'), 'utf8')}// A word.\n`);
  await build();
  expect(named('css')).toBe(before[0]);
  expect(named('js')).not.toBe(before[1]);
});

test('what a browser may just have read of stays until there is a third page', async () => {
  await build();
  const first = named('js');
  for (const word of ['second', 'third']) {
    const last = named('js');
    makeOld();
    write('room/part.js', `export const part = (one) => [one, '${word}'];\n`);
    await build();
    expect(assets()).toEqual(expect.arrayContaining([last, `${last}.map`, named('js'), `${named('js')}.map`]));
    expect(text(named('js'))).toContain(word);
  }
  expect(assets()).not.toContain(first);
  expect(assets()).not.toContain(`${first}.map`);
  expect(readdirSync(to).sort()).toEqual(['assets', 'index.html']);
});

test('what another build beside this has written stays, though it has the name of an older file', async () => {
  const pages = [];
  for (const word of ['first', 'second', 'third']) {
    write('room/part.js', `export const part = (one) => [one, '${word}'];\n`);
    pages.push(await joinDashboard(from));
    if (word !== 'third') writeDashboard(to, pages.at(-1));
  }
  const [first, , third] = pages;
  makeOld();
  writeDashboard(to, {
    page: first.page,
    files: {
      *[Symbol.iterator]() {
        yield* first.files;
        // Before the page of this build stands.
        writeDashboard(to, third);
      },
    },
  });
  expect(page()).toBe(first.page);
  expect(text(named('js'))).toContain('first');
  expect(assets()).toEqual(expect.arrayContaining([...third.files.keys()]));
});

test('what is built already is not written again, and a file that is gone is', async () => {
  await build();
  const times = () => [join(to, 'index.html'), join(to, 'assets', named('js'))].map((path) => statSync(path).mtimeMs);
  const before = times();
  await build();
  expect(times()).toEqual(before);
  rmSync(join(to, 'assets'), { recursive: true });
  await build();
  expect(assets()).toHaveLength(4);
});

test('a fault in a file is shown with its place and one sentence, without a stack', () => {
  write('room/part.js', 'const = 1;\n');
  const lib = String(new URL('../../../../scripts/lib/', import.meta.url));
  const program = `
    const { joinDashboard } = await import('${lib}dashboards.mjs');
    const { runMain } = await import('${lib}say.mjs');
    await runMain(() => joinDashboard(process.argv[1]));`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, from], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('room/part.js:1:6:');
  expect(stderr.trimEnd()).toMatch(/page cannot be joined; see above\.$/);
});
