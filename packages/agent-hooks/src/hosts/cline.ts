import { failureOf } from '../failure.ts';
import type { Payload } from '../hook-event.ts';
import { firstText, millisecondsField, objectField, own, textField } from '../payload-fields.ts';
import { endedOf, type HostForm, hostOf, promptOf, startedOf } from './host-form.ts';

/** Readers by the name of the file that Cline starts, and by the name in the payload of newer versions. */
const READERS: HostForm['readers'] = {
  TaskStart: () => ({ kind: 'session_started' }),
  UserPromptSubmit: (payload) => promptOf(textField(objectField(payload, 'userPromptSubmit') ?? {}, 'prompt')),
  TaskComplete: (payload) => {
    const text = textField(objectField(payload, 'turn') ?? {}, 'outputText');
    return { kind: 'reply', text: text ?? '', outcome: 'ok' };
  },
  TaskCancel: () => ({ kind: 'reply', text: '', outcome: 'cancelled' }),
  TaskError: (payload) => ({
    kind: 'reply',
    text: '',
    outcome: failureOf(own(objectField(payload, 'error') ?? {}, 'message')),
  }),
  PreToolUse: (payload) => startedOf(callIn(payload, { now: 'tool_call', before: 'preToolUse' })),
  PostToolUse: (payload) => {
    const call = callIn(payload, { now: 'tool_result', before: 'postToolUse' });
    const record = objectField(payload, 'tool_result') ?? {};
    const result = objectField(payload, 'postToolUse') ?? {};
    const error = textField(record, 'error') ?? failureIn(own(record, 'output'));
    const failed = own(result, 'success') === false || error !== null;
    const outcome = failed ? failureOf(error ?? own(result, 'result')) : 'ok';
    const durationMs = millisecondsField(record, 'durationMs') ?? millisecondsField(result, 'executionTimeMs');
    return endedOf(call, outcome, durationMs);
  },
  SessionShutdown: () => ({ kind: 'session_ended' }),
};

const FILE_NAMES: Readonly<Record<string, string>> = {
  agent_start: 'TaskStart',
  prompt_submit: 'UserPromptSubmit',
  agent_end: 'TaskComplete',
  agent_abort: 'TaskCancel',
  agent_error: 'TaskError',
  tool_call: 'PreToolUse',
  tool_result: 'PostToolUse',
  session_shutdown: 'SessionShutdown',
};

/** Cline: executables named after the event; `contextModification`. As of version 3.0.65 and @cline/shared. */
export const cline = hostOf({
  readers: READERS,
  nameOf: (payload, given) => {
    const said = textField(payload, 'hookName') ?? given;
    return said !== null && Object.hasOwn(FILE_NAMES, said) ? (FILE_NAMES[said] ?? null) : said;
  },
  originOf: (payload) => ({
    sessionId: textField(payload, 'taskId'),
    turnId: null,
    stamp: textField(payload, 'timestamp'),
    cwd: firstText(payload, 'workspaceRoots'),
  }),
  withContext: (_event, contextModification) => ({ cancel: false, contextModification }),
});

/** Of the commands of one call, which is a success all the same, the first that failed; null where none did. */
function failureIn(output: unknown): string | null {
  const results = Array.isArray(output) ? output.filter((one) => typeof one === 'object' && one !== null) : [];
  const failed = results.find((one) => own(one, 'success') === false);
  return failed ? (textField(failed, 'error') ?? '') : null;
}

function callIn(payload: Payload, { now, before }: { now: string; before: string }) {
  const record = objectField(payload, now);
  const tool = record && textField(record, 'name');
  if (record && tool) return { id: textField(record, 'id'), tool, input: own(record, 'input') };
  const older = objectField(payload, before) ?? {};
  const olderTool = textField(older, 'toolName') ?? textField(older, 'tool');
  return olderTool === null ? null : { id: null, tool: olderTool, input: own(older, 'parameters') };
}
