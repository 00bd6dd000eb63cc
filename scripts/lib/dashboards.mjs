// Joins the modules of each dashboard into one script and its style sheets into one: a browser then asks for two files in place of 130,
// and once, since their names change with what is in them (decision 39).
//   apps/SERVICE/src/dashboard/{index.html,main.js,main.css}  ->  apps/SERVICE/dist/dashboard/{index.html,assets/}
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';
import { KnownFailure } from './say.mjs';

const SERVICES = ['timing-service', 'memory-service'];

/** Has `shared/`, which the modules of a page import as if it stood beside them: rootDirs of tsconfig.dashboard.json. */
const KIT = join(root, 'packages', 'service-kit', 'dashboard');

/** What an index.html says of the files that are joined, and the names that these get. */
const ENTRY = /(?<=\bdashboard\/assets\/)main\.(?:css|js)(?=")/g;
const NAMED = /\bmain-[0-9a-f]+\.(?:css|js)\b/g;

/** A build takes seconds. */
const LONGEST_BUILD_MS = 600_000;

/** The folder and name of a package that a path leads into. */
const PACKAGE = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** `services`: those whose sources are there; `to`: the folder that has or gets apps/SERVICE/dist/dashboard. */
export async function buildDashboards({ services = SERVICES, to = root } = {}) {
  await Promise.all(
    services.map(async (service) => {
      writeDashboard(join(to, 'apps', service, 'dist', 'dashboard'), await joinDashboard(sourcesOf(service)));
    }),
  );
}

/** The third parties whose code is in the dashboards, as `name`, `version` and `license` of their package.json. */
export async function packagesInDashboards() {
  const pages = await Promise.all(SERVICES.map((service) => joinDashboard(sourcesOf(service))));
  return [...new Set(pages.flatMap(({ packages }) => packages))].map(manifestOf);
}

function sourcesOf(service) {
  return join(root, 'apps', service, 'src', 'dashboard');
}

/**
 * @param from a folder with index.html, main.js and main.css
 * @returns the page, the files that it names, and folders of packages that are in them
 * @throws KnownFailure where a file cannot be read as what it is, after esbuild has shown the place
 */
export async function joinDashboard(from) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(from, 'main.css'), join(from, 'main.js')],
    outdir: join(from, '../../dist/dashboard/assets'),
    bundle: true,
    format: 'esm',
    // A quarter less to load, and every name stays for those who read an error.
    minifyWhitespace: true,
    sourcemap: 'external',
    metafile: true,
    write: false,
    plugins: [sharedBeside(from)],
    logLevel: 'warning',
  }).catch((error) => {
    throw error.errors ? new KnownFailure(`${relative(root, from)} cannot be joined; see above.`) : error;
  });
  const outputs = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const files = new Map();
  const names = new Map();
  const packages = new Set();
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    const kind = /(?<=\.)(?:css|js)$/.exec(output)?.[0];
    if (!kind) continue;
    const here = new Set(Object.keys(inputs).flatMap((path) => PACKAGE.exec(path) ?? []));
    for (const folder of here) packages.add(folder);
    const text = [outputs.get(`main.${kind}`), ...[...here].map(licenceComment)].join('');
    const map = outputs.get(`main.${kind}.map`);
    const name = `main-${createHash('sha256').update(text).update(map).digest('hex').slice(0, 16)}.${kind}`;
    const comment = `# sourceMappingURL=${name}.map`;
    files.set(`${name}.map`, map).set(name, `${text}${kind === 'js' ? `//${comment}` : `/*${comment} */`}\n`);
    names.set(`main.${kind}`, name);
  }
  const page = readFileSync(join(from, 'index.html'), 'utf8').replace(ENTRY, (entry) => names.get(entry));
  return { page, files, packages: [...packages] };
}

/**
 * Each file comes whole and under its name at once, and the page after those that it names, so that who reads beside this sees the
 * old page or the new one. What the old page names stays until there is a third one: a browser that has just read it asks for them now.
 * So does what is younger than a build takes: another one that runs beside this, of other sources, is about to write a page that names it.
 * @param to a folder that a service serves
 */
export function writeDashboard(to, { page, files }) {
  const assets = join(to, 'assets');
  mkdirSync(assets, { recursive: true });
  const index = join(to, 'index.html');
  const before = existsSync(index) ? readFileSync(index, 'utf8') : '';
  for (const [name, text] of files) {
    if (page !== before || !existsSync(join(assets, name))) writeWhole(join(assets, name), text, { by: to });
  }
  if (page === before) return;
  writeWhole(index, page, { by: to });
  const kept = new Set([page, before].flatMap((text) => text.match(NAMED) ?? []));
  const old = readdirSync(assets).filter((file) => !kept.has(file.replace(/\.map$/, '')));
  for (const path of old.map((file) => join(assets, file))) {
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LONGEST_BUILD_MS) rmSync(path, { force: true });
  }
}

/** @param by the folder in which it is written before it is moved */
function writeWhole(path, text, { by }) {
  const unfinished = join(by, `.${basename(path)}.${process.pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

function sharedBeside(page) {
  return {
    name: 'shared-beside',
    setup(building) {
      building.onResolve({ filter: /^\.\.?\/shared\// }, ({ path, resolveDir }) => {
        const wanted = relative(page, join(resolveDir, path));
        return wanted.startsWith(`shared${sep}`) ? { path: join(KIT, wanted) } : null;
      });
    },
  };
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** The licences of what is joined ask for their text beside it. */
function licenceComment(folder) {
  const { name, version } = manifestOf(folder);
  return `/*!\n${name} ${version}\n\n${readFileSync(join(root, folder, 'LICENSE'), 'utf8').trim()}\n*/\n`;
}
