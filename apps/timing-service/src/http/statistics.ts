import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, NotFoundError, parseInstant, TurnQueue } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import type { EventStore } from '../domain/event.ts';
import { compareApproaches } from '../domain/statistics/approach-comparison.ts';
import { distributionOf } from '../domain/statistics/distribution.ts';
import type { DurationHistory, DurationSample } from '../domain/statistics/duration-history.ts';
import { outcomeCounts, summarise } from '../domain/statistics/duration-summary.ts';
import { estimateDuration } from '../domain/statistics/estimate-duration.ts';
import { calculated } from '../domain/statistics/exact-durations.ts';
import { settledBefore } from '../domain/statistics/newest-runs.ts';
import { basisOf, basisOfTimeout, isOutgrown } from '../domain/statistics/recent-runs.ts';
import { timeSpent } from '../domain/statistics/time-spent.ts';
import {
  DEFAULT_PERCENTILE,
  DEFAULT_SAFETY_MARGIN,
  recommendTimeout,
} from '../domain/statistics/timeout-recommendation.ts';
import { assessTimeout } from '../domain/statistics/timeout-risk.ts';
import { DEFAULT_TREND_TASKS, trendOfNewest } from '../domain/statistics/trend.ts';
import { OUTCOMES, type Outcome, type TaskStore } from '../domain/task.ts';
import type { Whose } from '../domain/whose.ts';
import { approximationView, summaryView } from '../wire/views.ts';
import { whoseOf } from './agent-scope.ts';
import { askedTime } from './asked-time.ts';
import { askedType } from './plain-name.ts';
import {
  comparisonView,
  distributionView,
  estimateView,
  recommendationView,
  riskView,
  timeSpentView,
  trendView,
} from './statistics-views.ts';

/** Summaries of one turn of the event loop: up to 300 µs each where runs were cut off or still run, and nothing else yields then. */
const TYPES_PER_TURN = 20;

export interface StatisticsDeps {
  readonly clock: Clock;
  readonly history: DurationHistory;
  readonly events: EventStore;
  readonly tasks: TaskStore;
}

type StatisticsOperations =
  | 'getSummary'
  | 'listSummaries'
  | 'listTaskTypes'
  | 'recommendTimeout'
  | 'checkTimeout'
  | 'compareApproaches'
  | 'estimateDuration'
  | 'getDistribution'
  | 'getTrend'
  | 'getTimeSpent';

export function statisticsHandlers(deps: StatisticsDeps): Pick<Handlers<operations>, StatisticsOperations> {
  const { clock, history, events, tasks } = deps;
  // Each reads all tasks of its time, in many short turns: several at once would make one long turn of theirs.
  const spending = new TurnQueue();
  // A dashboard asks for those of many types at once, and each draws for milliseconds.
  const trends = new TurnQueue();
  const typeIn = (path: { readonly task_type: string }, whose: Whose) => askedType(events, whose, path.task_type);
  return {
    getSummary: async ({ path, query, caller }) => {
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const outcome = query.outcome ?? 'ok';
      const sample =
        query.since === undefined
          ? await history.sample(whose, taskType)
          : await history.sampleSince(whose, taskType, parseInstant(query.since, 'query/since'));
      const nowMs = clock.now();
      const { result, error } = await calculated(sample, (of) => summarise(taskType, of, { outcome, nowMs }));
      const view = summaryView(result ?? noTasks(sample, { whose, taskType, outcome, since: query.since }));
      return { status: 200, body: { summary: { ...view, ...approximationView(error) } } };
    },
    listSummaries: async ({ caller }) => {
      const whose = whoseOf(caller);
      const summaries = [];
      const without_ok = [];
      for (const [place, taskType] of (await events.taskTypes(whose)).entries()) {
        if (place % TYPES_PER_TURN === TYPES_PER_TURN - 1) await nextTurn();
        const sample = await history.sample(whose, taskType);
        const nowMs = clock.now();
        const { result, error } = await calculated(sample, (of) => summarise(taskType, of, { outcome: 'ok', nowMs }));
        if (result) summaries.push({ ...summaryView(result), ...approximationView(error) });
        else without_ok.push({ task_type: taskType, outcomes: outcomeCounts(sample) });
      }
      return { status: 200, body: { summaries, without_ok } };
    },
    listTaskTypes: async ({ caller }) => ({
      status: 200,
      body: { task_types: await events.taskTypes(whoseOf(caller)) },
    }),
    recommendTimeout: async ({ path, query, caller }) => {
      const nowMs = clock.now();
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const { sample, change, newestCutOffAfter } = await basisOfTimeout(deps, { whose, taskType, nowMs });
      const options = {
        percentile: query.percentile ?? DEFAULT_PERCENTILE,
        safetyMargin: query.safety_margin ?? DEFAULT_SAFETY_MARGIN,
        newestCutOffAfter,
        nowMs,
      };
      const { result, error } = await calculated(sample, (of) => recommendTimeout(of, options));
      const view = recommendationView(result ?? noTasks(sample, { whose, taskType }), change);
      return { status: 200, body: { recommendation: { ...view, ...approximationView(error) } } };
    },
    checkTimeout: async ({ path, query, caller }) => {
      const nowMs = clock.now();
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const { sample, change, newestCutOffAfter } = await basisOfTimeout(deps, { whose, taskType, nowMs });
      const { elapsed_seconds: elapsedSeconds, timeout_seconds: timeoutSeconds } = query;
      const times = { elapsedSeconds, timeoutSeconds, newestCutOffAfter, nowMs };
      const { result, error } = await calculated(sample, (of) => assessTimeout(of, times));
      const view = riskView(result ?? noTasks(sample, { whose, taskType }), change);
      return { status: 200, body: { risk: { ...view, ...approximationView(error) } } };
    },
    compareApproaches: async ({ body, caller }) => {
      const whose = whoseOf(caller);
      const stepOf = async (step: { readonly task_type: string; readonly estimated_seconds?: number | null }) => ({
        taskType: await askedType(events, whose, step.task_type),
        estimatedSeconds: step.estimated_seconds ?? null,
      });
      const approaches = await Promise.all(
        body.approaches.map(async ({ name, steps }) => ({
          name: name.trim(),
          steps: await Promise.all(steps.map(stepOf)),
        })),
      );
      const comparison = await compareApproaches(deps, { whose, approaches, nowMs: clock.now() });
      return { status: 200, body: comparisonView(comparison) };
    },
    estimateDuration: async ({ path, query, caller }) => {
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const estimate = await estimateDuration(deps, {
        whose,
        taskType,
        estimatedSeconds: query.estimated_seconds ?? null,
        nowMs: clock.now(),
      });
      return { status: 200, body: { estimate: estimateView(taskType, estimate) } };
    },
    getDistribution: async ({ path, caller }) => {
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const nowMs = clock.now();
      const basis = await basisOfTimeout(deps, { whose, taskType, nowMs });
      const { change, newestCutOffAfter } = basis;
      const recent = change?.since ? basis.sample : undefined;
      const sample = recent ? await history.sample(whose, taskType) : basis.sample;
      const { result, error } = await calculated(sample, (of) =>
        distributionOf(of, { recent, newestCutOffAfter, nowMs }),
      );
      const view = distributionView(taskType, result ?? noTasks(sample, { whose, taskType }), change);
      return { status: 200, body: { distribution: { ...view, ...approximationView(error) } } };
    },
    getTrend: async ({ path, query, caller }) => {
      const whose = whoseOf(caller);
      const taskType = await typeIn(path, whose);
      const limit = query.limit ?? DEFAULT_TREND_TASKS;
      const nowMs = clock.now();
      const { change } = await basisOf(deps, { whose, taskType, nowMs });
      const sample = await history.sample(whose, taskType);
      const basis = {
        settledMs: settledBefore(sample, nowMs),
        sinceMs: change?.since?.startMs ?? null,
        history: sample.ended.ok.sorted,
        isOutgrown: isOutgrown(change),
      };
      const trend = await trends.run(() => trendOfNewest(tasks, { ...whose, taskType, limit, basis }));
      const view = trendView(taskType, trend ?? noTasks(sample, { whose, taskType }));
      return { status: 200, body: { trend: view } };
    },
    getTimeSpent: async ({ query, caller }) => {
      const time = askedTime(query, clock.now());
      const whose = whoseOf(caller);
      const taskType = await askedType(events, whose, query.task_type);
      const wanted = { whose, taskType, days: time.days, by: time.by };
      const spent = await spending.run(() => timeSpent(tasks, wanted));
      return { status: 200, body: { time_spent: timeSpentView(spent, time) } };
    },
  };
}

interface Sought {
  readonly whose: Whose;
  readonly taskType: string;
  readonly outcome?: Outcome;
  readonly since?: string | undefined;
}

/** Lists the outcomes that exist, so that a client sees whether the type, the agent, the outcome or the time is wrong. */
function noTasks(sample: DurationSample, { whose, taskType, outcome = 'ok', since }: Sought): never {
  const counts = outcomeCounts(sample);
  const others = [...OUTCOMES, 'active' as const, 'abandoned' as const].filter(
    (kind) => kind !== outcome && counts[kind] > 0,
  );
  const found = others.length > 0 ? `, but ${others.map((kind) => `${counts[kind]} ${kind}`).join(', ')}` : '';
  const period = since === undefined ? '' : ` that started at ${since} or later`;
  const advice = `${adviceOn({ outcome, since, others })}${widerAdvice(whose)}`;
  throw new NotFoundError(
    `No completed tasks found for type '${taskType}' with outcome ${outcome}${period}${found}: ${advice}.`,
    { code: 'no_completed_tasks' },
  );
}

interface Missed {
  readonly outcome: Outcome;
  readonly since: string | undefined;
  /** Outcomes and states that there are. */
  readonly others: readonly string[];
}

function adviceOn({ outcome, since, others }: Missed): string {
  if (since !== undefined) return 'leave since out or name an earlier time';
  if (outcome !== 'ok' && OUTCOMES.some((kind) => others.includes(kind))) return 'ask for one of these outcomes';
  return others.length > 0 ? 'end one ok first' : 'end one first';
}

/** What asks about more than was asked about; nothing where that was about all. */
function widerAdvice({ agentId, project }: Whose): string {
  const wider = [agentId === null ? '' : 'agent_id=*', project === null ? '' : 'project=*'].filter(Boolean);
  return wider.length === 0 ? '' : `, or ask with ${wider.join(' or ')}`;
}
