import type { Command } from './command.ts';

/** Every command, imported when it is called, so that it does not wait for the imports of the others. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./commands/start.ts'),
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  remember: () => import('./commands/remember.ts'),
  recall: () => import('./commands/recall.ts'),
  list: () => import('./commands/list.ts'),
  show: () => import('./commands/show.ts'),
  follow: () => import('./commands/follow.ts'),
  forget: () => import('./commands/forget.ts'),
  delete: () => import('./commands/delete.ts'),
  contradictions: () => import('./commands/contradictions.ts'),
  timing: () => import('./commands/timing.ts'),
  statusline: () => import('./commands/statusline.ts'),
  mcp: () => import('./commands/mcp.ts'),
  import: () => import('./commands/import.ts'),
  export: () => import('./commands/export.ts'),
  push: () => import('./commands/push.ts'),
  pull: () => import('./commands/pull.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  install: () => import('./commands/install.ts'),
  uninstall: () => import('./commands/uninstall.ts'),
  completion: () => import('./commands/completion.ts'),
};
