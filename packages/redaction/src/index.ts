export { findSecrets } from './find-secrets.ts';
export { withoutPrivate } from './private-parts.ts';
export { PROVIDER_RULES } from './provider-table.ts';
export { redactJson } from './redact-json.ts';
export { maskSecrets, type RedactionCounts } from './redact-text.ts';
