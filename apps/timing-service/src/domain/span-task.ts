import { failureOf, nameInType, taskTypeOf } from '@agent-faculties/agent-hooks';
import { secondsBetween } from './instant.ts';
import type { Outcome, Task } from './task.ts';

/** A finished span of a trace, as far as it is read. */
export interface Span {
  /** Hex digits: 32, 16 and 16; ids of W3C Trace Context. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Epoch milliseconds with microseconds in the fraction. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Those of WORK_ATTRIBUTES that are texts, and those that name the agent. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Null unless the span says that it failed. */
  readonly failure: { readonly message: string } | null;
}

/** Under what a tool is named: by the semantic conventions for generative AI, by OpenInference, by the AI SDK, by Claude Code. */
const TOOL_NAMES = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'tool_name'] as const;
const MODEL_NAMES = ['gen_ai.request.model', 'llm.model_name'] as const;
const SESSIONS = ['gen_ai.conversation.id', 'session.id'] as const;

/** The attributes of a span that say which work it is, how it went and where. */
export const WORK_ATTRIBUTES = [
  'gen_ai.operation.name',
  'gen_ai.agent.name',
  ...TOOL_NAMES,
  ...MODEL_NAMES,
  ...SESSIONS,
  'error.type',
] as const;

type WorkAttribute = (typeof WORK_ATTRIBUTES)[number];

/**
 * What kind of work of an agent a span is: a tool under the name that hooks give it (`tool:Read`), a model under the operation
 * and its name (`chat claude-opus-5`), an agent likewise (`invoke_agent planner`). Null for every other span.
 */
export function taskTypeOfSpan({ attributes }: Pick<Span, 'attributes'>): string | null {
  const first = (names: readonly WorkAttribute[]) => names.map((name) => attributes[name]).find((value) => value);
  const tool = first(TOOL_NAMES);
  if (tool !== undefined) return taskTypeOf({ id: null, tool, input: null });
  const model = first(MODEL_NAMES);
  const operation = attributes['gen_ai.operation.name'] || (model === undefined ? undefined : 'chat');
  if (operation === undefined) return null;
  const target = operation.endsWith('_agent') ? attributes['gen_ai.agent.name'] : model;
  return [operation, target]
    .filter((part) => part)
    .map((part) => nameInType(part as string, NAME_CHARACTERS))
    .join(' ');
}

/** Room for two of them in a task type. */
const NAME_CHARACTERS = 60;

/** A span of an agent's work as the task that it was; the same span is always the same task. */
export function taskOfSpan(
  span: Span,
  { agentId, project }: { readonly agentId: string; readonly project: string | null },
): Task {
  const taskType = taskTypeOfSpan(span);
  if (taskType === null) throw new RangeError('The span is no work of an agent.');
  const { traceId, spanId, parentSpanId, name, startedMs, endedMs, attributes } = span;
  const session = SESSIONS.map((key) => attributes[key]).find((value) => value);
  return {
    correlationId: `otlp-${traceId}-${spanId}`,
    agentId,
    project,
    taskType,
    state: 'ended',
    outcome: outcomeOf(span),
    startedMs,
    endedMs,
    abandonedMs: null,
    durationSeconds: secondsBetween(startedMs, endedMs),
    estimatedSeconds: null,
    metadata: {
      trace_id: traceId,
      span_id: spanId,
      ...(parentSpanId !== null && { parent_span_id: parentSpanId }),
      span: name,
      ...(session !== undefined && { session }),
    },
    endEventId: null,
  };
}

/** `error.type` holds a class of exceptions, a code of the system or a status of HTTP or gRPC. */
const TIMEOUT_TYPE = /time[d_ -]*out|timedout|deadline|^(?:408|504)$/i;
const CANCEL_TYPE = /cancel|abort/i;
/** Where the SDK for Python has the class of an exception: "TimeoutError: the index did not answer". */
const TYPE_IN_MESSAGE = /^[a-z_]\w*(?=: )/i;

function outcomeOf({ failure, attributes }: Span): Outcome {
  const given = attributes['error.type'] ?? '';
  if (failure === null && given === '') return 'ok';
  const type = given || (TYPE_IN_MESSAGE.exec(failure?.message ?? '')?.[0] ?? '');
  if (TIMEOUT_TYPE.test(type)) return 'timeout';
  if (CANCEL_TYPE.test(type)) return 'cancelled';
  return failureOf(failure?.message);
}
