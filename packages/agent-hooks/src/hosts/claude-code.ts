import { claudeDialect } from './claude-dialect.ts';

/** Claude Code, by its HTTP hooks. As of version 2.1.197. */
export const claudeCode = claudeDialect;
