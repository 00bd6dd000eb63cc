import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commitSave, savedName, settleSave } from '../../../src/persistence/snapshot/save-files.ts';
import { scratchFolder } from '../../scratch-folder.ts';

let root: string;
let removeScratch: () => void;
beforeAll(() => {
  const scratch = scratchFolder();
  root = scratch.path;
  removeScratch = scratch.removeScratch;
});
afterAll(() => removeScratch());

const FINAL = ['faiss.index', 'entities.json', 'memories.packed', 'memories.json'];
let folders = 0;

/** A directory of the old files and of these beside them, which hold `new`. */
function directoryWith(names: readonly string[]): string {
  const directory = join(root, String(folders++));
  mkdirSync(directory);
  for (const name of FINAL) writeFileSync(join(directory, name), 'old');
  for (const name of names) writeFileSync(join(directory, name), 'new');
  return directory;
}

function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory)
      .sort()
      .map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  );
}

const NEW = { 'entities.json': 'new', 'faiss.index': 'new', 'memories.json': 'new', 'memories.packed': 'new' };
const OLD = { 'entities.json': 'old', 'faiss.index': 'old', 'memories.json': 'old', 'memories.packed': 'old' };

test('a save puts the new files in the place of the old ones', async () => {
  const directory = directoryWith(FINAL.map((name) => `${name}.tmp`));
  await commitSave(directory);
  expect(contentOf(directory)).toEqual(NEW);
});

// As a crash leaves them: renamed so far, in the order faiss.index, entities.json, memories.packed, memories.json.
test.each<[string, string[], boolean, object]>([
  [
    'before the commit',
    ['faiss.index.tmp', 'entities.json.tmp', 'memories.packed.tmp', 'memories.json.tmp'],
    false,
    OLD,
  ],
  ['while the files were written', ['faiss.index.tmp'], false, OLD],
  [
    'after the commit',
    ['memories.json.next', 'faiss.index.tmp', 'entities.json.tmp', 'memories.packed.tmp'],
    true,
    NEW,
  ],
])('what a crash left %s is all new or all old', async (_when, names, isFinished, content) => {
  const directory = directoryWith(names);
  expect(await settleSave(directory)).toBe(isFinished);
  expect(contentOf(directory)).toEqual(content);
  expect(await settleSave(directory)).toBe(false);
});

test.each([1, 2, 3])('what a crash left after %i renames is finished', async (renamed) => {
  const others = FINAL.slice(0, -1);
  const waiting = others.slice(renamed);
  const directory = directoryWith(['memories.json.next', ...waiting.map((name) => `${name}.tmp`)]);
  for (const name of others.slice(0, renamed)) writeFileSync(join(directory, name), 'new');
  const names = new Set(readdirSync(directory));
  // A process that may not rename files reads the same bytes.
  for (const name of FINAL) expect(readFileSync(join(directory, savedName(name, names)), 'utf8')).toBe('new');
  expect(await settleSave(directory)).toBe(true);
  expect(contentOf(directory)).toEqual(NEW);
});

test('a save that was not committed is not what is found', () => {
  const names = new Set([...FINAL, 'faiss.index.tmp', 'memories.json.tmp']);
  expect(FINAL.map((name) => savedName(name, names))).toEqual(FINAL);
});
