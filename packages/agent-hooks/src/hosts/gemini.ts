import { failureOf } from '../failure.ts';
import type { Outcome, Payload } from '../hook-event.ts';
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
  AfterTool: (payload) => endedOf(callOf(payload, CALL), outcomeOf(objectField(payload, 'tool_response') ?? {}), null),
};

/** The lines behind the output of its shell. */
const BEHIND_OUTPUT = /^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): |^<\/untrusted_context>$/;
const FAILED = /^(?:Exit Code: (?!0+$)|Signal: )/;

/** In the place of `Output: `. */
const ENDED_BY_HOST = /^(?:<untrusted_context>\n)?Command was (?:automatically )?cancelled\b/;

/** A command that failed, or that was not run, is no error to Gemini CLI. */
function outcomeOf(response: Payload): Outcome {
  const error = own(response, 'error');
  if (error !== undefined && error !== null) {
    return failureOf(textField(error as Payload, 'message') ?? error);
  }
  if (textField(response, 'returnDisplay')?.startsWith('Blocked: ')) return 'error';
  const told = textField(response, 'llmContent') ?? '';
  if (ENDED_BY_HOST.test(told)) return failureOf(told);
  const lines = told.trimEnd().split('\n');
  const output = lines.findLastIndex((line) => !BEHIND_OUTPUT.test(line));
  const failed = lines.slice(output + 1).find((line) => FAILED.test(line));
  return failed === undefined ? 'ok' : failureOf(failed);
}

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
