import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readmeProgram } from './readme-program.ts';

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const TSC = join(PACKAGES, '../node_modules/typescript/bin/tsc');
const RUNNER = fileURLToPath(new URL('run-examples.mjs', import.meta.url));
const TSX = pathToFileURL(require.resolve('tsx')).href;

/** What the base says for libraries does not fit a program that is only checked. */
const COMPILER = {
  noEmit: true,
  composite: false,
  incremental: false,
  declarationMap: false,
  tsBuildInfoFile: null,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
};

/** In each package, so that it finds itself and its dependencies by their names; git ignores dist. Another run has others. */
const folders = new Map<string, string>();
const folderOf = (name: string) => folders.get(name) as string;
const exampleOf = (name: string) => join(folderOf(name), 'example.ts');

const programs = readdirSync(PACKAGES)
  .filter((name) => existsSync(join(PACKAGES, name, 'README.md')))
  .map((name) => ({ name, ...readmeProgram(readFileSync(join(PACKAGES, name, 'README.md'), 'utf8')) }))
  .filter(({ source }) => source !== null);
const names = programs.map(({ name }) => name);

interface Run {
  readonly status: number | null;
  readonly stderr: string;
  /** By example; null: nothing. */
  readonly thrown: Readonly<Record<string, string | null>>;
}

let ran: Run | undefined;

/** Runs all examples in one process. */
function runAll(): Run {
  const outcomes = join(mkdtempSync(join(tmpdir(), 'readme-')), 'outcomes.json');
  const run = ['--conditions=@agent-faculties/source', '--import', TSX, RUNNER, outcomes, ...names.map(exampleOf)];
  const { status, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8' });
  return { status, stderr, thrown: existsSync(outcomes) ? JSON.parse(readFileSync(outcomes, 'utf8')) : {} };
}

beforeAll(() => {
  for (const { name, source, files } of programs) {
    const dist = join(PACKAGES, name, 'dist');
    mkdirSync(dist, { recursive: true });
    folders.set(name, mkdtempSync(join(dist, 'readme-')));
    writeFileSync(exampleOf(name), source as string);
    for (const [file, text] of files) writeFileSync(join(folderOf(name), file), text);
  }
});
afterAll(() => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

describe('the examples in the READMEs of the packages', () => {
  // By itself, since one may need the types of a browser and another must not see them.
  test.each(names)('%s: compiles', (name) => {
    const project = join(folderOf(name), 'tsconfig.json');
    const extended = join(PACKAGES, '../tsconfig.base.json');
    writeFileSync(project, JSON.stringify({ extends: extended, compilerOptions: COMPILER, files: [exampleOf(name)] }));
    const { stdout, stderr } = spawnSync(process.execPath, [TSC, '-p', project], { encoding: 'utf8' });
    expect(stdout + stderr).toBe('');
  });

  test.each(names)('%s: runs, and gives what it says', (name) => {
    ran ??= runAll();
    const { status, stderr, thrown } = ran;
    expect({ thrown: thrown[exampleOf(name)], status, stderr: status === 0 ? '' : stderr }).toEqual({
      thrown: null,
      status: 0,
      stderr: '',
    });
  });
});

describe('a program of a README', () => {
  test('holds each value behind an arrow, and each error', () => {
    const { source, files } = readmeProgram(
      [
        '```yaml openapi.yaml\na: 1\n```',
        '```ts\nconst one = sum(1, 2); // => 3\n  sum(2); // => { two: 2 }\nfail(); // throws RangeError\nplain(); // nothing\n```',
        '```js\nother();\n```',
      ].join('\n\n'),
    );
    expect(source).toMatch(
      /holds\(one, 3\);\n {2}holds\(sum\(2\), \{ two: 2 \}\);\nfails\(\(\) => fail\(\), 'RangeError'\);\nplain\(\); \/\/ nothing\n$/,
    );
    expect(source).not.toContain('other');
    expect([...files]).toEqual([['openapi.yaml', 'a: 1\n']]);
  });
});
