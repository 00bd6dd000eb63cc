import { claudeDialect } from './claude-dialect.ts';

/** Claude Code with its HTTP hooks, as of version 2.1.197. */
export const claudeCode = claudeDialect;
