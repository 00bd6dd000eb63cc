import { describe, expect, test } from '@jest/globals';
import {
  callKey,
  callLikeness,
  HOST_NAMES,
  HOSTS,
  type HookEvent,
  type HostName,
  taskTypeOf,
  turnKey,
} from '../src/index.ts';
import { SAMPLES } from './payloads.ts';

const read = (host: HostName, kind: HookEvent['kind']): HookEvent => {
  const events = SAMPLES.filter((sample) => sample.host === host).map(({ payload, event }) =>
    HOSTS[host].read(payload, event),
  );
  const found = events.find((event) => event?.kind === kind);
  if (!found) throw new Error(`no ${kind} of ${host}`);
  return found;
};
const callOf = (event: HookEvent) => {
  if (event.kind !== 'tool_started' && event.kind !== 'tool_ended') throw new Error(event.kind);
  return event.call;
};

describe.each(HOST_NAMES)('%s', (host) => {
  test('tells what the user asked, where', () => {
    expect(read(host, 'prompt')).toMatchObject({ text: 'What is the node version?', cwd: '/home/ann/app' });
    expect(read(host, 'prompt').sessionId).toEqual(expect.any(String));
  });

  test('tells of a command by the program that it runs, at its start and at its end', () => {
    const [started, ended] = [read(host, 'tool_started'), read(host, 'tool_ended')];
    expect([taskTypeOf(callOf(started)), taskTypeOf(callOf(ended))]).toEqual(['node', 'node']);
    expect(ended).toMatchObject({ outcome: 'ok' });
    expect(callKey({ host, event: started }, callOf(started))).toBe(callKey({ host, event: ended }, callOf(ended)));
    expect(callLikeness({ host, event: started }, callOf(started))).toBe(
      callLikeness({ host, event: ended }, callOf(ended)),
    );
  });

  test('says the reply as far as it tells it', () => {
    const text = host === 'copilot-cli' ? '' : 'Done: the deploy window is Tuesday.';
    expect(read(host, 'reply')).toMatchObject({ text, outcome: 'ok' });
  });

  test('goes on at an event of no concern', () => {
    expect(HOSTS[host].read({ hook_event_name: 'Notification', message: 'x' }, 'Notification')).toBeNull();
    expect(HOSTS[host].read({}, null)).toBeNull();
    expect(HOSTS[host].read({}, '__proto__')).toBeNull();
  });
});

test.each([
  ['claude-code', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is late.' } }],
  ['codex', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is late.' } }],
  ['vscode', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is late.' } }],
  ['gemini', { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'It is late.' } }],
  ['cursor', { continue: true, additional_context: 'It is late.' }],
  ['copilot-cli', { additionalContext: 'It is late.' }],
  ['opencode', { context: 'It is late.' }],
  ['cline', { cancel: false, contextModification: 'It is late.' }],
] as const)('a context is put before a prompt of %s as the host reads it', (host, answer) => {
  expect(HOSTS[host].withContext(read(host, 'prompt'), 'It is late.')).toEqual(answer);
});

test('hosts that measure a call say how long it took', () => {
  const measured = HOST_NAMES.filter(
    (host) => (read(host, 'tool_ended') as { durationMs: number | null }).durationMs !== null,
  );
  expect(measured).toEqual(['claude-code', 'cursor', 'opencode', 'cline']);
});

test('hosts that name a turn tie the prompt to its reply', () => {
  const tied = HOST_NAMES.filter((host) => turnKey({ host, event: read(host, 'prompt') }) !== null);
  expect(tied).toEqual(['claude-code', 'codex', 'cursor', 'opencode']);
  for (const host of tied)
    expect(turnKey({ host, event: read(host, 'reply') })).toBe(turnKey({ host, event: read(host, 'prompt') }));
});

describe('what a host tells the model in the place of the user', () => {
  // As Claude Code 2.1.197 and Copilot CLI 1.0.102 sent them.
  const task = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>';
  const shell =
    '<system_notification>\nShell command "x" (shellId: 0) has completed successfully.\n</system_notification>';
  const asked = (host: HostName, text: string) => {
    const name = host === 'copilot-cli' ? 'userPromptSubmitted' : 'UserPromptSubmit';
    return HOSTS[host].read({ hook_event_name: name, prompt: text }, name);
  };

  test.each([
    ['claude-code', task],
    ['claude-code', `${task}\n${task}`],
    ['copilot-cli', shell],
  ] as const)('is no prompt in %s', (host, text) => {
    expect(asked(host, text)).toBeNull();
  });

  test('is left out of what the user writes beside it', () => {
    expect(asked('claude-code', `${task}\nAnd now deploy.`)).toMatchObject({ text: 'And now deploy.' });
    expect(asked('claude-code', ' Why <b>bold</b>? ')).toMatchObject({ text: ' Why <b>bold</b>? ' });
  });
});

describe('how a call failed', () => {
  const base = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't' };
  const failure = (fields: object) => {
    const payload = { ...base, hook_event_name: 'PostToolUseFailure', ...fields };
    return (HOSTS['claude-code'].read(payload, null) as { outcome: string }).outcome;
  };

  const gemini = (llmContent: string) => ({
    hook_event_name: 'AfterTool',
    tool_name: 'x',
    tool_response: { llmContent },
  });
  const cline = (output: unknown) => ({ hookName: 'tool_result', tool_result: { name: 'run_commands', output } });
  const opencode = (error: string) => ({ event: 'tool.execute.after', tool: 'bash', error });
  const copilot = (textResultForLlm: string) => ({
    toolName: 'bash',
    toolResult: { resultType: 'success', textResultForLlm },
  });

  test.each([
    ['error', { error: 'Exit code 1\n  1 failing: request timed out after 30 s'.padStart(500, '.') }],
    ['error', { error: 'Command failed with non-zero status code 3' }],
    ['error', { error: "Exit code 1\nerror: unknown option '--timeout'" }],
    ['timeout', { error: 'Command timed out after 2m 0s' }],
    // `timeout 60 npm test`
    ['timeout', { error: 'Exit code 124\n> test' }],
    ['error', { error: 'Exit code 1245' }],
    ['timeout', { error: 'Exit code 1\nError: context deadline exceeded' }],
    ['cancelled', { error: 'Interrupted', is_interrupt: true }],
    ['cancelled', { error: 'The tool use was rejected by the user' }],
    ['error', { error: { message: 'x' } }],
    ['error', {}],
  ])('is %s for %j', (outcome, fields) => {
    expect(failure(fields)).toBe(outcome);
  });

  test.each([
    ['cline', 'error', { hookName: 'tool_result', tool_result: { name: 'x', error: 'exit code 3' } }],
    [
      'cline',
      'timeout',
      { hookName: 'tool_result', tool_result: { name: 'x', error: 'Command timed out after 30 s' } },
    ],
    ['gemini', 'error', { hook_event_name: 'AfterTool', tool_name: 'x', tool_response: { error: { message: 'no' } } }],
    ['cursor', 'timeout', { hook_event_name: 'postToolUseFailure', tool_name: 'x', failure_type: 'timeout' }],
    [
      'gemini',
      'error',
      gemini('<untrusted_context>\nOutput: hi\nExit Code: 3\nProcess Group PGID: 2646\n</untrusted_context>'),
    ],
    ['gemini', 'timeout', gemini('<untrusted_context>\nOutput: hi\nExit Code: 124\nProcess Group PGID: 2646\n')],
    ['gemini', 'error', gemini('<untrusted_context>\nOutput: (empty)\nSignal: 9\nProcess Group PGID: 3043\n')],
    [
      'gemini',
      'timeout',
      gemini('<untrusted_context>\nCommand was automatically cancelled because it exceeded the timeout of 5.0 minutes'),
    ],
    ['gemini', 'cancelled', gemini('Command was cancelled by user before it could complete.')],
    ['gemini', 'ok', gemini('<untrusted_context>\nOutput: \nCommand was automatically cancelled\n')],
    ['gemini', 'ok', gemini('<untrusted_context>\nOutput: Exit Code: 3\nso it said\nProcess Group PGID: 7\n')],
    ['gemini', 'ok', gemini('<untrusted_context>\nOutput: hi\nExit Code: 0\nProcess Group PGID: 7\n')],
    [
      'gemini',
      'error',
      {
        ...gemini('Command injection detected: ...'),
        tool_response: { returnDisplay: 'Blocked: command substitution.' },
      },
    ],
    [
      'cline',
      'error',
      cline([
        { query: 'a', success: true },
        { query: 'b', error: 'Command exited with code 3', success: false },
      ]),
    ],
    ['cline', 'ok', cline([{ query: 'a', result: 'hi', success: true }])],
    ['opencode', 'timeout', opencode('\nshell tool terminated command after exceeding timeout 1500 ms. If this')],
    ['opencode', 'cancelled', opencode('\nUser aborted the command\n')],
    ['opencode', 'error', opencode('exit code 3')],
    ['opencode', 'timeout', opencode('exit code 124')],
    ['cline', 'timeout', cline([{ query: 'a', error: 'Command exited with code 124', success: false }])],
    ['vscode', 'timeout', { ...base, hook_event_name: 'PostToolUse', tool_response: { exit_code: 124 } }],
    ['vscode', 'error', { ...base, hook_event_name: 'PostToolUse', tool_response: { exit_code: 1 } }],
    ['copilot-cli', 'timeout', copilot('hi\n<shellId: 0 completed with exit code 124>')],
    ['copilot-cli', 'error', copilot('hi\n<shellId: 0 completed with exit code 3>')],
    ['copilot-cli', 'ok', copilot('<shellId: 0 completed with exit code 3>\n<shellId: 1 completed with exit code 0>')],
    ['copilot-cli', 'error', { toolName: 'x', toolResult: { resultType: 'failure' } }],
    ['copilot-cli', 'cancelled', { toolName: 'x', toolResult: { resultType: 'denied' } }],
  ] as const)('%s says %s', (host, outcome, payload) => {
    expect(HOSTS[host].read(payload, 'postToolUse')).toMatchObject({ outcome });
  });
});

describe('a call behind which something runs on', () => {
  const claude = (fields: object) => ({ session_id: 's', tool_name: 'Bash', tool_use_id: 't', ...fields });
  const command = { command: 'npm test' };

  test.each([
    ['claude-code', ['PreToolUse', 'PostToolUse'], claude({ tool_input: { ...command, run_in_background: true } })],
    ['gemini', ['BeforeTool', 'AfterTool'], claude({ tool_input: { ...command, is_background: true } })],
    ['cursor', ['preToolUse', 'postToolUse'], claude({ tool_input: { ...command, is_background: true } })],
    ['vscode', ['PreToolUse', 'PostToolUse'], claude({ tool_input: { ...command, isBackground: true } })],
    ['copilot-cli', ['preToolUse', 'postToolUse'], { toolName: 'bash', toolArgs: { ...command, mode: 'async' } }],
  ] as const)('is not told of where the input of %s asks for that', (host, names, payload) => {
    const events = names.map((hook_event_name) => HOSTS[host].read({ ...payload, hook_event_name }, hook_event_name));
    expect(events).toEqual([null, null]);
  });

  test('is told of where the same words mean something else', () => {
    const toolArgs = { mode: 'async', run_in_background: false };
    expect(HOSTS['copilot-cli'].read({ toolName: 'render', toolArgs }, 'preToolUse')).toMatchObject({
      kind: 'tool_started',
    });
  });

  test.each([
    [{ isAsync: true, status: 'async_launched', agentId: 'a1' }, null],
    [{ status: 'completed', content: [] }, 'ok'],
    [{ stdout: '', interrupted: false, backgroundTaskId: 'b1', backgroundedByUser: true }, 'cancelled'],
    [{ stdout: '', interrupted: false, backgroundTaskId: 'b1', assistantAutoBackgrounded: true }, 'timeout'],
  ])('ends by what Claude Code answers: %j', (tool_response, outcome) => {
    const payload = claude({ hook_event_name: 'PostToolUse', tool_input: command, tool_response, duration_ms: 9 });
    expect(HOSTS['claude-code'].read(payload, null)).toMatchObject({ kind: 'tool_ended', outcome, durationMs: 9 });
  });
});
