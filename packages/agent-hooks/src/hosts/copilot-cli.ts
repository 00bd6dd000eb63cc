import { failureOf } from '../failure.ts';
import type { Happening, Host, Outcome, Payload } from '../hook-event.ts';
import { objectField, own, textField } from '../payload-fields.ts';

const READERS: Readonly<Record<string, (payload: Payload) => Happening | null>> = {
  sessionStart: () => ({ kind: 'session_started' }),
  sessionEnd: () => ({ kind: 'session_ended' }),
  userPromptSubmitted: (payload) => {
    const text = textField(payload, 'prompt');
    return text === null ? null : { kind: 'prompt', text };
  },
  // The payload does not have the reply.
  agentStop: () => ({ kind: 'reply', text: '', outcome: 'ok' }),
  preToolUse: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_started', call };
  },
  postToolUse: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_ended', call, outcome: outcomeOf(payload), durationMs: null };
  },
  postToolUseFailure: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_ended', call, outcome: failureOf(own(payload, 'error')), durationMs: null };
  },
};

/** Copilot CLI: its payloads do not name their event and have no ids of calls and turns. As of version 1.0.102. */
export const copilotCli: Host = {
  read: (payload, given) => {
    const happening = given !== null && Object.hasOwn(READERS, given) ? READERS[given]?.(payload) : null;
    if (!happening || given === null) return null;
    const timestamp = own(payload, 'timestamp');
    return {
      ...happening,
      name: given,
      sessionId: textField(payload, 'sessionId'),
      turnId: null,
      stamp: typeof timestamp === 'number' ? String(timestamp) : null,
      cwd: textField(payload, 'cwd'),
    };
  },
  withContext: (_event, additionalContext) => ({ additionalContext }),
};

function callOf(payload: Payload) {
  const tool = textField(payload, 'toolName');
  return tool === null ? null : { id: null, tool, input: own(payload, 'toolArgs') };
}

function outcomeOf(payload: Payload): Outcome {
  const result = objectField(payload, 'toolResult') ?? {};
  const type = own(result, 'resultType');
  if (type === 'denied' || type === 'rejected') return 'cancelled';
  if (type === 'timeout') return 'timeout';
  return type === 'failure' || type === 'error' ? failureOf(own(result, 'textResultForLlm')) : 'ok';
}
