import { claudeDialect } from './claude-dialect.ts';

/** Codex CLI. It refuses unknown fields in an answer. As of version 0.169.0. */
export const codex = claudeDialect;
