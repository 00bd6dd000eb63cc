import type { HostName } from '../src/index.ts';

interface Sample {
  readonly host: HostName;
  /** How the hook was registered, which is all that some hosts say of the event. */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const CLAUDE = {
  session_id: '29c4117c-39cc-4fda-b0a5-219442d29e51',
  transcript_path: '/home/ann/.claude/projects/-home-ann-app/29c4117c.jsonl',
  cwd: '/home/ann/app',
};
const CLAUDE_TURN = { ...CLAUDE, prompt_id: '2304a795-e4e2-41ee-9851-6af97f472e1d', permission_mode: 'default' };
const CLAUDE_BASH = {
  tool_name: 'Bash',
  tool_input: { command: 'node --version', description: 'Says the version' },
  tool_use_id: 'toolu_1',
};
const CODEX = {
  session_id: '01a202cb-54e4-7782-a292-db8cd65a7a7d',
  turn_id: '01a202cb-54fc-77c0-8150-fd77982fb207',
  transcript_path: '/home/ann/.codex/sessions/2026/11/22/rollout-2026-11-22T10-26-49-01a202cb.jsonl',
  cwd: '/home/ann/app',
  model: 'stand-in',
  permission_mode: 'bypassPermissions',
};
const GEMINI = {
  session_id: '49b8e052-346a-4feb-a0f2-274e4a31a9d3',
  transcript_path: '/home/ann/.gemini/tmp/app/chats/session-2026-11-22T10-26-49b8e052.jsonl',
  cwd: '/home/ann/app',
};
const COPILOT = { sessionId: '3256aa38-fc6c-4d1e-9660-1b5c334a07b3', cwd: '/home/ann/app' };
const COPILOT_BASH = {
  toolName: 'bash',
  toolArgs: { command: 'node --version', description: 'Says the version' },
};
const CLINE = {
  clineVersion: '',
  taskId: 'conv_1795343447961_gxccnkk',
  sessionContext: { rootSessionId: '1795343447812_962kv' },
  workspaceRoots: ['/home/ann/app'],
  workspaceInfo: { rootPath: '/home/ann/app', hint: 'app' },
  userId: 'unknown',
  agent_id: 'agent_1795343447925_78jybo',
  parent_agent_id: null,
};
const CURSOR = {
  conversation_id: '668320d2-2fd8-4888-b33c-2a466fec86e7',
  generation_id: '490b90b7-a2ce-4c2c-bb76-cb77b125df2f',
  model: 'stand-in',
  workspace_roots: ['/home/ann/app'],
};

/**
 * What hosts send. claude-code, codex, gemini, copilot-cli and cline: recorded from the installed programs (versions at the top
 * of src/hosts/*), which scripts/hosts/drive.mjs repeats; paths were shortened. cursor: as its documentation of hooks lists the fields.
 * vscode: by its documentation of 2026-10-14 it sends what Claude Code does. opencode: what our plugin sends.
 */
export const SAMPLES: readonly Sample[] = [
  {
    host: 'claude-code',
    event: 'SessionStart',
    payload: { ...CLAUDE, hook_event_name: 'SessionStart', source: 'startup' },
  },
  {
    host: 'claude-code',
    event: 'UserPromptSubmit',
    payload: { ...CLAUDE_TURN, hook_event_name: 'UserPromptSubmit', prompt: 'What is the node version?' },
  },
  {
    host: 'claude-code',
    event: 'PreToolUse',
    payload: { ...CLAUDE_TURN, effort: { level: 'high' }, hook_event_name: 'PreToolUse', ...CLAUDE_BASH },
  },
  {
    host: 'claude-code',
    event: 'PostToolUse',
    payload: {
      ...CLAUDE_TURN,
      effort: { level: 'high' },
      hook_event_name: 'PostToolUse',
      ...CLAUDE_BASH,
      tool_response: { stdout: 'v20.20.2', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      duration_ms: 241,
    },
  },
  {
    host: 'claude-code',
    event: 'Stop',
    payload: {
      ...CLAUDE_TURN,
      effort: { level: 'high' },
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'Done: the deploy window is Tuesday.',
      background_tasks: [],
      session_crons: [],
    },
  },
  {
    host: 'claude-code',
    event: 'SessionEnd',
    payload: { ...CLAUDE, hook_event_name: 'SessionEnd', reason: 'other' },
  },
  {
    host: 'codex',
    event: 'UserPromptSubmit',
    payload: { ...CODEX, hook_event_name: 'UserPromptSubmit', prompt: 'What is the node version?' },
  },
  {
    host: 'codex',
    event: 'PreToolUse',
    payload: {
      ...CODEX,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'node --version' },
      tool_use_id: 'call_6',
    },
  },
  {
    host: 'codex',
    event: 'PostToolUse',
    payload: {
      ...CODEX,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'node --version' },
      tool_response: 'v20.20.2\n',
      tool_use_id: 'call_6',
    },
  },
  {
    host: 'codex',
    event: 'Stop',
    payload: {
      ...CODEX,
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'Done: the deploy window is Tuesday.',
    },
  },
  {
    host: 'gemini',
    event: 'BeforeAgent',
    payload: {
      ...GEMINI,
      hook_event_name: 'BeforeAgent',
      timestamp: '2026-11-22T10:26:58.279Z',
      prompt: 'What is the node version?',
    },
  },
  {
    host: 'gemini',
    event: 'BeforeTool',
    payload: {
      ...GEMINI,
      hook_event_name: 'BeforeTool',
      timestamp: '2026-11-22T10:26:59.654Z',
      tool_name: 'run_shell_command',
      tool_input: { command: 'node --version', description: 'Says the version' },
    },
  },
  {
    host: 'gemini',
    event: 'AfterTool',
    payload: {
      ...GEMINI,
      hook_event_name: 'AfterTool',
      timestamp: '2026-11-22T10:27:00.405Z',
      tool_name: 'run_shell_command',
      tool_input: { command: 'node --version', description: 'Says the version' },
      tool_response: {
        llmContent: '<untrusted_context>\nOutput: v20.20.2\nProcess Group PGID: 14994\n</untrusted_context>',
        returnDisplay: 'v20.20.2',
      },
    },
  },
  {
    host: 'gemini',
    event: 'AfterAgent',
    payload: {
      ...GEMINI,
      hook_event_name: 'AfterAgent',
      timestamp: '2026-11-22T10:27:02.255Z',
      prompt: 'What is the node version?',
      prompt_response: 'Done: the deploy window is Tuesday.',
      stop_hook_active: false,
    },
  },
  {
    host: 'copilot-cli',
    event: 'userPromptSubmitted',
    payload: { ...COPILOT, timestamp: 1795343305185, prompt: 'What is the node version?' },
  },
  {
    host: 'copilot-cli',
    event: 'preToolUse',
    payload: { ...COPILOT, timestamp: 1795343305720, ...COPILOT_BASH },
  },
  {
    host: 'copilot-cli',
    event: 'postToolUse',
    payload: {
      ...COPILOT,
      timestamp: 1795343305983,
      ...COPILOT_BASH,
      toolResult: { resultType: 'success', textResultForLlm: 'v20.20.2\n<shellId: 0 completed with exit code 0>' },
    },
  },
  {
    host: 'copilot-cli',
    event: 'agentStop',
    payload: {
      ...COPILOT,
      timestamp: 1795343443214,
      transcriptPath: '/home/ann/.copilot/session-state/3256aa38/events.jsonl',
      stopReason: 'end_turn',
      stop_hook_active: false,
    },
  },
  {
    host: 'cline',
    event: 'UserPromptSubmit',
    payload: {
      ...CLINE,
      timestamp: '2026-11-22T10:30:47.900Z',
      hookName: 'prompt_submit',
      userPromptSubmit: { prompt: 'What is the node version?', attachments: [] },
    },
  },
  {
    host: 'cline',
    event: 'PreToolUse',
    payload: {
      ...CLINE,
      timestamp: '2026-11-22T10:30:48.297Z',
      hookName: 'tool_call',
      iteration: 1,
      tool_call: { id: 'call_5', name: 'run_commands', input: { commands: ['node --version'] } },
      preToolUse: { toolName: 'run_commands', parameters: { commands: '["node --version"]' } },
    },
  },
  {
    host: 'cline',
    event: 'PostToolUse',
    payload: {
      ...CLINE,
      timestamp: '2026-11-22T10:30:48.670Z',
      hookName: 'tool_result',
      iteration: 1,
      tool_result: {
        id: 'call_5',
        name: 'run_commands',
        input: { commands: ['node --version'] },
        output: [{ query: 'node --version', result: 'v20.20.2\n', success: true }],
        durationMs: 12,
        startedAt: '2026-11-22T10:30:48.658Z',
        endedAt: '2026-11-22T10:30:48.670Z',
      },
      postToolUse: {
        toolName: 'run_commands',
        parameters: { commands: '["node --version"]' },
        result: '[{"query":"node --version","result":"v20.20.2\\n","success":true}]',
        success: true,
        executionTimeMs: 12,
      },
    },
  },
  {
    host: 'cline',
    event: 'TaskComplete',
    payload: {
      ...CLINE,
      timestamp: '2026-11-22T10:30:49.177Z',
      hookName: 'agent_end',
      iteration: 2,
      turn: { outputText: 'Done: the deploy window is Tuesday.', status: 'completed' },
      taskComplete: { taskMetadata: {} },
    },
  },
  {
    host: 'cursor',
    event: 'beforeSubmitPrompt',
    payload: {
      ...CURSOR,
      hook_event_name: 'beforeSubmitPrompt',
      prompt: 'What is the node version?',
      attachments: [],
    },
  },
  {
    host: 'cursor',
    event: 'preToolUse',
    payload: {
      ...CURSOR,
      hook_event_name: 'preToolUse',
      tool_name: 'Shell',
      tool_input: { command: 'node --version' },
      tool_use_id: 'abc123',
      cwd: '/home/ann/app',
    },
  },
  {
    host: 'cursor',
    event: 'postToolUse',
    payload: {
      ...CURSOR,
      hook_event_name: 'postToolUse',
      tool_name: 'Shell',
      tool_input: { command: 'node --version' },
      tool_output: '{"exitCode":0,"stdout":"v20.20.2"}',
      tool_use_id: 'abc123',
      cwd: '/home/ann/app',
      duration: 241,
    },
  },
  {
    host: 'cursor',
    event: 'afterAgentResponse',
    payload: { ...CURSOR, hook_event_name: 'afterAgentResponse', text: 'Done: the deploy window is Tuesday.' },
  },
  {
    host: 'vscode',
    event: 'UserPromptSubmit',
    payload: {
      timestamp: '2026-11-22T10:30:47.900Z',
      session_id: 'b7d1',
      cwd: '/home/ann/app',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'What is the node version?',
    },
  },
  {
    host: 'vscode',
    event: 'PreToolUse',
    payload: {
      timestamp: '2026-11-22T10:30:48.297Z',
      session_id: 'b7d1',
      cwd: '/home/ann/app',
      hook_event_name: 'PreToolUse',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'node --version', isBackground: false },
      tool_use_id: 'call_9',
    },
  },
  {
    host: 'vscode',
    event: 'PostToolUse',
    payload: {
      timestamp: '2026-11-22T10:30:48.670Z',
      session_id: 'b7d1',
      cwd: '/home/ann/app',
      hook_event_name: 'PostToolUse',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'node --version', isBackground: false },
      tool_use_id: 'call_9',
      tool_response: 'v20.20.2',
    },
  },
  {
    host: 'vscode',
    event: 'Stop',
    payload: {
      timestamp: '2026-11-22T10:30:49.177Z',
      session_id: 'b7d1',
      cwd: '/home/ann/app',
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'Done: the deploy window is Tuesday.',
    },
  },
  {
    host: 'opencode',
    event: 'chat.message',
    payload: {
      event: 'chat.message',
      sessionID: 'ses_dfd33c122ffeasrlCDp1wfFhzl',
      messageID: 'msg_202cc3f76001h5pcDcujngwxT5',
      directory: '/home/ann/app',
      text: 'What is the node version?',
    },
  },
  {
    host: 'opencode',
    event: 'tool.execute.before',
    payload: {
      event: 'tool.execute.before',
      sessionID: 'ses_dfd33c122ffeasrlCDp1wfFhzl',
      directory: '/home/ann/app',
      tool: 'bash',
      callID: 'call_11',
      args: { command: 'node --version' },
    },
  },
  {
    host: 'opencode',
    event: 'tool.execute.after',
    payload: {
      event: 'tool.execute.after',
      sessionID: 'ses_dfd33c122ffeasrlCDp1wfFhzl',
      directory: '/home/ann/app',
      tool: 'bash',
      callID: 'call_11',
      args: { command: 'node --version' },
      duration_ms: 241,
    },
  },
  {
    host: 'opencode',
    event: 'session.idle',
    payload: {
      event: 'session.idle',
      sessionID: 'ses_dfd33c122ffeasrlCDp1wfFhzl',
      messageID: 'msg_202cc3f76001h5pcDcujngwxT5',
      directory: '/home/ann/app',
      text: 'Done: the deploy window is Tuesday.',
    },
  },
];
