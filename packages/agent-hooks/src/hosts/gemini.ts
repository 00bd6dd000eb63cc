import { failureOf } from '../failure.ts';
import type { Payload } from '../hook-event.ts';
import { objectField, own, textField } from '../payload-fields.ts';
import { withContext } from './claude-dialect.ts';
import { callOf, endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

const CALL = { tool: 'tool_name', id: null, input: 'tool_input' };

const READERS: HostForm['readers'] = {
  SessionStart: () => ({ kind: 'session_started' }),
  SessionEnd: () => ({ kind: 'session_ended' }),
  BeforeAgent: (payload) => promptOf(textField(payload, 'prompt')),
  AfterAgent: (payload) => ({ kind: 'reply', text: textField(payload, 'prompt_response') ?? '', outcome: 'ok' }),
  BeforeTool: (payload) => startedOf(callOf(payload, CALL)),
  AfterTool: (payload) => {
    const error = own(objectField(payload, 'tool_response') ?? {}, 'error');
    const message = textField((error ?? {}) as Payload, 'message') ?? error;
    const outcome = error === undefined || error === null ? 'ok' : failureOf(message);
    return endedOf(callOf(payload, CALL), outcome, null);
  },
};

/** Gemini CLI: other names of events, no ids of calls and turns. As of version 0.61.0 and its docs/hooks/reference.md. */
export const gemini = hostOf({
  readers: READERS,
  nameOf: (payload, given) => textField(payload, 'hook_event_name') ?? given,
  originOf: (payload) => ({
    sessionId: textField(payload, 'session_id'),
    turnId: null,
    stamp: textField(payload, 'timestamp'),
    cwd: textField(payload, 'cwd'),
  }),
  withContext,
});
