export { type CredentialKind, credentialKindOf } from './credential-names.ts';
export { findSecrets } from './find-secrets.ts';
export type { Found } from './found.ts';
export { withoutPrivate } from './private-parts.ts';
export { PROVIDER_RULES, type ProviderRule } from './provider-table.ts';
export { type RedactOptions, redactJson } from './redact-json.ts';
export { dropPrivate, maskOf, maskSecrets, PRIVATE_TYPE, type RedactionCounts } from './redact-text.ts';
