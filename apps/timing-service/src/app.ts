import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
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
  type ServiceApp,
  type Tracing,
} from '@agent-faculties/service-kit';
import type { operations } from './api.gen.ts';
import type { Config } from './config.ts';
import { ChangeFeed } from './domain/change-feed.ts';
import type { RecordDeps } from './domain/record.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf } from './http/agent-scope.ts';
import { dashboard } from './http/dashboard.ts';
import { eventHandlers } from './http/events.ts';
import { hookHandlers } from './http/hooks.ts';
import { serviceHandlers } from './http/service.ts';
import { statisticsHandlers } from './http/statistics.ts';
import { stopwatchHandlers } from './http/stopwatches.ts';
import { streamHandlers } from './http/stream.ts';
import { refuseProtobuf, TRACE_BODIES, traceHandlers } from './http/traces.ts';
import { transferHandlers } from './http/transfer.ts';
import { jobs } from './jobs/jobs.ts';
import type { Job } from './jobs/schedule.ts';
import { timingMcp } from './mcp/mcp.ts';
import { timingMetrics } from './metrics.ts';
import type { Database } from './storage/database.ts';
import { DurationSamples } from './storage/duration-samples.ts';
import { SqliteEventStore } from './storage/event-store.ts';
import { SqliteExpiryStore } from './storage/expiry-store.ts';
import { SqliteStopwatchStore } from './storage/stopwatch-store.ts';
import { lastEndSequence, SqliteTaskStore } from './storage/task-store.ts';
import { SqliteTransferStore } from './storage/transfer-store.ts';
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
    | 'dbPath'
    | 'abandonAfterSeconds'
    | 'retentionDays'
  >;
  readonly database: Database;
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
}

/** Joins the parts. */
export function createApp({ config, database, version, ...kit }: AppDeps): TimingApp {
  const { db } = database;
  const { clock, ids, log, metrics } = kit;
  const samples = new DurationSamples(db, { lastEndSequence: lastEndSequence(db) });
  const feed = new ChangeFeed();
  const events = new SqliteEventStore(db);
  const tasks = new SqliteTaskStore(db, samples);
  const stopwatches = new SqliteStopwatchStore(db);
  const transfer = new SqliteTransferStore(db, samples);
  const streams = new EventStreams();
  timingMetrics(metrics.registry, { feed, tasks, samples, streams, database });
  for (const warning of database.warnings) log.warn(warning);
  database.onDamage((cause) => log.error({ err: cause }, 'the database is damaged: nothing is written any more'));
  const calls = new HookCalls({ hosts: HOST_NAMES, clock, registry: metrics.registry });
  const clockWarning = 'the clock was set back: a duration was taken as 0';

  const recording: RecordDeps = {
    clock,
    ids,
    events,
    tasks,
    feed,
    onClockStep: ({ correlationId }) => log.warn({ correlation_id: correlationId }, clockWarning),
  };
  // Read once: the time zone of a running process does not change.
  const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const mcp = timingMcp({ ...kit, version, checkRoles: config.trustIdentityHeader });

  const app = createServiceApp<operations>({
    ...kit,
    handlers: {
      ...serviceHandlers({ clock, events, version, dbPath: config.dbPath, checkDatabase: database.check }),
      ...stopwatchHandlers({
        clock,
        stopwatches,
        feed,
        onClockStep: ({ agentId, name }) => log.warn({ agent: agentId, stopwatch: name }, clockWarning),
      }),
      ...eventHandlers(recording),
      ...hookHandlers({ ...recording, history: samples, calls, serverTimeZone }),
      ...statisticsHandlers({ clock, history: samples, events, tasks }),
      ...streamHandlers({ clock, events, tasks, feed }, streams),
      ...transferHandlers({ clock, readLine: transferLineReader(kit.contract.spec), transfer, feed }),
      ...traceHandlers({ transfer, feed, registry: metrics.registry, trustHeader: config.trustIdentityHeader }),
      getDashboard: dashboard.getDashboard,
      postMcp: mcp.handler,
      getPrompt: mcp.systemPrompt,
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
      database.check();
      const refusal = database.refusal();
      return refusal ? [{ code: refusal.code, detail: refusal.message }] : [];
    },
    mount: (app) => {
      dashboard.mount(app);
      refuseProtobuf(app);
    },
  });
  const expiry = new SqliteExpiryStore(db, samples);
  return {
    app,
    streams,
    endStreams: () => {
      streams.endAll();
      mcp.endStreams();
    },
    jobs: jobs({ clock, tasks, history: samples, feed, expiry, audit: backgroundAudit(log, kit.tracing) }, config),
  };
}
