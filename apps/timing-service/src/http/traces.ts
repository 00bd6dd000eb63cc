import {
  ANY_AGENT,
  type Caller,
  checkVisible,
  InvalidIdentityError,
  parseAgentId,
} from '@agent-faculties/agent-identity';
import { type Clock, type RecordWrite, UnsupportedMediaTypeError } from '@agent-faculties/service-kit';
import type { Handlers } from '@agent-faculties/service-kit/http';
import type { Express, Request } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { operations } from '../api.gen.ts';
import type { ChangeFeed } from '../domain/change-feed.ts';
import { isFarAhead } from '../domain/instant.ts';
import { taskOfSpan, taskTypeOfSpan } from '../domain/span-task.ts';
import type { Task } from '../domain/task.ts';
import { FAR_AHEAD, type TransferStore } from '../domain/transfer.ts';
import { type ReadSpan, readTraces, slimTraces } from '../wire/otlp-traces.ts';

const PATH = '/v1/traces';
/** Tasks per transaction: a few milliseconds, so that other requests can run between them. */
const BATCH_TASKS = 200;
/** Refused spans that the answer names. */
const REFUSED_SHOWN = 10;
/** A request of other names, such as resource_spans, would be answered as one of which all was taken. No exporter sends one without spans. */
const NO_SPANS = 'no spans were found: they are read from resourceSpans, scopeSpans and spans, with these names';
const CONFLICT = 'was recorded before with another agent, project, type, start, end or outcome';

/** Requests of OTLP, which bring the words of models and much else that is not kept. */
export const TRACE_BODIES = { isFor: (path: string) => path === PATH, limitBytes: 2 * 1024 ** 2, slim: slimTraces };

/** Says how to export JSON to those that send Protocol Buffers, which is what most SDKs do at first. */
export function refuseProtobuf(app: Express): void {
  app.post(PATH, (req, _res, next) => {
    if (!/^\s*application\/(?:x-)?protobuf\b/i.test(req.get('Content-Type') ?? '')) return next();
    throw new UnsupportedMediaTypeError(
      'Spans are read as JSON: set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json (or the exporter "OTLP over HTTP, JSON" of your SDK), or send them through an OpenTelemetry Collector with `encoding: json`.',
    );
  });
}

export interface TraceDeps {
  readonly clock: Clock;
  readonly transfer: Pick<TransferStore, 'import'>;
  readonly feed: ChangeFeed;
  /** By what came of them; see spanCounter. */
  readonly spans: Counter<'result'>;
  /** Whether the header X-Agent-ID of a gateway alone says who writes. */
  readonly trustHeader: boolean;
}

/** Once for all spaces. */
export function spanCounter(registry: Registry): Counter<'result'> {
  const spans = new Counter({
    name: 'timing_spans_total',
    help: 'Spans received since the start, by what came of them',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of Object.keys(new TraceReport().counts)) spans.inc({ result }, 0);
  return spans;
}

export function traceHandlers(deps: TraceDeps): Pick<Handlers<operations>, 'receiveTraces'> {
  return {
    receiveTraces: async ({ body, caller, req, recordWrite }) => {
      const report = new TraceReport();
      try {
        await recordSpans(deps, readTraces(body), {
          project: caller.project,
          agentOf: agentRule(req, caller, deps),
          report,
          recordWrite,
        });
      } finally {
        for (const [result, count] of Object.entries(report.counts)) deps.spans.inc({ result }, count);
        // Listeners would take an event for one that happens now, so they reload everything.
        if (report.counts.recorded > 0) deps.feed.publish({ kind: 'reset' });
      }
      return { status: 200, body: report.answer() };
    },
  };
}

/** What came of the spans of one request. */
class TraceReport {
  readonly counts = { recorded: 0, repeated: 0, ignored: 0, refused: 0 };
  readonly #reasons: string[] = [];

  refuse(where: string, reason: string): void {
    this.counts.refused++;
    if (this.#reasons.length < REFUSED_SHOWN) this.#reasons.push(`${where} ${reason}`);
  }

  /** An ExportTraceServiceResponse; OTLP writes an int64 as a text. */
  answer() {
    const { refused, ...others } = this.counts;
    if (refused === 0) {
      const isEmpty = Object.values(others).every((count) => count === 0);
      return isEmpty ? { partialSuccess: { rejectedSpans: '0', errorMessage: NO_SPANS } } : {};
    }
    const rest = refused > this.#reasons.length ? [`and ${refused - this.#reasons.length} more`] : [];
    const errorMessage = [...this.#reasons, ...rest].join('; ');
    return { partialSuccess: { rejectedSpans: String(refused), errorMessage } };
  }
}

/** The agent that a span belongs to, from the one that it names. @throws InvalidIdentityError */
type AgentRule = (named: string | null) => string;

/** An agent that the request or the gateway names is the agent of all spans; otherwise each span names its own. */
function agentRule(req: Request, { agentId }: Caller, { trustHeader }: TraceDeps): AgentRule {
  if (trustHeader || req.query.agent_id || req.get('X-Agent-ID')) return () => agentId;
  return (named) => (named === null ? agentId : oneAgent(named));
}

function oneAgent(named: string): string {
  if (named === ANY_AGENT) throw new InvalidIdentityError('agent', "'*' names no single agent.");
  checkVisible(named, 'agent');
  return parseAgentId(named, 'agent');
}

interface Recording {
  readonly agentOf: AgentRule;
  /** Of the request. */
  readonly project: string | null;
  readonly report: TraceReport;
  readonly recordWrite: RecordWrite;
}

/** After a failure the spans written so far stay. A client may send all again: those count as repeated. */
async function recordSpans(deps: TraceDeps, spans: Iterable<ReadSpan>, recording: Recording): Promise<void> {
  const { agentOf, project, report } = recording;
  let batch: Task[] = [];
  for (const read of spans) {
    if ('fault' in read) {
      report.refuse(read.where, read.fault);
    } else if (taskTypeOfSpan(read.span) === null) {
      report.counts.ignored++;
    } else if (isFarAhead(read.span.endedMs, deps.clock.now())) {
      report.refuse(`span ${read.span.spanId}`, FAR_AHEAD);
    } else {
      try {
        batch.push(taskOfSpan(read.span, { agentId: agentOf(read.agent), project }));
      } catch (error) {
        if (!(error instanceof InvalidIdentityError)) throw error;
        report.refuse(`span ${read.span.spanId}`, `names an agent that cannot be one: ${error.message}`);
      }
    }
    if (batch.length < BATCH_TASKS) continue;
    await recordTasks(deps, batch, recording);
    batch = [];
  }
  await recordTasks(deps, batch, recording);
}

async function recordTasks({ transfer }: TraceDeps, tasks: readonly Task[], { report, recordWrite }: Recording) {
  const outcomes = await transfer.import(tasks.map((task) => ({ kind: 'task', task })));
  for (const [index, outcome] of outcomes.entries()) {
    const { correlationId } = tasks[index] as Task;
    if (outcome === 'conflict') report.refuse(correlationId, CONFLICT);
    else report.counts[outcome === 'duplicate' ? 'repeated' : 'recorded']++;
    if (outcome === 'imported') recordWrite('tasks', [correlationId]);
  }
  await new Promise(setImmediate);
}
