import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import { jsonRpcProblem, slashAtEnd } from '@agent-faculties/mcp-kit';
import { backgroundAudit, type Clock, type IdSource, type Logger, timeZoneName } from '@agent-faculties/service-kit';
import {
  type Contract,
  createServiceApp,
  EventStreams,
  HookCalls,
  type Metrics,
  OpenSpaces,
  type ServiceApp,
  type Tracing,
} from '@agent-faculties/service-kit/http';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import type { Engine, StoredSpace } from './domain/space.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf } from './http/agent-scope.ts';
import { dashboard } from './http/dashboard.ts';
import { clockHandlers } from './http/service.ts';
import { refuseProtobuf, spanCounter, TRACE_BODIES } from './http/traces.ts';
import { jobs } from './jobs/jobs.ts';
import type { Job } from './jobs/schedule.ts';
import { timingMcp } from './mcp/mcp.ts';
import { timingMetrics } from './metrics.ts';
import { type ServedSpace, type SharedParts, serveSpace } from './served-space.ts';
import { type TransferLineReader, transferLineReader } from './wire/transfer-lines.ts';

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

/** Joins the parts. */
export function createApp(deps: AppDeps): TimingApp {
  const { config, engine, metrics } = deps;
  const streams = new EventStreams();
  const lineReader = transferLineReader(deps.contract.spec);
  const shared = sharedParts(deps, { streams, lineReader });
  const countChanges = timingMetrics(metrics.registry, {
    spaces: () => spaces.open,
    samples: engine.samples,
    streams,
  });
  const { home, spaces } = servedSpaces(deps, { shared, countChanges });
  const mcp = timingMcp({ ...deps, checkRoles: config.trustIdentityHeader });
  return {
    app: requestApp(deps, { shared, lineReader, home, spaces, mcp }),
    streams,
    endStreams: () => {
      streams.endAll();
      mcp.endStreams();
    },
    jobs: jobsOf(spaces, deps),
    closeSpaces: async () => {
      await spaces.closeAll();
      await engine.close();
    },
  };
}

/** What all spaces of the process have in common. */
function sharedParts(
  { config, engine, metrics, clock, ids, log, version }: AppDeps,
  { streams, lineReader }: { readonly streams: EventStreams; readonly lineReader: TransferLineReader },
): SharedParts {
  return {
    clock,
    ids,
    log,
    version,
    startedAtMs: clock.now(),
    placeOf: (space) => engine.placeOf(space),
    streams,
    calls: new HookCalls({ hosts: HOST_NAMES, clock, registry: metrics.registry }),
    spans: spanCounter(metrics.registry),
    readLine: lineReader.read,
    trustHeader: config.trustIdentityHeader,
    // Read once: the time zone of a running process does not change.
    serverTimeZone: timeZoneName(),
  };
}

interface ServedSpaces {
  readonly home: ServedSpace;
  readonly spaces: OpenSpaces<ServedSpace>;
}

function servedSpaces(
  { config, engine, clock, log, metrics }: AppDeps,
  { shared, countChanges }: { shared: SharedParts; countChanges: ReturnType<typeof timingMetrics> },
): ServedSpaces {
  const serve = (name: string, stored: StoredSpace, standIn: ServedSpace | null): ServedSpace => {
    logCondition(log, name, stored);
    const served = serveSpace(name, stored, { ...shared, feed: standIn?.parts.feed });
    countChanges(served.parts.feed);
    return served;
  };
  const home = serve(DEFAULT_SPACE, engine.home, null);
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
      open: async (name, standIn) => serve(name, await opening(log, name, () => engine.open(name)), standIn),
      standIn: (name) => serveSpace(name, engine.standIn(name), shared),
      close: ({ name, stored }) => closing(log, name, () => stored.close()),
      discard: ({ name, stored }) => closing(log, name, () => (stored.discard ?? stored.close)()),
    },
  });
  return { home, spaces };
}

interface RequestParts extends ServedSpaces {
  readonly shared: SharedParts;
  readonly lineReader: TransferLineReader;
  readonly mcp: ReturnType<typeof timingMcp>;
}

/** The way of a request to the handlers of its space. */
function requestApp(
  { config, engine, ...kit }: AppDeps,
  { shared, lineReader, home, spaces, mcp }: RequestParts,
): ServiceApp {
  const { home: store } = engine;
  return createServiceApp<operations, keyof ServedSpace['handlers']>({
    ...kit,
    handlers: {
      ...clockHandlers(kit),
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
    errorForm: jsonRpcProblem,
    hooks: { calls: shared.calls, slim: slimPayload },
    foreignBodies: [TRACE_BODIES],
    trustedHeader: config.trustIdentityHeader ? { mayName: mayReadOf } : undefined,
    degradations: () => {
      store.condition.check();
      const refusal = store.condition.refusal();
      return refusal ? [{ code: refusal.code, detail: refusal.message }] : [];
    },
    warmUps: [...lineReader.preparations.map((prepare) => async () => prepare()), mcp.load],
    mount: (app) => {
      app.use(slashAtEnd);
      dashboard.mount(app);
      refuseProtobuf(app);
    },
  });
}

function jobsOf(spaces: OpenSpaces<ServedSpace>, { config, engine, clock, log, tracing }: AppDeps): Job[] {
  const failed = (error: unknown, space: string) => log.error({ err: error, space }, 'a job failed in a space');
  return jobs(
    {
      clock,
      audit: backgroundAudit(log, tracing),
      spaces: {
        inOpen: (work) => spaces.eachOpen(({ parts }) => work(parts), failed),
        inAll: (work) => spaces.each(({ parts }) => work(parts), failed),
        closeIdle: () => spaces.closeIdle(),
      },
      claim: (job, everyMs) => engine.claim(job, everyMs),
      turnPeriods: (options) => engine.turnPeriods(options),
    },
    config,
  );
}

/** Logs what is wrong with the files of a space, now and when damage shows later. */
function logCondition(log: Logger, space: string, { condition }: StoredSpace): void {
  for (const warning of condition.warnings) log.warn({ space }, warning);
  condition.onDamage((cause) =>
    log.error({ err: cause, space }, 'the database is damaged: nothing is written any more'),
  );
}

/** The caller is told that the reason stands in the log. */
async function opening<Stored>(log: Logger, space: string, open: () => Promise<Stored>): Promise<Stored> {
  try {
    return await open();
  } catch (error) {
    log.error({ err: error, space }, 'a space cannot be opened');
    throw error;
  }
}

function closing(log: Logger, space: string, close: () => void): void {
  try {
    close();
  } catch (error) {
    log.error({ err: error, space }, 'a space could not be closed');
  }
}
