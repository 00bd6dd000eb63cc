import { fileURLToPath } from 'node:url';

// Tests run as ES modules straight from the sources: the export condition below resolves workspace packages to src/.
const base = {
  testEnvironment: fileURLToPath(import.meta.resolve('./packages/testing/jest/plain-globals-environment.cjs')),
  testEnvironmentOptions: { customExportConditions: ['@agent-faculties/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
      },
    ],
  },
};

const members = [
  'packages/agent-hooks',
  'packages/agent-identity',
  'packages/redaction',
  'packages/stats-math',
  'packages/embeddings',
  'packages/service-kit',
  'packages/postgres-kit',
  'packages/mcp-kit',
  'packages/testing',
  'packages/client',
  'packages/adapters',
  'packages/cli',
  'apps/timing-service',
  'apps/memory-service',
  'clients/python',
  'docker/build',
  'docker/database',
  'docker/gateway',
];

export default {
  // Two workers on two cores; a worker that has grown past the limit is replaced between files.
  maxWorkers: 2,
  workerIdleMemoryLimit: '512MB',
  // No test is timed: this ends one that hangs, and a loaded machine takes its time.
  testTimeout: 120_000,
  globalSetup: './packages/testing/jest/setup.mjs',
  globalTeardown: './packages/testing/jest/teardown.mjs',
  projects: members.map((directory) => ({
    ...base,
    displayName: directory.split('/')[1],
    rootDir: directory,
    testMatch: ['<rootDir>/test/**/*.test.ts'],
  })),
};
