// The conventions of CONTRIBUTING.md that no linter rule knows: the direction of imports, who may read the clock, file length.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './lib/root.mjs';

/** Lines of code a file may have; tables and generated files are exempt. */
const LINE_LIMIT = 400;
const EXEMPT_FROM_LENGTH = /\.gen\.ts$|-table\.ts$/;

/** What each folder of a service may import besides itself and packages. */
const MAY_IMPORT = { domain: [], storage: ['domain'], http: ['domain'], jobs: ['domain'] };

/** Readings of the clock and of chance, which are handed in everywhere else. */
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/;
const MAY_BE_IMPURE = /^packages\/service-kit\/src\/|\/src\/main\.ts$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*/src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

const faults = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...lengthFaults(file, text), ...clockFaults(file, text), ...importFaults(file, text)];
});

for (const fault of faults) console.error(fault);
console.log(`conventions: ${files.length} files, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function lengthFaults(file, text) {
  const lines = text.split('\n').filter((line) => line.trim() && !/^\s*(\/\/|\/?\*)/.test(line)).length;
  const tooLong = lines > LINE_LIMIT && !EXEMPT_FROM_LENGTH.test(file);
  return tooLong ? [`${file}: ${lines} lines of code, at most ${LINE_LIMIT}`] : [];
}

function clockFaults(file, text) {
  if (MAY_BE_IMPURE.test(file)) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      IMPURE.test(line) && !/^\s*(\/\/|\/?\*)/.test(line)
        ? [`${file}:${index + 1}: hand the clock or the random source in`]
        : [],
    );
}

function importFaults(file, text) {
  const here = /^apps\/[^/]+\/src\/([^/]+)\//.exec(file)?.[1];
  return [...text.matchAll(/from '(\.[^']+|@agent-faculties\/[^']+)'/g)].flatMap(([, target]) => {
    if (target.startsWith('@')) {
      return /-service$/.test(target) ? [`${file}: packages and services never import ${target}`] : [];
    }
    const there = relative(dirname(file).split('/src')[0], join(dirname(file), target));
    const folder = /^src\/([^/]+)\//.exec(there)?.[1];
    const allowed = MAY_IMPORT[here];
    if (!there.startsWith('src/')) return [`${file}: ${target} leaves its package`];
    if (!allowed || !folder || folder === here || allowed.includes(folder)) return [];
    return [`${file}: ${here} may not import ${folder} (${target})`];
  });
}
