import { failureOf } from '../failure.ts';
import type { Outcome, Payload } from '../hook-event.ts';
import { objectField, own, textField } from '../payload-fields.ts';
import { callOf, endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

const CALL = { tool: 'toolName', id: null, input: 'toolArgs' };

const READERS: HostForm['readers'] = {
  sessionStart: () => ({ kind: 'session_started' }),
  sessionEnd: () => ({ kind: 'session_ended' }),
  userPromptSubmitted: (payload) => promptOf(textField(payload, 'prompt')),
  // The payload does not have the reply.
  agentStop: () => ({ kind: 'reply', text: '', outcome: 'ok' }),
  preToolUse: (payload) => startedOf(callOf(payload, CALL)),
  postToolUse: (payload) => endedOf(callOf(payload, CALL), outcomeOf(payload), null),
  postToolUseFailure: (payload) => endedOf(callOf(payload, CALL), failureOf(own(payload, 'error')), null),
};

/** Copilot CLI: its payloads do not name their event and have no ids of calls and turns. As of version 1.0.102. */
export const copilotCli = hostOf({
  readers: READERS,
  nameOf: (_payload, given) => given,
  originOf: (payload) => {
    const timestamp = own(payload, 'timestamp');
    return {
      sessionId: textField(payload, 'sessionId'),
      turnId: null,
      stamp: typeof timestamp === 'number' ? String(timestamp) : null,
      cwd: textField(payload, 'cwd'),
    };
  },
  withContext: (_event, additionalContext) => ({ additionalContext }),
});

/** The end of what its shell answers, also where the command failed and the type of the result is a success. */
const EXITED = /<shellId: [^<>\n]{1,100} completed with exit code (\d{1,10})>\s*$/;

function outcomeOf(payload: Payload): Outcome {
  const result = objectField(payload, 'toolResult') ?? {};
  const type = own(result, 'resultType');
  const exitCode = EXITED.exec(textField(result, 'textResultForLlm') ?? '')?.[1] ?? '0';
  if (Number(exitCode) !== 0) return failureOf(`exit code ${Number(exitCode)}`);
  if (type === 'denied' || type === 'rejected') return 'cancelled';
  if (type === 'timeout') return 'timeout';
  return type === 'failure' || type === 'error' ? failureOf(own(result, 'textResultForLlm')) : 'ok';
}
