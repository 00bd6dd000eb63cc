import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Embedder, PairScorer } from '@agent-faculties/embeddings';
import { jsonRpcProblem, slashAtEnd } from '@agent-faculties/mcp-kit';
import { type Clock, type IdSource, type Logger, lazily } from '@agent-faculties/service-kit';
import {
  type Contract,
  createServiceApp,
  EventStreams,
  HookCalls,
  type Metrics,
  OpenSpaces,
  type ServiceApp,
  type SpaceRoom,
  type Tracing,
} from '@agent-faculties/service-kit/http';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import { KeyedLock } from './domain/concurrency/keyed-lock.ts';
import { NO_EMBEDDING, textEmbedding } from './domain/embedding/text-embedding.ts';
import type { Engine } from './domain/space/engine.ts';
import type { StoredSpace } from './domain/space/stored-space.ts';
import { warmUpTimes } from './domain/text/times/date-parser.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf } from './http/agent-scope.ts';
import { Callers } from './http/callers.ts';
import { dashboard } from './http/dashboard.ts';
import { degradations } from './http/health.ts';
import { skippingSessions } from './http/hooks.ts';
import type { Jobs } from './jobs/jobs.ts';
import { scheduleOf } from './jobs/nightly-schedule.ts';
import { SpaceJobs } from './jobs/space-jobs.ts';
import { memoryMcp } from './mcp/mcp.ts';
import { memoryMetrics } from './metrics.ts';
import { type ServedSpace, type SharedParts, serveSpace, startJobsOf, stopJobsOf } from './served-space.ts';
import { ServedSpaceSource } from './space-source.ts';
import { type Webhooks, webhookMetrics } from './webhooks/webhooks.ts';
import type { Webhook } from './webhooks/webhooks-file.ts';
import { memoryRecordReader, type ReadMemoryRecord } from './wire/memory-record.ts';

export interface AppDeps {
  readonly config: SharedParts['config'] &
    Pick<
      Config,
      'host' | 'allowedHosts' | 'bodyLimitBytes' | 'redact' | 'openSpaces' | 'memoryLimitBytes' | 'maxSpaces'
    >;
  readonly engine: Engine;
  /** The default space, which stays open. */
  readonly stored: StoredSpace;
  /** The model that the store was opened for; null: recall works by words and entities only. */
  readonly embedder: Embedder | null;
  /** Says whether two memories contradict each other; null: the rules alone. */
  readonly pairScorer: PairScorer | null;
  /** Confirms what the pair scorer finds; null: nothing has to be confirmed. */
  readonly nliScorer: PairScorer | null;
  readonly webhooks?: readonly Webhook[];
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly contract: Contract;
  readonly tracing?: Tracing | undefined;
}

export interface MemoryApp {
  /** Never listens. */
  readonly app: ServiceApp;
  /** Of the default space. */
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  readonly spaceJobs: SpaceJobs;
  readonly streams: EventStreams;
  /** Begins the jobs of the open spaces, and of each that is opened from now on. */
  readonly start: () => void;
  /** For a stop: ends answers that would never end. */
  readonly endStreams: () => void;
  /** Begins no more jobs; resolves when those under way have ended. */
  readonly stopJobs: () => Promise<void>;
  /** Saves and closes every space, the default one too. @throws Error of the first that could not be closed */
  readonly closeSpaces: () => Promise<void>;
}

/** A space without requests for this long is closed. */
const IDLE_MS = 10 * 60_000;

/** Joins the parts. */
export async function createApp(deps: AppDeps): Promise<MemoryApp> {
  const { config, stored, engine, clock, log, metrics } = deps;
  const recordReader = lazily(() => memoryRecordReader(deps.contract.spec));
  const shared = sharedParts(deps, {
    recordReader,
    openSpaces: () => [home.stored, ...spaces.open.flatMap((one) => (one === home ? [] : [one.stored]))],
  });
  const home = serveSpace(DEFAULT_SPACE, stored, { ...shared, standIn: null });
  for (const store of [stored.store, engine.empty.store]) await store.compareBy(home.finder.by);
  let isStarted = false;
  const source = new ServedSpaceSource({
    engine,
    shared,
    onOpened: (space) => {
      if (isStarted) startJobsOf(space);
    },
  });
  const spaces = new OpenSpaces<ServedSpace>({
    clock,
    registry: metrics.registry,
    prefix: 'memory',
    home: { name: DEFAULT_SPACE, space: home },
    ...spaceLimits(config, { engine, log }),
    source,
  });
  const spaceJobs = spaceJobsOf(spaces, { engine, clock, log, config });
  const mcp = memoryMcp({ ...deps, checkRoles: config.trustIdentityHeader });
  return {
    app: requestApp(deps, { shared, recordReader, home, spaces, mcp }),
    jobs: home.jobs,
    webhooks: home.webhooks,
    spaceJobs,
    streams: shared.streams,
    start: () => {
      isStarted = true;
      for (const space of spaces.open) startJobsOf(space);
      spaceJobs.start();
    },
    endStreams: () => {
      shared.streams.endAll();
      mcp.endStreams();
    },
    stopJobs: async () => {
      isStarted = false;
      await Promise.all([spaceJobs.stop(), ...spaces.open.map(stopJobsOf)]);
    },
    closeSpaces: async () => {
      await spaces.closeAll();
      if (source.faults[0]) throw source.faults[0];
    },
  };
}

type RecordReader = () => ReadMemoryRecord;

/** What all spaces of the process have in common. */
function sharedParts(
  { config, embedder, version, ...kit }: AppDeps,
  {
    recordReader,
    openSpaces,
  }: { recordReader: RecordReader; openSpaces: () => readonly [StoredSpace, ...StoredSpace[]] },
): SharedParts {
  const { clock, log, metrics } = kit;
  const { registry } = metrics;
  const streams = new EventStreams();
  const embedding = embedder ? textEmbedding({ embedder, log }) : NO_EMBEDDING;
  const hookCalls = new HookCalls({ hosts: HOST_NAMES, clock, registry });
  const { maxMemories } = config;
  return {
    ...kit,
    config,
    version,
    embedding,
    meters: memoryMetrics(registry, { openSpaces, streams, isEmbeddingReady: embedding.isReady, maxMemories }),
    streams,
    callers: new Callers(clock),
    hookCalls,
    skipping: skippingSessions(),
    webhooks: kit.webhooks ?? [],
    webhookMetrics: webhookMetrics(registry),
    readRecord: async (fields, options) => await recordReader()(fields, options),
    nights: new KeyedLock(),
    startedAt: clock.now(),
  };
}

interface RequestParts {
  readonly shared: SharedParts;
  readonly recordReader: RecordReader;
  readonly home: ServedSpace;
  readonly spaces: OpenSpaces<ServedSpace>;
  readonly mcp: ReturnType<typeof memoryMcp>;
}

/** The way of a request to the handlers of its space. */
function requestApp(
  { config, stored, ...kit }: AppDeps,
  { shared, recordReader, home, spaces, mcp }: RequestParts,
): ServiceApp {
  return createServiceApp<operations, keyof ServedSpace['handlers']>({
    ...kit,
    handlers: {
      getDashboard: dashboard.getDashboard,
      postMcp: mcp.handler,
      getPrompt: mcp.systemPrompt,
    },
    spaces: {
      operationIds: Object.keys(home.handlers) as (keyof ServedSpace['handlers'])[],
      use: (name, options, work) => spaces.use(name, options, (space) => space.stored.answering(() => work(space))),
    },
    defaultAgentId: config.agentId,
    bodyLimitBytes: config.bodyLimitBytes,
    redact: config.redact,
    // The fields of /merge: its records are redacted one by one.
    recordFields: ['memories', 'vectors'],
    allowAnyAgent: ANY_AGENT_OPERATIONS,
    hosts: config,
    errorForm: jsonRpcProblem,
    hooks: { calls: shared.hookCalls, slim: slimPayload },
    trustedHeader: config.trustIdentityHeader ? { mayName: mayReadOf } : undefined,
    degradations: () => degradations({ persistence: stored.persistence, embedding: shared.embedding }),
    warmUps: [warmUpTimes, async () => void recordReader(), mcp.load],
    mount: (app) => {
      app.use(shared.callers.note);
      app.use(slashAtEnd);
      dashboard.mount(app);
    },
  });
}

interface SpaceLimits {
  readonly mostOpen: number;
  readonly idleMs: number;
  readonly mostSpaces: number;
  readonly room?: SpaceRoom<ServedSpace> | undefined;
}

function spaceLimits(
  { openSpaces, maxSpaces, memoryLimitBytes }: AppDeps['config'],
  { engine, log }: Pick<AppDeps, 'engine' | 'log'>,
): SpaceLimits {
  // Without a disk a space must stay open: to close it would lose its memories.
  if (!engine.keeps)
    return { mostOpen: Number.POSITIVE_INFINITY, idleMs: Number.POSITIVE_INFINITY, mostSpaces: maxSpaces };
  const room = memoryLimitBytes === null ? undefined : roomOf(memoryLimitBytes, log);
  return { mostOpen: openSpaces, idleMs: IDLE_MS, mostSpaces: maxSpaces, room };
}

function roomOf(mostBytes: number, log: Logger): SpaceRoom<ServedSpace> {
  return {
    mostBytes,
    bytesOf: ({ stored }) => stored.figures.bytes(),
    isTooSmall: ({ space, bytes }) =>
      log.warn(
        { space, bytes, limit: mostBytes },
        'the open spaces take more than --memory-limit: none of them can be closed now',
      ),
  };
}

function spaceJobsOf(
  spaces: OpenSpaces<ServedSpace>,
  { engine, clock, log, config }: Pick<AppDeps, 'engine' | 'clock' | 'log' | 'config'>,
): SpaceJobs {
  return new SpaceJobs(
    {
      clock,
      log,
      closeIdle: () => spaces.closeIdle(),
      nightOfClosed: (isWanted) =>
        spaces.each(
          ({ nightly }) => nightly.makeUp(),
          (err, space) => log.error({ job: 'end of day', space, err }, 'job failed'),
          async (name) => !spaces.isOpen(name) && isWanted(await engine.atRest(name)),
        ),
    },
    scheduleOf(config),
  );
}
