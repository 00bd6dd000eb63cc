import { failureOf } from '../failure.ts';
import type { Happening, HookEvent, Outcome, Payload } from '../hook-event.ts';
import { millisecondsField, objectField, own, textField } from '../payload-fields.ts';
import { callOf, endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

const CALL = { tool: 'tool_name', id: 'tool_use_id', input: 'tool_input' };

/** The events of the dialect that Claude Code introduced and other hosts use. A host may send only some of them. */
const READERS: HostForm['readers'] = {
  SessionStart: () => ({ kind: 'session_started' }),
  SessionEnd: () => ({ kind: 'session_ended' }),
  UserPromptSubmit: (payload) => promptOf(textField(payload, 'prompt')),
  Stop: (payload) => ({ kind: 'reply', text: textField(payload, 'last_assistant_message') ?? '', outcome: 'ok' }),
  StopFailure: (payload) => ({ kind: 'reply', text: '', outcome: failureOf(own(payload, 'error')) }),
  Interrupt: () => ({ kind: 'reply', text: '', outcome: 'cancelled' }),
  PreToolUse: (payload) => startedOf(callOf(payload, CALL)),
  PostToolUse: (payload) => ended(payload, outcomeOfResponse(own(payload, 'tool_response'))),
  PostToolUseFailure: (payload) =>
    ended(payload, own(payload, 'is_interrupt') === true ? 'cancelled' : failureOf(own(payload, 'error'))),
};

/** A host that speaks the dialect. */
export const claudeDialect = hostOf({
  readers: READERS,
  nameOf: (payload, given) => textField(payload, 'hook_event_name') ?? given,
  originOf: (payload) => ({
    sessionId: textField(payload, 'session_id'),
    turnId: textField(payload, 'prompt_id') ?? textField(payload, 'turn_id'),
    stamp: textField(payload, 'timestamp'),
    cwd: textField(payload, 'cwd'),
  }),
  withContext,
});

/** The context belongs in `hookSpecificOutput`, with the name of the event; hosts read it nowhere else. */
export function withContext({ name }: HookEvent, additionalContext: string): Payload {
  return { hookSpecificOutput: { hookEventName: name, additionalContext } };
}

function ended(payload: Payload, outcome: Outcome | null): Happening | null {
  return endedOf(callOf(payload, CALL), outcome, millisecondsField(payload, 'duration_ms'));
}

/** What Claude Code answers where it has started an agent that works on behind the call. */
const LAUNCHED: ReadonlySet<unknown> = new Set(['async_launched', 'remote_launched', 'teammate_spawned']);

/** Hosts without an event for failures report them in the response of the tool. */
function outcomeOfResponse(response: unknown): Outcome | null {
  if (typeof response !== 'object' || response === null) return 'ok';
  const fields = response as Payload;
  if (LAUNCHED.has(own(fields, 'status'))) return null;
  // A command that was waited for and then moved to the background: by the user, or because the wait took too long.
  if (textField(fields, 'backgroundTaskId') !== null) {
    return own(fields, 'backgroundedByUser') === true ? 'cancelled' : 'timeout';
  }
  if (own(fields, 'interrupted') === true) return 'cancelled';
  const error = own(fields, 'error') ?? (own(fields, 'is_error') === true ? own(fields, 'content') : undefined);
  if (typeof error === 'string' && error !== '') return failureOf(error);
  const exitCode = own(fields, 'exit_code') ?? own(objectField(fields, 'metadata') ?? {}, 'exit_code');
  if (typeof exitCode === 'number' && exitCode !== 0) return failureOf(`exit code ${exitCode}`);
  return error === true || own(fields, 'is_error') === true ? 'error' : 'ok';
}
