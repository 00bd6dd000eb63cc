import { failureOf } from '../failure.ts';
import type { Happening, HookEvent, Host, Outcome, Payload } from '../hook-event.ts';
import { millisecondsField, objectField, own, textField } from '../payload-fields.ts';

/** The events of the dialect that Claude Code introduced and other hosts use. A host may send only some of them. */
const READERS: Readonly<Record<string, (payload: Payload) => Happening | null>> = {
  SessionStart: () => ({ kind: 'session_started' }),
  SessionEnd: () => ({ kind: 'session_ended' }),
  UserPromptSubmit: (payload) => {
    const text = textField(payload, 'prompt');
    return text === null ? null : { kind: 'prompt', text };
  },
  Stop: (payload) => ({ kind: 'reply', text: textField(payload, 'last_assistant_message') ?? '', outcome: 'ok' }),
  StopFailure: (payload) => ({ kind: 'reply', text: '', outcome: failureOf(own(payload, 'error')) }),
  Interrupt: () => ({ kind: 'reply', text: '', outcome: 'cancelled' }),
  PreToolUse: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_started', call };
  },
  PostToolUse: (payload) => ended(payload, outcomeOfResponse(own(payload, 'tool_response'))),
  PostToolUseFailure: (payload) =>
    ended(payload, own(payload, 'is_interrupt') === true ? 'cancelled' : failureOf(own(payload, 'error'))),
};

/** A host that speaks the dialect. */
export const claudeDialect: Host = {
  read: (payload, given) => {
    const name = textField(payload, 'hook_event_name') ?? given;
    const happening = name !== null && Object.hasOwn(READERS, name) ? READERS[name]?.(payload) : null;
    if (!happening || name === null) return null;
    return {
      ...happening,
      name,
      sessionId: textField(payload, 'session_id'),
      turnId: textField(payload, 'prompt_id') ?? textField(payload, 'turn_id'),
      stamp: textField(payload, 'timestamp'),
      cwd: textField(payload, 'cwd'),
    };
  },
  withContext,
};

/** The context belongs in `hookSpecificOutput`, with the name of the event; hosts read it nowhere else. */
export function withContext({ name }: HookEvent, additionalContext: string): Payload {
  return { hookSpecificOutput: { hookEventName: name, additionalContext } };
}

function callOf(payload: Payload) {
  const tool = textField(payload, 'tool_name');
  return tool === null ? null : { id: textField(payload, 'tool_use_id'), tool, input: own(payload, 'tool_input') };
}

function ended(payload: Payload, outcome: Outcome): Happening | null {
  const call = callOf(payload);
  return call && { kind: 'tool_ended', call, outcome, durationMs: millisecondsField(payload, 'duration_ms') };
}

/** Hosts without an event for failures report them in the response of the tool. */
function outcomeOfResponse(response: unknown): Outcome {
  if (typeof response !== 'object' || response === null) return 'ok';
  const fields = response as Payload;
  if (own(fields, 'interrupted') === true) return 'cancelled';
  const error = own(fields, 'error') ?? (own(fields, 'is_error') === true ? own(fields, 'content') : undefined);
  if (typeof error === 'string' && error !== '') return failureOf(error);
  const exitCode = own(fields, 'exit_code') ?? own(objectField(fields, 'metadata') ?? {}, 'exit_code');
  return error === true || own(fields, 'is_error') === true || (typeof exitCode === 'number' && exitCode !== 0)
    ? 'error'
    : 'ok';
}
