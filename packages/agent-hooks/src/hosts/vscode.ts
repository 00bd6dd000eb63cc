import { claudeDialect } from './claude-dialect.ts';

/** The agents of VS Code, whose documentation of 2026-10-14 describes the dialect of Claude Code. */
export const vscode = claudeDialect;
