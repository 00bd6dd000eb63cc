import type { Payload, ToolCall } from './hook-event.ts';
import { own } from './payload-fields.ts';
import { isShell } from './task-type.ts';

/** With one of these a call is made in the background: by Claude Code; by Gemini CLI and Cursor; by VS Code. */
const FLAGS = ['run_in_background', 'is_background', 'isBackground'] as const;

/**
 * Whether a call only starts something that runs on behind it. The host tells of its end as soon as it has begun, and never of the end of
 * what runs, so that nothing can be said about how long it takes.
 */
export function isInBackground({ tool, input }: ToolCall): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const fields = input as Payload;
  if (FLAGS.some((name) => own(fields, name) === true)) return true;
  // The shell of Copilot CLI. To another tool these names may mean anything.
  return isShell(tool) && (own(fields, 'mode') === 'async' || own(fields, 'async') === true);
}
