import { failureOf } from '../failure.ts';
import type { Happening, Host, Outcome, Payload } from '../hook-event.ts';
import { firstText, millisecondsField, own, textField } from '../payload-fields.ts';

const READERS: Readonly<Record<string, (payload: Payload) => Happening | null>> = {
  sessionStart: () => ({ kind: 'session_started' }),
  sessionEnd: () => ({ kind: 'session_ended' }),
  beforeSubmitPrompt: (payload) => {
    const text = textField(payload, 'prompt');
    return text === null ? null : { kind: 'prompt', text };
  },
  afterAgentResponse: (payload) => ({ kind: 'reply', text: textField(payload, 'text') ?? '', outcome: 'ok' }),
  preToolUse: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_started', call };
  },
  postToolUse: (payload) => ended(payload, 'ok'),
  postToolUseFailure: (payload) => ended(payload, failureOfType(payload)),
};

/** Cursor: camel case, `conversation_id`, the roots of the workspace. From its documentation of hooks. */
export const cursor: Host = {
  read: (payload, given) => {
    const name = textField(payload, 'hook_event_name') ?? given;
    const happening = name !== null && Object.hasOwn(READERS, name) ? READERS[name]?.(payload) : null;
    if (!happening || name === null) return null;
    return {
      ...happening,
      name,
      sessionId: textField(payload, 'conversation_id') ?? textField(payload, 'session_id'),
      turnId: textField(payload, 'generation_id'),
      stamp: null,
      cwd: textField(payload, 'cwd') ?? firstText(payload, 'workspace_roots'),
    };
  },
  // Older versions ignore this field, so they put no context before a prompt.
  withContext: (_event, context) => ({ continue: true, additional_context: context }),
};

function callOf(payload: Payload) {
  const tool = textField(payload, 'tool_name');
  return tool === null ? null : { id: textField(payload, 'tool_use_id'), tool, input: own(payload, 'tool_input') };
}

function ended(payload: Payload, outcome: Outcome): Happening | null {
  const call = callOf(payload);
  return call && { kind: 'tool_ended', call, outcome, durationMs: millisecondsField(payload, 'duration') };
}

function failureOfType(payload: Payload): Outcome {
  if (own(payload, 'is_interrupt') === true) return 'cancelled';
  const type = own(payload, 'failure_type');
  return type === 'timeout' ? 'timeout' : failureOf(own(payload, 'error_message'));
}
