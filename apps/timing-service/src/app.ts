import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import {
  backgroundAudit,
  type Clock,
  type Contract,
  createServiceApp,
  EventStreams,
  HookCalls,
  type IdSource,
  type Logger,
  type Metrics,
  OpenSpaces,
  type ServiceApp,
  type Tracing,
} from '@agent-faculties/service-kit';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import type { RecordDeps } from './domain/record.ts';
import type { Engine, Space, StoredSpace } from './domain/space.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf } from './http/agent-scope.ts';
import { dashboard } from './http/dashboard.ts';
import { eventHandlers } from './http/events.ts';
import { hookHandlers } from './http/hooks.ts';
import { nameHandlers, serviceHandlers } from './http/service.ts';
import { statisticsHandlers } from './http/statistics.ts';
import { stopwatchHandlers } from './http/stopwatches.ts';
import { streamHandlers } from './http/stream.ts';
import { refuseProtobuf, spanCounter, TRACE_BODIES, traceHandlers } from './http/traces.ts';
import { transferHandlers } from './http/transfer.ts';
import { jobs } from './jobs/jobs.ts';
import type { Job } from './jobs/schedule.ts';
import { timingMcp } from './mcp/mcp.ts';
import { timingMetrics } from './metrics.ts';
import { transferLineReader } from './wire/transfer-lines.ts';

export interface AppDeps {
  readonly config: Pick<
    Config,
    | 'host'
    | 'allowedHosts'
    | 'agentId'
    | 'trustIdentityHeader'
    | 'bodyLimitBytes'
    | 'redact'
    | 'abandonAfterSeconds'
    | 'retentionDays'
    | 'openSpaces'
    | 'maxSpaces'
  >;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly contract: Contract;
  readonly tracing?: Tracing | undefined;
}

export interface TimingApp {
  /** Never listens. */
  readonly app: ServiceApp;
  readonly streams: EventStreams;
  /** For a stop: ends answers that would never end. */
  readonly endStreams: () => void;
  readonly jobs: Job[];
  /** Closes every space, the default one too. */
  readonly closeSpaces: () => Promise<void>;
}

/** A space without requests for this long is closed. */
const IDLE_MS = 10 * 60_000;
const CLOCK_WARNING = 'the clock was set back: a duration was taken as 0';

/** An open space, or what stands in for one that does not exist. */
interface ServedSpace {
  readonly space: Space;
  readonly stored: StoredSpace;
  readonly handlers: ReturnType<typeof spaceHandlers>;
}

/** Joins the parts. */
export function createApp({ config, engine, version, ...kit }: AppDeps): TimingApp {
  const { clock, ids, log, metrics } = kit;
  const streams = new EventStreams();
  const calls = new HookCalls({ hosts: HOST_NAMES, clock, registry: metrics.registry });
  const common = {
    clock,
    ids,
    log,
    streams,
    calls,
    spans: spanCounter(metrics.registry),
    readLine: transferLineReader(kit.contract.spec),
    trustHeader: config.trustIdentityHeader,
    // Read once: the time zone of a running process does not change.
    serverTimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const countChanges = timingMetrics(metrics.registry, {
    spaces: () => spaces.open,
    samples: engine.samples,
    streams,
  });
  const serve = (name: string, stored: StoredSpace, feed = stored.feed): ServedSpace => {
    const { condition, stores } = stored;
    for (const warning of condition.warnings) log.warn({ space: name }, warning);
    condition.onDamage((cause) =>
      log.error({ err: cause, space: name }, 'the database is damaged: nothing is written any more'),
    );
    countChanges(feed);
    const space = { ...stores, name, feed };
    return { space, stored, handlers: spaceHandlers(space, common) };
  };
  const home = serve(DEFAULT_SPACE, engine.home);
  const closing = (close: () => void, { name }: Space) => {
    try {
      close();
    } catch (error) {
      log.error({ err: error, space: name }, 'a space could not be closed');
    }
  };
  const spaces = new OpenSpaces<ServedSpace>({
    clock,
    registry: metrics.registry,
    prefix: 'timing',
    mostOpen: config.openSpaces,
    mostSpaces: config.maxSpaces,
    idleMs: IDLE_MS,
    home: { name: DEFAULT_SPACE, space: home },
    source: {
      exists: (name) => engine.exists(name),
      names: () => engine.names(),
      // Those who listen to the stand-in hear what the space does.
      open: async (name, standIn) => serve(name, await engine.open(name), standIn?.space.feed),
      standIn: (name) => {
        const stored = engine.standIn(name);
        const space = { ...stored.stores, name, feed: stored.feed };
        return { space, stored, handlers: spaceHandlers(space, common) };
      },
      close: ({ stored, space }) => closing(() => stored.close(), space),
      discard: ({ stored, space }) => closing(() => (stored.discard ?? stored.close)(), space),
    },
  });
  const mcp = timingMcp({ ...kit, version, checkRoles: config.trustIdentityHeader });

  const app = createServiceApp<operations, keyof ServedSpace['handlers']>({
    ...kit,
    handlers: {
      ...serviceHandlers({ clock, version, place: engine.place, checkDatabase: engine.home.condition.check }),
      getDashboard: dashboard.getDashboard,
      postMcp: mcp.handler,
      getPrompt: mcp.systemPrompt,
    },
    spaces: {
      operationIds: Object.keys(home.handlers) as (keyof typeof home.handlers)[],
      use: (name, options, work) => spaces.use(name, options, work),
    },
    defaultAgentId: config.agentId,
    bodyLimitBytes: config.bodyLimitBytes,
    redact: config.redact,
    allowAnyAgent: ANY_AGENT_OPERATIONS,
    hosts: config,
    hooks: { calls, slim: slimPayload },
    foreignBodies: [TRACE_BODIES],
    trustedHeader: config.trustIdentityHeader ? { mayName: mayReadOf } : undefined,
    degradations: () => {
      engine.home.condition.check();
      const refusal = engine.home.condition.refusal();
      return refusal ? [{ code: refusal.code, detail: refusal.message }] : [];
    },
    warmUps: [mcp.load],
    mount: (app) => {
      dashboard.mount(app);
      refuseProtobuf(app);
    },
  });
  const failed = (error: unknown, space: string) => log.error({ err: error, space }, 'a job failed in a space');
  const audit = backgroundAudit(log, kit.tracing);
  return {
    app,
    streams,
    endStreams: () => {
      streams.endAll();
      mcp.endStreams();
    },
    jobs: jobs(
      {
        clock,
        audit,
        spaces: {
          inOpen: (work) => spaces.eachOpen(({ space }) => work(space), failed),
          inAll: (work) => spaces.each(({ space }) => work(space), failed),
          closeIdle: () => spaces.closeIdle(),
        },
        claim: (job, everyMs) => engine.claim(job, everyMs),
        turnPeriods: (options) => engine.turnPeriods(options),
      },
      config,
    ),
    closeSpaces: async () => {
      await spaces.closeAll();
      await engine.close();
    },
  };
}

interface CommonDeps extends Pick<RecordDeps, 'clock' | 'ids'> {
  readonly log: Logger;
  readonly streams: EventStreams;
  readonly calls: HookCalls;
  readonly spans: ReturnType<typeof spanCounter>;
  readonly readLine: ReturnType<typeof transferLineReader>;
  readonly trustHeader: boolean;
  readonly serverTimeZone: string;
}

/** What answers in one space. */
function spaceHandlers(space: Space, { log, streams, ...common }: CommonDeps) {
  const recording: RecordDeps = {
    ...common,
    ...space,
    onClockStep: ({ correlationId }) => log.warn({ correlation_id: correlationId }, CLOCK_WARNING),
  };
  const { events, history, tasks } = space;
  return {
    ...nameHandlers(space),
    ...stopwatchHandlers({
      ...common,
      ...space,
      onClockStep: ({ agentId, name }) => log.warn({ agent: agentId, stopwatch: name }, CLOCK_WARNING),
    }),
    ...eventHandlers(recording),
    ...hookHandlers({ ...recording, ...common, history }),
    ...statisticsHandlers({ ...common, history, events, tasks }),
    ...streamHandlers({ ...common, ...space }, streams),
    ...transferHandlers({ ...common, ...space }),
    ...traceHandlers({ ...common, ...space }),
  };
}
