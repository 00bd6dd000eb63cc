import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, type LogLevel, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { createMetrics, openContract } from '@agent-faculties/service-kit/http';
import supertest from 'supertest';
import { type AppDeps, createApp } from '../src/app.ts';
import type { Engine } from '../src/domain/space.ts';
import type { Database } from '../src/storage/sqlite/database.ts';
import { SqliteEngine } from '../src/storage/sqlite/sqlite-engine.ts';
import { CONTRACT } from '../src/wire/contract-file.ts';

/** Compiled once for all services of a file; contract.test.ts asks whether it is one. */
const contract = openContract(CONTRACT, { validateResponses: true, validateContract: false });

/** 2026-11-21T09:30:00.123456Z */
export const START_MS = 1_795_253_400_123.456;

export interface TestServiceOptions {
  readonly clock?: ManualClock;
  /** Database file; a fresh one in a temporary directory unless given. */
  readonly path?: string;
  readonly config?: Partial<AppDeps['config']>;
  readonly logLevel?: LogLevel;
  /** In place of the file. */
  readonly engine?: Engine;
}

/** The whole service without a socket, over a real SQLite file and a clock that stands still until it is moved. */
export function startTestService(options: TestServiceOptions = {}) {
  const { clock = new ManualClock(START_MS), path, config, logLevel = 'warn' } = options;
  const directory = mkdtempSync(join(tmpdir(), 'timing-test-'));
  const dbPath = path ?? join(directory, 'timing.db');
  const lines: Record<string, unknown>[] = [];
  const audits: Record<string, unknown>[] = [];
  const destination = {
    write: (text: string) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      (line.msg === 'audit' ? audits : lines).push(line);
    },
  };
  const sqlite = options.engine ? null : new SqliteEngine({ path: dbPath, synchronous: 'normal' });
  const { app, streams, jobs, closeSpaces } = createApp({
    config: {
      host: '127.0.0.1',
      allowedHosts: null,
      agentId: 'default',
      bodyLimitBytes: 256 * 1024,
      redact: 'mask',
      trustIdentityHeader: false,
      abandonAfterSeconds: 86_400,
      retentionDays: null,
      openSpaces: 32,
      maxSpaces: 100,
      ...config,
    },
    engine: sqlite ?? (options.engine as Engine),
    clock,
    ids: timeOrderedIds(clock),
    log: createLog({ name: 'timing-service', level: logLevel, destination }),
    metrics: createMetrics({ processMetrics: false }),
    version: '0.0.0-test',
    contract,
  });
  return {
    app,
    clock,
    /** Of the default space; there is none where another engine is given. */
    database: sqlite?.database as Database,
    streams,
    jobs,
    /** Parsed lines of the log, warnings and errors unless another level was asked for, and those of the audit. */
    lines,
    audits,
    path: dbPath,
    /** Closes its databases, and leaves the files. */
    stop: closeSpaces,
    close(): void {
      streams.endAll();
      void closeSpaces();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type TestService = ReturnType<typeof startTestService>;

/** Rows of every table, to show that a refused request has written nothing. */
export function rowCounts({ database }: Pick<TestService, 'database'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const table of ['events', 'tasks', 'stopwatches', 'agents', 'task_types']) {
    const row = database.db.$client.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number };
    counts[table] = row.rows;
  }
  return counts;
}

/** Runs one task of each duration, one after the other, and moves the clock along. */
export async function runTasks(
  { app, clock }: Pick<TestService, 'app' | 'clock'>,
  taskType: string,
  durations: readonly number[],
  {
    agent = 'default',
    outcome = 'ok',
    ...where
  }: { agent?: string; outcome?: string; project?: string; space?: string } = {},
): Promise<void> {
  for (const seconds of durations) {
    const start = await supertest(app)
      .post('/events/task-start')
      .query({ agent_id: agent, ...where })
      .send({ task_type: taskType });
    clock.advance(seconds * 1000);
    const correlation_id: string = start.body.correlation_id;
    const end = await supertest(app)
      .post('/events/task-end')
      .query({ agent_id: agent, ...where })
      .send({ task_type: taskType, correlation_id, outcome });
    if (end.status !== 200) throw new Error(`task-end answered ${end.status}: ${end.text}`);
  }
}
