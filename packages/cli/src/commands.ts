import type { Command } from './command.ts';

/** Every command, loaded when it is called: none waits for what another one imports. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  status: () => import('./commands/status.ts'),
};
