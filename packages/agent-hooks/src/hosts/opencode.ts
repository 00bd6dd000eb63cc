import { failureOf } from '../failure.ts';
import { millisecondsField, own, textField } from '../payload-fields.ts';
import { callOf, endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

const CALL = { tool: 'tool', id: 'callID', input: 'args' };

/** The events that our plugin sends, named after the events of the plugin interface of OpenCode. */
const READERS: HostForm['readers'] = {
  'session.created': () => ({ kind: 'session_started' }),
  'session.deleted': () => ({ kind: 'session_ended' }),
  'chat.message': (payload) => promptOf(textField(payload, 'text')),
  'session.idle': (payload) => ({ kind: 'reply', text: textField(payload, 'text') ?? '', outcome: 'ok' }),
  'session.error': (payload) => ({ kind: 'reply', text: '', outcome: failureOf(own(payload, 'error')) }),
  'tool.execute.before': (payload) => startedOf(callOf(payload, CALL)),
  'tool.execute.after': (payload) => {
    const error = textField(payload, 'error');
    const outcome = error === null ? 'ok' : failureOf(error);
    return endedOf(callOf(payload, CALL), outcome, millisecondsField(payload, 'duration_ms'));
  },
};

/** OpenCode, through the plugin that agent-faculties installs. The plugin interface is that of version 1.18.33. */
export const opencode = hostOf({
  readers: READERS,
  nameOf: (payload, given) => textField(payload, 'event') ?? given,
  originOf: (payload) => ({
    sessionId: textField(payload, 'sessionID'),
    turnId: textField(payload, 'messageID'),
    stamp: null,
    cwd: textField(payload, 'directory'),
  }),
  withContext: (_event, context) => ({ context }),
});
