import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import type { Embedder, PairScorer } from '@agent-faculties/embeddings';
import {
  type Clock,
  type Contract,
  createServiceApp,
  EventStreams,
  HookCalls,
  type IdSource,
  type Logger,
  lazily,
  type Metrics,
  OpenSpaces,
  type ServiceApp,
  ServiceError,
  type SpaceRoom,
  type SpaceSource,
  type Tracing,
  UnavailableError,
} from '@agent-faculties/service-kit';
import type { operations } from './api.gen.ts';
import { type Config, CRON_OFF } from './config.ts';
import { KeyedLock } from './domain/concurrency/keyed-lock.ts';
import { NO_EMBEDDING, textEmbedding, withoutVectors } from './domain/embedding/text-embedding.ts';
import type { Engine } from './domain/space/engine.ts';
import type { Space } from './domain/space/space.ts';
import { warmUpTimes } from './domain/text/time-expressions.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf } from './http/agent-scope.ts';
import { Callers } from './http/callers.ts';
import { dashboard } from './http/dashboard.ts';
import { degradations } from './http/health.ts';
import { skippingSessions } from './http/hooks.ts';
import type { Jobs } from './jobs/jobs.ts';
import { SpaceJobs } from './jobs/space-jobs.ts';
import { memoryMcp } from './mcp/mcp.ts';
import { memoryMetrics } from './metrics.ts';
import { type ServedSpace, type SharedParts, serveSpace } from './served-space.ts';
import { type Webhooks, webhookMetrics } from './webhooks/webhooks.ts';
import type { Webhook } from './webhooks/webhooks-file.ts';
import { memoryRecordReader } from './wire/memory-record.ts';

export interface AppDeps {
  readonly config: Pick<
    Config,
    | 'host'
    | 'allowedHosts'
    | 'agentId'
    | 'trustIdentityHeader'
    | 'bodyLimitBytes'
    | 'redact'
    | 'hookScope'
    | 'maxMemories'
    | 'autoSaveSeconds'
    | 'consolidateCron'
    | 'consolidateTimezone'
    | 'webhooksAllowPrivate'
    | 'openSpaces'
    | 'memoryLimitBytes'
    | 'maxSpaces'
  >;
  readonly engine: Engine;
  /** The default space, which stays open. */
  readonly opened: Space;
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

/** A space that nobody has used for so long is closed. */
const IDLE_MS = 10 * 60_000;
/** A space that could not be opened is not tried again before that: loading one may take a while. */
const TRY_AGAIN_MS = 10_000;

/** Joins the parts. */
export async function createApp({ config, opened, engine, embedder, version, ...kit }: AppDeps): Promise<MemoryApp> {
  const { clock, log, metrics } = kit;
  const { registry } = metrics;
  const streams = new EventStreams();
  const embedding = embedder ? textEmbedding({ embedder, log }) : NO_EMBEDDING;
  const callers = new Callers(clock);
  const hookCalls = new HookCalls({ hosts: HOST_NAMES, clock, registry });
  const meters = memoryMetrics(registry, {
    openSpaces: () => [home.opened, ...spaces.open.flatMap((one) => (one === home ? [] : [one.opened]))],
    streams,
    isEmbeddingReady: embedding.isReady,
    maxMemories: config.maxMemories,
  });
  const recordReader = lazily(() => memoryRecordReader(kit.contract.spec));
  const shared: SharedParts = {
    ...kit,
    config,
    version,
    embedding,
    meters,
    streams,
    callers,
    hookCalls,
    skipping: skippingSessions(),
    webhooks: kit.webhooks ?? [],
    webhookMetrics: webhookMetrics(registry),
    readRecord: async (fields, options) => await recordReader()(fields, options),
    nights: new KeyedLock(),
    startedAt: clock.now(),
  };
  const home = serveSpace(DEFAULT_SPACE, opened, { ...shared, standIn: null });
  for (const store of [opened.store, engine.empty.store]) await store.compareBy(home.finder.by);
  let isStarted = false;
  const source = spaceSource({ engine, shared, begun: (space) => isStarted && begin(space) });
  const spaces = new OpenSpaces<ServedSpace>({
    clock,
    registry,
    prefix: 'memory',
    home: { name: DEFAULT_SPACE, space: home },
    // What is nowhere but in memory cannot be closed.
    mostOpen: engine.keeps ? config.openSpaces : Number.POSITIVE_INFINITY,
    idleMs: engine.keeps ? IDLE_MS : Number.POSITIVE_INFINITY,
    ...(engine.keeps && config.memoryLimitBytes !== null && { room: roomOf(config.memoryLimitBytes, log) }),
    mostSpaces: config.maxSpaces,
    source,
  });
  const spaceJobs = new SpaceJobs(
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
    {
      expression: config.consolidateCron === CRON_OFF ? null : config.consolidateCron,
      timezone: config.consolidateTimezone,
    },
  );
  const mcp = memoryMcp({ ...kit, version, checkRoles: config.trustIdentityHeader });
  const app = createServiceApp<operations, keyof ServedSpace['handlers']>({
    ...kit,
    handlers: {
      getDashboard: dashboard.getDashboard,
      postMcp: mcp.handler,
      getPrompt: mcp.systemPrompt,
    },
    spaces: {
      operationIds: Object.keys(home.handlers) as (keyof ServedSpace['handlers'])[],
      use: (name, options, work) => spaces.use(name, options, (space) => space.opened.answering(() => work(space))),
    },
    defaultAgentId: config.agentId,
    bodyLimitBytes: config.bodyLimitBytes,
    redact: config.redact,
    // The fields of /merge: its records are redacted one by one.
    recordFields: ['memories', 'vectors'],
    allowAnyAgent: ANY_AGENT_OPERATIONS,
    hosts: config,
    hooks: { calls: hookCalls, slim: slimPayload },
    trustedHeader: config.trustIdentityHeader ? { mayName: mayReadOf } : undefined,
    degradations: () => degradations({ persistence: opened.persistence, embedding }),
    warmUps: [warmUpTimes, async () => void recordReader(), mcp.load],
    mount: (app) => {
      app.use(callers.note);
      dashboard.mount(app);
    },
  });
  return {
    app,
    jobs: home.jobs,
    webhooks: home.webhooks,
    spaceJobs,
    streams,
    start: () => {
      isStarted = true;
      for (const space of spaces.open) begin(space);
      spaceJobs.start();
    },
    endStreams: () => {
      streams.endAll();
      mcp.endStreams();
    },
    stopJobs: async () => {
      isStarted = false;
      await Promise.all([spaceJobs.stop(), ...spaces.open.map(stop)]);
    },
    closeSpaces: async () => {
      await spaces.closeAll();
      if (source.faults[0]) throw source.faults[0];
    },
  };
}

function roomOf(mostBytes: number, log: Logger): SpaceRoom<ServedSpace> {
  return {
    mostBytes,
    bytesOf: ({ opened }) => opened.figures.bytes(),
    isTooSmall: ({ space, bytes }) =>
      log.warn(
        { space, bytes, limit: mostBytes },
        'the open spaces take more than --memory-limit: none of them can be closed now',
      ),
  };
}

function begin({ jobs, webhooks }: ServedSpace): void {
  jobs.start();
  webhooks.start();
}

async function stop({ jobs, webhooks }: ServedSpace): Promise<void> {
  await Promise.all([jobs.stop(), webhooks.stop()]);
}

interface SourceDeps {
  readonly engine: Engine;
  readonly shared: SharedParts;
  /** Told of each space that is open from now on. */
  readonly begun: (space: ServedSpace) => void;
}

/** How spaces are opened and closed. A space that could not be opened is not tried again for a while. `faults` has what went wrong on closing: nothing is lost, because the journal has it. */
function spaceSource({ engine, shared, begun }: SourceDeps): SpaceSource<ServedSpace> & { readonly faults: Error[] } {
  const { clock, log } = shared;
  const faults: Error[] = [];
  const ofStandIns = { ...shared, embedding: withoutVectors(shared.embedding) };
  const close = async (served: ServedSpace) => {
    try {
      await stop(served);
      await served.opened.close();
    } catch (err) {
      log.error({ space: served.name, err }, 'a space could not be saved: its journal has everything');
      faults.push(err as Error);
    }
  };
  const discard = async (served: ServedSpace) => {
    // This process has made it. A save of nothing has left files too.
    const isUntouched = served.opened.revision() === 0;
    await close(served);
    if (!isUntouched) return;
    await engine.remove?.(served.name).catch((err) => {
      log.error({ space: served.name, err }, 'an empty space could not be removed');
    });
  };
  const refusals = new Map<string, { readonly error: ServiceError; readonly untilMs: number }>();
  return {
    faults,
    exists: (name) => engine.exists(name),
    names: () => engine.names(),
    bytesWhenOpen: (name) => engine.bytesWhenOpen(name),
    open: async (name, standIn) => {
      const refused = refusals.get(name);
      if (refused && clock.now() < refused.untilMs) throw refused.error;
      refusals.delete(name);
      try {
        const served = serveSpace(name, await engine.open(name), { ...shared, standIn });
        await served.opened.store.compareBy(served.finder.by);
        begun(served);
        return served;
      } catch (cause) {
        log.error({ space: name, err: cause }, 'a space cannot be opened');
        const error = refusalOf(name, cause);
        refusals.set(name, { error, untilMs: clock.now() + TRY_AGAIN_MS });
        throw error;
      }
    },
    standIn: (name) => serveSpace(name, engine.empty, { ...ofStandIns, standIn: null }),
    isBusy: ({ jobs, webhooks, opened: { figures } }) =>
      jobs.areBusy || webhooks.isBehind || figures.waitingForVectors() + figures.waitingForComparison() > 0,
    close,
    // What is nowhere but in memory is not closed.
    ...(engine.keeps && { discard }),
  };
}

function refusalOf(space: string, cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new UnavailableError(
    `The space '${space}' cannot be opened, and the other spaces can. Its operator finds the reason in the log.`,
    { code: 'space_unavailable', cause },
  );
}
