// npm run mutation -- TARGET [TARGET ...]: changes the code of a target in one place at a time and runs its tests on each change.
// A change that no test notices is listed as "Survived". Works on a copy of the member; never part of npm test.
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import jestConfig from '../jest.config.js';
import { root } from './lib/root.mjs';
import { KnownFailure, runMain } from './lib/say.mjs';

/** What is changed, by glob below src/ of a member, and the tests that are to notice it, by glob below its test/. */
const TARGETS = {
  'stats-math': { member: 'packages/stats-math', mutate: ['**/!(log-normal-table).ts'], tests: ['**/*.test.ts'] },
  pairing: { member: 'apps/timing-service', mutate: ['**/pairing.ts'], tests: ['**/pairing.test.ts'] },
  visibility: { member: 'apps/memory-service', mutate: ['**/visibility.ts'], tests: ['**/visibility*.test.ts'] },
  journal: {
    member: 'apps/memory-service',
    mutate: ['persistence/journal/*.ts'],
    tests: [
      'persistence/journal/*.test.ts',
      'persistence/power-cut.test.ts',
      'persistence/directory/load-store.test.ts',
    ],
  },
  fusion: { member: 'apps/memory-service', mutate: ['**/fusion.ts'], tests: ['**/fusion.test.ts'] },
};

/** Stops a mutant that loops for ever; a busy machine gets the time that the first run took, twice, and this. */
const TIMEOUT_MS = 20_000;

const wanted = process.argv.slice(2);
await runMain(async () => {
  if (wanted.length === 0) throw new KnownFailure(usage());
  const targets = wanted.map(targetOf);
  for (const target of targets) await mutate(target);
});

/** "stats-math", or "stats-math:median" for one file and the test of its name. */
function targetOf(text) {
  const [name, file] = text.split(':');
  if (!Object.hasOwn(TARGETS, name)) throw new KnownFailure(`There is no target '${name}'. ${usage()}`);
  const target = TARGETS[name];
  return file ? { ...target, mutate: [`**/${file}.ts`], tests: [`**/${file}.test.ts`] } : target;
}

function usage() {
  return `Say what to mutate: npm run mutation -- TARGET, one or more of ${Object.keys(TARGETS).join(', ')}; TARGET:FILE for one file.`;
}

async function mutate({ member, mutate: sources, tests }) {
  const project = jestConfig.projects.find(({ rootDir }) => rootDir === member);
  process.chdir(root);
  const stryker = new Stryker({
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    mutate: sources.map((glob) => join(member, 'src', glob)),
    coverageAnalysis: 'perTest',
    // Jest finds no related tests among ES modules; the globs above name them.
    jest: {
      // Has none for Jest: otherwise Stryker finds jest.config.js above its copy, and runs each test once for every project.
      configFile: 'package.json',
      config: { ...project, testMatch: tests.map((glob) => `<rootDir>/test/${glob}`) },
      enableFindRelatedTests: false,
    },
    // The table of roles: tests of visibility read it.
    ignorePatterns: [
      '*',
      '!package.json',
      `!${member}/**`,
      '!docker/gateway/roles.table',
      '**/node_modules',
      '**/dist',
    ],
    // Its rewriting of tsconfig.json needs the API of TypeScript 5; Jest reads none.
    tsconfigFile: 'none',
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false },
    concurrency: 1,
    timeoutMS: TIMEOUT_MS,
    timeoutFactor: 2,
  });
  await stryker.runMutationTest();
}
