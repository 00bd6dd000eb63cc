// Writes into each index.html of a dashboard the modules that its page loads, as <link rel="modulepreload">. Without them a browser
// learns of a module when it has read the one that imports it: six files deep, each a round trip. Style sheets come before them, because
// nothing is painted without these.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const kit = join(root, 'packages', 'service-kit');
const timing = join(root, 'apps', 'timing-service');

/** What is served below each of these, as in dashboard-page.ts of service-kit. */
const SERVED = {
  'shared/': join(kit, 'dashboard', 'shared'),
  'lit/': join(dirname(createRequire(join(kit, 'package.json')).resolve('lit-html')), '..'),
  'vendor/': join(dirname(createRequire(join(timing, 'package.json')).resolve('uplot/package.json')), 'dist'),
};
/** Static imports and re-exports; lit-html has no blanks around its. */
const IMPORT = /\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g;
const PRELOADS = /^ *<link rel="modulepreload".*\n/gm;
const SCRIPT = /^( *)<script type="module" src="dashboard\/assets\/(.*)"><\/script>\n/m;

for (const service of ['timing', 'memory']) {
  const folder = join(root, 'apps', `${service}-service`, 'src', 'dashboard');
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(PRELOADS, '');
  writeFileSync(join(folder, 'index.html'), withPreloads(page, folder));
}

function withPreloads(page, folder) {
  return page.replace(SCRIPT, (script, indent, main) => {
    const modules = modulesOf(main, folder).filter((module) => module !== main);
    const links = modules.map(
      (module) => `${indent}<link rel="modulepreload" fetchpriority="low" href="dashboard/assets/${module}">\n`,
    );
    return script + links.join('');
  });
}

/** The module and all that it imports, nearest first; as they are named below dashboard/assets/. */
function modulesOf(main, folder) {
  const found = new Set([main]);
  for (const module of found) {
    const place = Object.keys(SERVED).find((prefix) => module.startsWith(prefix));
    const file = place ? join(SERVED[place], module.slice(place.length)) : join(folder, module);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) found.add(join(dirname(module), target));
  }
  return [...found];
}
