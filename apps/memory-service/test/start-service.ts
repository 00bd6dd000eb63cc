import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedder, openEmbedder, type PairScorer } from '@agent-faculties/embeddings';
import { createLog, type IdSource, type LogLevel, ManualClock } from '@agent-faculties/service-kit';
import { createMetrics, openContract } from '@agent-faculties/service-kit/http';
import supertest from 'supertest';
import { type AppDeps, createApp } from '../src/app.ts';
import { vectorModelOf } from '../src/domain/embedding/vector-model.ts';
import type { StoredSpace } from '../src/domain/space/stored-space.ts';
import { openSpaceFolders } from '../src/persistence/directory/space-folders.ts';
import { openStore, type StoreOptions } from '../src/persistence/open-store.ts';
import { openDatabaseSpaces } from '../src/persistence/postgres/database-spaces.ts';
import { CONTRACT } from '../src/wire/contract-file.ts';

/** Compiled once for all services of a file; contract.test.ts asks whether it is one. */
const contract = openContract(CONTRACT, { validateResponses: true, validateContract: false });

/** 2026-11-21T09:30:00.123Z */
export const START_MS = 1_795_253_400_123;

/** Ids that rise, the same in every run. */
export function countedIds(): IdSource {
  let count = 0;
  return { next: () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}` };
}

export interface TestServiceOptions {
  readonly clock?: ManualClock;
  readonly ids?: IdSource;
  /** null: words and entities only; the bundled static model unless given. */
  readonly embedder?: Embedder | null;
  /** null: contradictions by the rules alone. */
  readonly pairScorer?: PairScorer | null;
  readonly nliScorer?: PairScorer | null;
  readonly webhooks?: AppDeps['webhooks'];
  /** A folder that outlives the service; null keeps nothing on disk. */
  readonly dataDir?: string | null;
  readonly config?: Partial<AppDeps['config']>;
  /** A space of a database, in place of a folder. */
  readonly shared?: StoreOptions['shared'];
  /** 0: no versions are kept. */
  readonly historyMs?: number;
  /** Of the log, which is silent unless this is given. */
  readonly logLevel?: LogLevel;
}

let bundled: Promise<Embedder> | undefined;

/** The bundled static model, loaded once for a test file. */
export function fastEmbedder(): Promise<Embedder> {
  bundled ??= openEmbedder({ model: 'fast', offline: true });
  return bundled;
}

/** For afterAll. */
export async function closeFastEmbedder(): Promise<void> {
  await (await bundled)?.close();
}

/** The whole service without a socket, over a real model and a clock that stands still until it is moved. */
export async function startTestService(options: TestServiceOptions = {}) {
  return await startServiceOver(openStore, options);
}

/** The same over any engine. */
export async function startServiceOver<S extends StoredSpace>(
  open: (options: StoreOptions) => Promise<S>,
  options: TestServiceOptions = {},
) {
  const { clock = new ManualClock(START_MS), ids = countedIds(), dataDir = null, config } = options;
  const embedder = options.embedder === undefined ? await fastEmbedder() : options.embedder;
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ name: 'memory-service', level: options.logLevel ?? 'silent', destination });
  const maxMemories = config?.maxMemories ?? 100_000;
  const storeOptions: StoreOptions = {
    dataDir,
    ...(options.shared && { shared: options.shared }),
    model: embedder && vectorModelOf(embedder),
    maxMemories,
    ...(options.historyMs !== undefined && { historyMs: options.historyMs }),
    repair: false,
    clock,
    log,
    process: { pid: process.pid, hostname: 'test' },
    onLost: ({ message }) => void lines.push({ lost: message }),
  };
  const opened = await open(storeOptions);
  const { shared } = options;
  const engine = shared ? await openDatabaseSpaces({ ...storeOptions, shared }) : await openSpaceFolders(storeOptions);
  const { app, jobs, streams, webhooks, spaceJobs, start, stopJobs, closeSpaces } = await createApp({
    config: {
      host: '127.0.0.1',
      allowedHosts: null,
      agentId: 'default',
      bodyLimitBytes: 1024 ** 2,
      redact: 'mask',
      trustIdentityHeader: false,
      autoSaveSeconds: null,
      consolidateCron: 'off',
      consolidateTimezone: null,
      hookScope: 'TEAM',
      webhooksAllowPrivate: false,
      openSpaces: 32,
      memoryLimitBytes: null,
      maxSpaces: 100,
      maxMemories,
      ...config,
    },
    engine,
    stored: opened,
    embedder,
    pairScorer: options.pairScorer ?? null,
    nliScorer: options.nliScorer ?? null,
    ...(options.webhooks && { webhooks: options.webhooks }),
    clock,
    ids,
    log,
    metrics: createMetrics({ processMetrics: false }),
    version: '0.0.0-test',
    contract,
  });
  return {
    app,
    clock,
    opened,
    jobs,
    streams,
    webhooks,
    /** Begins the jobs. */
    start,
    /** Closes spaces that nobody has used for long, as every minute. */
    closeIdle: () => spaceJobs.closeIdle(),
    /** Gives their nights to closed spaces, as after the hour of the night. */
    nights: () => spaceJobs.nights(),
    /** Parsed lines of the log. */
    lines,
    async close(): Promise<void> {
      await stopJobs();
      await closeSpaces();
    },
  };
}

/** Forgets all that was said, for the next test: a start takes a second. */
export async function emptyStore({ opened: { store, indexes } }: Pick<TestService, 'opened'>): Promise<void> {
  const { records } = indexes;
  const ids = records.order.snapshot().map((ordinal) => records.at(ordinal).memory.id);
  await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids }] });
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'memory-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Stores a message; resolves to the answer's body. */
export async function say(
  { app }: Pick<TestService, 'app'>,
  agentId: string,
  message: string | ({ content: string } & Record<string, unknown>),
) {
  const answer = await supertest(app)
    .post('/ingest')
    .set('X-Agent-ID', agentId)
    .send(typeof message === 'string' ? { content: message } : message);
  if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}: ${answer.text}`);
  return answer.body as { memory: { id: string; [field: string]: unknown }; duplicate: boolean };
}

/** Recalls without strengthening, unless `strengthen` is set; resolves to the answer's body. */
export async function ask(
  { app }: Pick<TestService, 'app'>,
  agentId: string,
  query: string | ({ query: string } & Record<string, unknown>),
) {
  const body = { strengthen: false, ...(typeof query === 'string' ? { query } : query) };
  const answer = await supertest(app).post('/recall').set('X-Agent-ID', agentId).send(body);
  if (answer.status !== 200) throw new Error(`recall answered ${answer.status}: ${answer.text}`);
  return answer.body as {
    memories: { id: string; content: string; score: number; relevance: string; [field: string]: unknown }[];
    context: string;
    working_memory: { id: string; gist: string }[];
    took_ms: number;
  };
}
