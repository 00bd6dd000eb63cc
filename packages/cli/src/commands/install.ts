import { installCommand } from '../install/run-install.ts';

export const command = installCommand(
  'install',
  'Let a host use both services by itself: its hooks, and the MCP servers',
);
