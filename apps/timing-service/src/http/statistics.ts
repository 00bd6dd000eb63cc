import { type Clock, type Handlers, NotFoundError } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { compareApproaches } from '../domain/approach-comparison.ts';
import { histogram, survivalSteps } from '../domain/distribution.ts';
import type { DurationHistory, DurationSample } from '../domain/duration-history.ts';
import { outcomeCounts, summarise } from '../domain/duration-summary.ts';
import type { EventStore } from '../domain/event.ts';
import { parseInstant, shownSeconds } from '../domain/instant.ts';
import type { Position } from '../domain/page.ts';
import { OUTCOMES, type Outcome, type Task, type TaskFilter, type TaskStore } from '../domain/task.ts';
import { recommendTimeout } from '../domain/timeout-recommendation.ts';
import { assessTimeout } from '../domain/timeout-risk.ts';
import { trendOf } from '../domain/trend.ts';
import { agentScope } from './agent-scope.ts';
import { comparisonView, recommendationView, riskView, trendView } from './statistics-views.ts';
import { shownProbability, summaryView } from './views.ts';

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
  | 'getDistribution'
  | 'getTrend';

export function statisticsHandlers(deps: StatisticsDeps): Pick<Handlers<operations>, StatisticsOperations> {
  const { clock, history, events, tasks } = deps;
  return {
    getSummary: async ({ path, query, caller }) => {
      const agentId = agentScope(caller);
      const outcome = query.outcome ?? 'ok';
      const sample =
        query.since === undefined
          ? await history.sample(agentId, path.task_type)
          : await history.sampleSince(agentId, path.task_type, parseInstant(query.since, 'query/since'));
      const summary = summarise(path.task_type, sample, { outcome, nowMs: clock.now() });
      return { status: 200, body: { summary: summaryView(summary ?? noTasks(path.task_type, sample, outcome)) } };
    },
    listSummaries: async ({ caller }) => {
      const agentId = agentScope(caller);
      const summaries = [];
      for (const taskType of await events.taskTypes(agentId)) {
        const sample = await history.sample(agentId, taskType);
        const summary = summarise(taskType, sample, { outcome: 'ok', nowMs: clock.now() });
        if (summary) summaries.push(summaryView(summary));
      }
      return { status: 200, body: { summaries } };
    },
    listTaskTypes: async ({ caller }) => ({
      status: 200,
      body: { task_types: await events.taskTypes(agentScope(caller)) },
    }),
    recommendTimeout: async ({ path, query, caller }) => {
      const sample = await history.sample(agentScope(caller), path.task_type);
      const recommendation = recommendTimeout(sample, {
        percentile: query.percentile ?? 0.95,
        safetyMargin: query.safety_margin ?? 1.2,
        nowMs: clock.now(),
      });
      const view = recommendationView(recommendation ?? noTasks(path.task_type, sample, 'ok'));
      return { status: 200, body: { recommendation: view } };
    },
    checkTimeout: async ({ path, query, caller }) => {
      const sample = await history.sample(agentScope(caller), path.task_type);
      const risk = assessTimeout(sample, {
        elapsedSeconds: query.elapsed_seconds,
        timeoutSeconds: query.timeout_seconds,
        nowMs: clock.now(),
      });
      return { status: 200, body: { risk: riskView(risk ?? noTasks(path.task_type, sample, 'ok')) } };
    },
    compareApproaches: async ({ body, caller }) => {
      const approaches = body.approaches.map(({ name, steps }) => ({
        name,
        steps: steps.map((step) => ({
          taskType: step.task_type,
          estimatedSeconds: step.estimated_seconds ?? null,
        })),
      }));
      const comparison = await compareApproaches({ history, tasks }, { agentId: agentScope(caller), approaches });
      return { status: 200, body: comparisonView(comparison) };
    },
    getDistribution: async ({ path, caller }) => {
      const sample = await history.sample(agentScope(caller), path.task_type);
      const nowMs = clock.now();
      const advice =
        recommendTimeout(sample, { percentile: 0.95, safetyMargin: 1.2, nowMs }) ??
        noTasks(path.task_type, sample, 'ok');
      const summary = summarise(path.task_type, sample, { outcome: 'ok', nowMs });
      const distribution = {
        task_type: path.task_type,
        count: advice.sampleCount,
        censored_count: advice.censoredCount,
        p50_seconds: shownSeconds(summary?.p50 ?? 0),
        p95_seconds: shownSeconds(advice.percentileValue.seconds),
        recommended_seconds: shownSeconds(advice.seconds),
        conservative_seconds: shownSeconds(advice.conservativeSeconds),
        histogram: histogram(sample.ended.ok.sorted).map(({ from, to, count }) => ({
          from_seconds: from,
          to_seconds: to,
          count,
        })),
        survival: survivalSteps(sample, nowMs).map(({ time, survival, low, high }) => ({
          seconds: time,
          survival: shownProbability(survival),
          low: shownProbability(low),
          high: shownProbability(high),
        })),
      };
      return { status: 200, body: { distribution } };
    },
    getTrend: async ({ path, query, caller }) => {
      const agentId = agentScope(caller);
      const filter = { agentId, taskType: path.task_type, state: 'ended', outcome: 'ok' } as const;
      const newest = await newestTasks(tasks, filter, query.limit ?? 200);
      if (newest.length === 0) noTasks(path.task_type, await history.sample(agentId, path.task_type), 'ok');
      return { status: 200, body: { trend: trendView(path.task_type, trendOf(newest.reverse())) } };
    },
  };
}

/** Pages may end early when their metadata is large. */
async function newestTasks(tasks: TaskStore, filter: TaskFilter, limit: number): Promise<Task[]> {
  const newest: Task[] = [];
  let after: Position | null = null;
  do {
    const page = await tasks.list(filter, { limit: limit - newest.length, after });
    newest.push(...page.items);
    after = page.next;
  } while (after && newest.length < limit);
  return newest;
}

/** Says what there is instead, so that a client sees whether the type, the agent or the outcome is wrong. */
function noTasks(taskType: string, sample: DurationSample, outcome: Outcome): never {
  const counts = outcomeCounts(sample);
  const others = [...OUTCOMES, 'active' as const, 'abandoned' as const]
    .filter((kind) => kind !== outcome && counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`);
  const found = others.length > 0 ? `there are ${others.join(', ')}` : 'end one first, or ask with agent_id=*';
  throw new NotFoundError(`No completed tasks found for type '${taskType}' with outcome ${outcome}: ${found}.`, {
    code: 'no_completed_tasks',
  });
}
