import { failureOf } from '../failure.ts';
import type { Happening, Host, Payload } from '../hook-event.ts';
import { objectField, own, textField } from '../payload-fields.ts';
import { withContext } from './claude-dialect.ts';

const READERS: Readonly<Record<string, (payload: Payload) => Happening | null>> = {
  SessionStart: () => ({ kind: 'session_started' }),
  SessionEnd: () => ({ kind: 'session_ended' }),
  BeforeAgent: (payload) => {
    const text = textField(payload, 'prompt');
    return text === null ? null : { kind: 'prompt', text };
  },
  AfterAgent: (payload) => ({ kind: 'reply', text: textField(payload, 'prompt_response') ?? '', outcome: 'ok' }),
  BeforeTool: (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_started', call };
  },
  AfterTool: (payload) => {
    const call = callOf(payload);
    const error = own(objectField(payload, 'tool_response') ?? {}, 'error');
    const message = textField((error ?? {}) as Payload, 'message') ?? error;
    const outcome = error === undefined || error === null ? 'ok' : failureOf(message);
    return call && { kind: 'tool_ended', call, outcome, durationMs: null };
  },
};

/** Gemini CLI: other names of events, no ids of calls and turns. As of version 0.61.0 and its docs/hooks/reference.md. */
export const gemini: Host = {
  read: (payload, given) => {
    const name = textField(payload, 'hook_event_name') ?? given;
    const happening = name !== null && Object.hasOwn(READERS, name) ? READERS[name]?.(payload) : null;
    if (!happening || name === null) return null;
    return {
      ...happening,
      name,
      sessionId: textField(payload, 'session_id'),
      turnId: null,
      stamp: textField(payload, 'timestamp'),
      cwd: textField(payload, 'cwd'),
    };
  },
  withContext,
};

function callOf(payload: Payload) {
  const tool = textField(payload, 'tool_name');
  return tool === null ? null : { id: null, tool, input: own(payload, 'tool_input') };
}
