import { failureOf } from '../failure.ts';
import type { Happening, Host, Payload } from '../hook-event.ts';
import { millisecondsField, own, textField } from '../payload-fields.ts';

/** The events that our plugin sends, named after the events of the plugin interface of OpenCode. */
const READERS: Readonly<Record<string, (payload: Payload) => Happening | null>> = {
  'session.created': () => ({ kind: 'session_started' }),
  'session.deleted': () => ({ kind: 'session_ended' }),
  'chat.message': (payload) => {
    const text = textField(payload, 'text');
    return text === null ? null : { kind: 'prompt', text };
  },
  'session.idle': (payload) => ({ kind: 'reply', text: textField(payload, 'text') ?? '', outcome: 'ok' }),
  'session.error': (payload) => ({ kind: 'reply', text: '', outcome: failureOf(own(payload, 'error')) }),
  'tool.execute.before': (payload) => {
    const call = callOf(payload);
    return call && { kind: 'tool_started', call };
  },
  'tool.execute.after': (payload) => {
    const call = callOf(payload);
    const error = textField(payload, 'error');
    const outcome = error === null ? 'ok' : failureOf(error);
    return call && { kind: 'tool_ended', call, outcome, durationMs: millisecondsField(payload, 'duration_ms') };
  },
};

/** OpenCode, through the plugin that agent-faculties installs. The plugin interface is that of version 1.18.33. */
export const opencode: Host = {
  read: (payload, given) => {
    const name = textField(payload, 'event') ?? given;
    const happening = name !== null && Object.hasOwn(READERS, name) ? READERS[name]?.(payload) : null;
    if (!happening || name === null) return null;
    return {
      ...happening,
      name,
      sessionId: textField(payload, 'sessionID'),
      turnId: textField(payload, 'messageID'),
      stamp: null,
      cwd: textField(payload, 'directory'),
    };
  },
  withContext: (_event, context) => ({ context }),
};

function callOf(payload: Payload) {
  const tool = textField(payload, 'tool');
  return tool === null ? null : { id: textField(payload, 'callID'), tool, input: own(payload, 'args') };
}
