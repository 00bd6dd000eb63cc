import { failureOf } from '../failure.ts';
import type { Happening, Outcome, Payload } from '../hook-event.ts';
import { firstText, millisecondsField, own, textField } from '../payload-fields.ts';
import { callOf, endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

const CALL = { tool: 'tool_name', id: 'tool_use_id', input: 'tool_input' };

const READERS: HostForm['readers'] = {
  sessionStart: () => ({ kind: 'session_started' }),
  sessionEnd: () => ({ kind: 'session_ended' }),
  beforeSubmitPrompt: (payload) => promptOf(textField(payload, 'prompt')),
  afterAgentResponse: (payload) => ({ kind: 'reply', text: textField(payload, 'text') ?? '', outcome: 'ok' }),
  preToolUse: (payload) => startedOf(callOf(payload, CALL)),
  postToolUse: (payload) => ended(payload, 'ok'),
  postToolUseFailure: (payload) => ended(payload, failureOfType(payload)),
};

/** Cursor: camel case, `conversation_id`, the roots of the workspace. From its documentation of hooks. */
export const cursor = hostOf({
  readers: READERS,
  nameOf: (payload, given) => textField(payload, 'hook_event_name') ?? given,
  originOf: (payload) => ({
    sessionId: textField(payload, 'conversation_id') ?? textField(payload, 'session_id'),
    turnId: textField(payload, 'generation_id'),
    stamp: null,
    cwd: textField(payload, 'cwd') ?? firstText(payload, 'workspace_roots'),
  }),
  // Older versions ignore this field, so they put no context before a prompt.
  withContext: (_event, context) => ({ continue: true, additional_context: context }),
});

function ended(payload: Payload, outcome: Outcome): Happening | null {
  return endedOf(callOf(payload, CALL), outcome, millisecondsField(payload, 'duration'));
}

function failureOfType(payload: Payload): Outcome {
  if (own(payload, 'is_interrupt') === true) return 'cancelled';
  const type = own(payload, 'failure_type');
  return type === 'timeout' ? 'timeout' : failureOf(own(payload, 'error_message'));
}
