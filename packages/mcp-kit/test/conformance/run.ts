import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXPECTED_FAILURES, EXPECTED_FAILURES_OF } from './expected-failures.ts';

/** Requirement sets of the suite. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Of a busy machine; the suite needs a few seconds. */
export const CONFORMANCE_LIMIT_MS = 180_000;

const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

export interface ConformanceRun {
  readonly revision: Revision;
  /** Scenarios expected to fail for every service that this one passes. */
  readonly passes?: readonly string[];
}

/** Runs the official suite against an address. @returns its exit code, and the end of what it said */
export async function runConformance(url: string, { revision, passes = [] }: ConformanceRun) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const expected = [...EXPECTED_FAILURES, ...EXPECTED_FAILURES_OF[revision]];
  const baseline = join(folder, 'expected.yaml');
  // JSON is YAML.
  writeFileSync(baseline, JSON.stringify({ server: expected.filter((scenario) => !passes.includes(scenario)) }));
  const options = ['--url', url, '--requirements', revision, '--expected-failures', baseline];
  try {
    return await new Promise<{ code: number; said: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        ['--import', new URL('glob-in-fs.mjs', import.meta.url).href, suite, 'server', ...options],
        { cwd: folder, maxBuffer: 64 * 1024 ** 2, timeout: CONFORMANCE_LIMIT_MS },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: `${stdout}${stderr}`.slice(-6_000) }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
