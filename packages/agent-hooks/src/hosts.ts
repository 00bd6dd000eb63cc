import type { Host } from './hook-event.ts';
import { claudeCode } from './hosts/claude-code.ts';
import { cline } from './hosts/cline.ts';
import { codex } from './hosts/codex.ts';
import { copilotCli } from './hosts/copilot-cli.ts';
import { cursor } from './hosts/cursor.ts';
import { gemini } from './hosts/gemini.ts';
import { opencode } from './hosts/opencode.ts';
import { vscode } from './hosts/vscode.ts';

/** The hosts, by their names in the path of a request. */
export const HOSTS = {
  'claude-code': claudeCode,
  codex,
  vscode,
  gemini,
  cursor,
  'copilot-cli': copilotCli,
  opencode,
  cline,
} as const satisfies Readonly<Record<string, Host>>;

export type HostName = keyof typeof HOSTS;

export const HOST_NAMES = Object.keys(HOSTS) as readonly HostName[];
