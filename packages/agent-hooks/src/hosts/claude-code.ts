import { claudeDialect } from './claude-dialect.ts';

/** Claude Code, by its HTTP hooks. Read in 2.1.197. */
export const claudeCode = claudeDialect;
