// The conventions of CONTRIBUTING.md that no linter rule knows: the direction of imports, cycles, the clock, the environment, file
// length, private members, files that the build would not find, and links of the documents that lead nowhere.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ARROWS, drawn, LEAVES } from './lib/arrows.mjs';
import { deadLinks } from './lib/dead-links.mjs';
import { root } from './lib/root.mjs';

/** Lines of code a file may have; tables and generated files are exempt. */
const LINE_LIMIT = 400;
const EXEMPT_FROM_LENGTH = /\.gen\.ts$|-table\.ts$/;

/** A newcomer reads all of it; the rest belongs to docs/. */
const README_LIMIT = 250;

/** Readings of the clock and of chance, which are handed in everywhere else. */
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/;
const MAY_BE_IMPURE = /^packages\/service-kit\/src\/|\/src\/main\.ts$|\/src\/dashboard\//;

/** Settings come in by the configuration: a rule of a service that read a variable would answer otherwise on another machine. */
const ENVIRONMENT = /\bprocess\.env\b/;
const READS_NO_ENVIRONMENT = /^apps\/[^/]+\/src\/domain\//;

/** Imports and re-exports, of types too, and the types that JSDoc imports. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+|@agent-faculties\/[^']+)'/g;

/** Paths from the file that is running, which is in dist once it is built. */
const BESIDE = /new URL\('(\.[^']+)', import\.meta\.url\)/g;

/** Members that only TypeScript hides; a constructor has no other way. */
const SOFTLY_PRIVATE = /^\s+(?:static |override )*(?:private|protected) (?!constructor\b)/;

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*/src/*.ts', '*/src/*.js'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter(Boolean);

const texts = new Map(files.map((file) => [file, readFileSync(posix.join(root, file), 'utf8')]));
/** By file, what it imports: paths in the repository, or names of packages. */
const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));

const faults = [
  ...files.flatMap((file) => [
    ...lengthFaults(file),
    ...clockFaults(file),
    ...environmentFaults(file),
    ...privacyFaults(file),
    ...importFaults(file),
    ...besideFaults(file),
  ]),
  ...drawingFaults(),
  ...mapFaults(),
  ...trailFaults(),
  ...readmeFaults(),
  ...deadLinks(),
  ...cycles().map((cycle) => `${cycle.join(' -> ')} -> ${cycle[0]}: a cycle of imports`),
];

for (const fault of faults) console.error(fault);
console.log(`conventions: ${files.length} files, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].map(([, target]) =>
    target.startsWith('@') ? target : posix.join(posix.dirname(file), target),
  );
}

function lengthFaults(file) {
  const lines = texts
    .get(file)
    .split('\n')
    .filter((line) => line.trim() && !/^\s*(\/\/|\/?\*)/.test(line)).length;
  const tooLong = lines > LINE_LIMIT && !EXEMPT_FROM_LENGTH.test(file);
  return tooLong ? [`${file}: ${lines} lines of code, at most ${LINE_LIMIT}`] : [];
}

function clockFaults(file) {
  return MAY_BE_IMPURE.test(file) ? [] : linesWith(IMPURE, file, 'hand the clock or the random source in');
}

function environmentFaults(file) {
  return READS_NO_ENVIRONMENT.test(file) ? linesWith(ENVIRONMENT, file, 'hand in what the environment says') : [];
}

/** One fault for each line of code that matches. */
function linesWith(pattern, file, order) {
  return texts
    .get(file)
    .split('\n')
    .flatMap((line, index) =>
      pattern.test(line) && !/^\s*(\/\/|\/?\*)/.test(line) ? [`${file}:${index + 1}: ${order}`] : [],
    );
}

function privacyFaults(file) {
  if (!file.endsWith('.ts')) return [];
  return texts
    .get(file)
    .split('\n')
    .flatMap((line, index) =>
      SOFTLY_PRIVATE.test(line) ? [`${file}:${index + 1}: write #name, not private name`] : [],
    );
}

function importFaults(file) {
  return imports.get(file).flatMap((target) => {
    if (target.startsWith('@')) {
      return /-service$/.test(target) ? [`${file}: packages and services never import ${target}`] : [];
    }
    const [home, here] = placeOf(file);
    const [otherHome, there] = placeOf(target);
    if (home !== otherHome) return [`${file}: ${target} leaves its package`];
    const arrows = ARROWS[home];
    if (!arrows || here === there || here === '' || LEAVES.test(target)) return [];
    if (!(here in arrows)) return [`${file}: scripts/lib/arrows.mjs does not know the folder ${here}`];
    return allowed(arrows[here], there) ? [] : [`${file}: ${here} may not import ${there || 'the root'} (${target})`];
  });
}

/** A build has the compiled modules of src and nothing else of it. */
function besideFaults(file) {
  const [home] = placeOf(file);
  return [...texts.get(file).matchAll(BESIDE)].flatMap(([, path]) => {
    const target = posix.join(posix.dirname(file), path);
    const built = posix.join(posix.dirname(file).replace(`${home}/src`, `${home}/dist`), path);
    const isFound = built === target || texts.has(target) || texts.has(target.replace(/\.js$/, '.ts'));
    return isFound ? [] : [`${file}: a built one looks for ${built}, so write the path by way of the package's folder`];
  });
}

/** ARCHITECTURE.md shows the table of arrows as it is. */
function drawingFaults() {
  const text = readFileSync(posix.join(root, 'ARCHITECTURE.md'), 'utf8');
  return Object.keys(ARROWS)
    .filter((service) => !text.includes(`\n${drawn(service)}\n`))
    .map((service) => `ARCHITECTURE.md: the arrows of ${service} are drawn otherwise. They are:\n${drawn(service)}`);
}

/** Every package has a line in the map of folders. */
function mapFaults() {
  const text = readFileSync(posix.join(root, 'ARCHITECTURE.md'), 'utf8');
  const packages = new Set([...texts.keys()].flatMap((file) => /^packages\/([^/]+)\//.exec(file)?.[1] ?? []));
  return [...packages]
    .filter((name) => !text.includes(`\n  ${name}/ `))
    .map((name) => `ARCHITECTURE.md: the map of folders lacks packages/${name}`);
}

/** The trails in ARCHITECTURE.md name files that are there. */
function trailFaults() {
  const text = readFileSync(posix.join(root, 'ARCHITECTURE.md'), 'utf8');
  return Object.keys(ARROWS)
    .flatMap((service) => {
      const [, trails = ''] = text.split(`\n### The trails of ${posix.basename(service)}\n`);
      const [own = ''] = trails.split('\n### ');
      return [...own.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path]) => `${service}/src/${path}`);
    })
    .filter((path) => !texts.has(path))
    .map((path) => `ARCHITECTURE.md: a trail leads to ${path}, which is not there`);
}

function readmeFaults() {
  const lines = readFileSync(posix.join(root, 'README.md'), 'utf8').trimEnd().split('\n').length;
  return lines > README_LIMIT ? [`README.md: ${lines} lines, at most ${README_LIMIT}`] : [];
}

/** 'domain' in the table allows all folders within it. */
function allowed(targets, there) {
  return targets.some((target) => there === target || there.startsWith(`${target}/`));
}

/** The package, and the folder in its src, as deep as the table of arrows has rooms within rooms; '' for its root. */
function placeOf(path) {
  const [, home, inside] = /^(.+?)\/src\/(.*)$/.exec(path) ?? [null, path, ''];
  const folders = inside.split('/').slice(0, -1);
  const rooms = Object.keys(ARROWS[home] ?? {});
  let depth = 1;
  const hasRooms = () => rooms.some((room) => room.startsWith(`${folders.slice(0, depth).join('/')}/`));
  while (depth < folders.length && hasRooms()) depth++;
  return [home, folders.slice(0, depth).join('/')];
}

/** Tarjan's strongly connected components of more than one file. */
function cycles() {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (file) => {
    order.set(file, order.size);
    low.set(file, order.get(file));
    stack.push(file);
    for (const target of imports.get(file).filter((path) => texts.has(path))) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== order.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) found.push(component.reverse());
  };
  for (const file of texts.keys()) if (!order.has(file)) visit(file);
  return found;
}
