import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HOST_NAMES, slimPayload } from '@agent-faculties/agent-hooks';
import type { Embedder, PairScorer } from '@agent-faculties/embeddings';
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
import { type Config, CRON_OFF } from './config.ts';
import { emptyState } from './domain/cognition/process-state.ts';
import { Consolidator } from './domain/consolidation/consolidator.ts';
import { contradictionStep } from './domain/consolidation/contradiction-step.ts';
import { ContradictionFinder } from './domain/contradictions/find-contradictions.ts';
import { rewritingAsMerge } from './domain/editing/rewrite.ts';
import { NO_EMBEDDING, textEmbedding } from './domain/embedding/text-embedding.ts';
import { ChangeFeed } from './domain/space/change-feed.ts';
import type { Space } from './domain/space/space.ts';
import { ANY_AGENT_OPERATIONS, mayReadOf, maySupersedeOthers } from './http/agent-scope.ts';
import { Callers } from './http/callers.ts';
import { consolidationHandlers } from './http/consolidation.ts';
import { contradictionHandlers } from './http/contradictions.ts';
import { conversationHandlers } from './http/conversation.ts';
import { dashboard } from './http/dashboard.ts';
import { degradations, healthHandlers } from './http/health.ts';
import { historyHandlers } from './http/history.ts';
import { hookHandlers } from './http/hooks.ts';
import { managementHandlers } from './http/management.ts';
import { memoryHandlers } from './http/memories.ts';
import { overviewHandlers } from './http/overview.ts';
import { streamHandlers } from './http/stream.ts';
import { transferHandlers } from './http/transfer.ts';
import { Jobs } from './jobs/jobs.ts';
import { nightRun } from './jobs/night-run.ts';
import { Nightly } from './jobs/nightly-schedule.ts';
import { memoryMcp } from './mcp/mcp.ts';
import { memoryMetrics } from './metrics.ts';
import { Webhooks } from './webhooks/webhooks.ts';
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
  >;
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
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  readonly streams: EventStreams;
  /** For a stop: ends answers that would never end. */
  readonly endStreams: () => void;
}

/** Pause between two slices of a consolidation, of 2 ms each: it takes half of one core at most. */
const CONSOLIDATION_PAUSE_MS = 2;

/** Joins the parts. */
export async function createApp({
  config,
  opened,
  embedder,
  pairScorer,
  nliScorer,
  webhooks: listed = [],
  version,
  ...kit
}: AppDeps): Promise<MemoryApp> {
  const { clock, ids, log, metrics } = kit;
  const { store, persistence, archive, history, runLog, figures } = opened;
  const embedding = embedder ? textEmbedding({ embedder, log }) : NO_EMBEDDING;
  const state = emptyState(store);
  const audit = backgroundAudit(log, kit.tracing);
  const finder = new ContradictionFinder({ store, scorer: pairScorer, confirmer: nliScorer, clock, log, audit });
  await store.compareBy(finder.by);
  const streams = new EventStreams();
  const feed = new ChangeFeed({ clock, newId: eventId, listen: (listener) => opened.onChange(listener) });
  const webhooks = new Webhooks(listed, {
    feed,
    clock,
    log,
    registry: metrics.registry,
    allowPrivate: config.webhooksAllowPrivate,
    pause: async (milliseconds, signal) => await setTimeout(milliseconds, undefined, { signal, ref: false }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    newId: eventId,
    userAgent: `memory-service/${version}`,
  });
  const meters = memoryMetrics(metrics.registry, {
    figures,
    streams,
    persistence,
    runLog,
    isEmbeddingReady: embedding.isReady,
    maxMemories: config.maxMemories,
  });
  const pause = () => setTimeout(CONSOLIDATION_PAUSE_MS);
  const consolidator = new Consolidator({
    clock,
    ids,
    store,
    archive,
    runLog,
    log,
    model: embedding.kind,
    pause,
    findContradictions: contradictionStep({ store, finder, clock }),
    onRun: (report) => {
      meters.onRun(report);
      feed.consolidated(report);
    },
  });
  const endOfDayDeps = {
    clock,
    consolidator,
    archive,
    history,
    store,
    persistence,
    log,
    compact: () => opened.compact(),
  };
  const nightly = new Nightly(
    {
      clock,
      log,
      lastNight: () => runLog.lastNight,
      noteNight: (night) => runLog.noteNight(night),
      lastSavedAt: () => persistence.state().lastSavedAt,
      revision: () => opened.revision(),
      run: nightRun(endOfDayDeps, audit),
    },
    {
      expression: config.consolidateCron === CRON_OFF ? null : config.consolidateCron,
      timezone: config.consolidateTimezone,
    },
  );
  const callers = new Callers(clock);
  const jobs = new Jobs({ persistence, store, embedding, finder, nightly, consolidator, callers, log }, config);
  const mcp = memoryMcp({ ...kit, version, checkRoles: config.trustIdentityHeader });
  const conversation = {
    ...state,
    ingestTimer: meters.ingestTimer,
    recallTimer: meters.recallTimer,
    clock,
    ids,
    log,
    finder,
    store,
    embedding,
    maxMemories: config.maxMemories,
  };
  const editing = {
    ...state,
    clock,
    store,
    archive,
    history,
    embedding,
    saveAfterDelete: () => jobs.saveAfterDelete(),
    saveNow: async () => {
      if (persistence.state().dataDir !== null) await persistence.save();
    },
  };
  const hookCalls = new HookCalls({ hosts: HOST_NAMES, clock, registry: metrics.registry });
  const app = createServiceApp<operations>({
    ...kit,
    handlers: {
      ...conversationHandlers({
        ...conversation,
        maySupersedeOthers: config.trustIdentityHeader ? maySupersedeOthers : () => true,
      }),
      ...hookHandlers({ ...conversation, calls: hookCalls, scope: config.hookScope }),
      ...memoryHandlers(editing, { defaultAgentId: config.agentId }),
      ...historyHandlers({
        ...editing,
        consolidator,
        maxMemories: config.maxMemories,
        pause,
        onWithoutVectors: () => jobs.makeVectors(),
      }),
      ...streamHandlers({ feed, streams }),
      ...overviewHandlers({ clock, store, revision: () => opened.revision() }),
      ...managementHandlers({ store, persistence }),
      ...transferHandlers({
        clock,
        readRecord: memoryRecordReader(kit.contract.spec),
        store,
        locks: state.locks,
        rewrite: rewritingAsMerge({ store, now: () => clock.now() }),
        maxMemories: config.maxMemories,
        model: embedding.model,
        onWithoutVectors: () => jobs.makeVectors(),
      }),
      ...contradictionHandlers({ clock, log, store, finder, locks: state.locks }),
      ...consolidationHandlers({
        ...endOfDayDeps,
        store,
        maxMemories: config.maxMemories,
        nextRunAt: () => nightly.nextRunAt,
        onWithoutVectors: () => jobs.makeVectors(),
      }),
      getDashboard: dashboard.getDashboard,
      postMcp: mcp.handler,
      getPrompt: mcp.systemPrompt,
      ...healthHandlers({
        clock,
        version,
        store,
        persistence,
        embedding,
        finder,
        consolidator,
        nextRunAt: () => nightly.nextRunAt,
        webhooks,
      }),
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
    degradations: () => degradations({ persistence, embedding }),
    mount: (app) => {
      app.use(callers.note);
      dashboard.mount(app);
    },
  });
  return {
    app,
    jobs,
    webhooks,
    streams,
    endStreams: () => {
      streams.endAll();
      mcp.endStreams();
    },
  };
}

/** 15 digits by chance, which say nothing. */
function eventId(): string {
  return String(randomInt(2 ** 48 - 1)).padStart(15, '0');
}
