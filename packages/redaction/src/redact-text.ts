import { atOnce, findSecretsInSteps } from './find-secrets.ts';
import { withoutPrivate } from './private-parts.ts';

/** How often each type was found, such as `jwt` or `password`. */
export type RedactionCounts = Map<string, number>;

/** The type under which `<private>` parts are counted. */
const PRIVATE_TYPE = 'private';

/** The text that replaces a secret: `[REDACTED:github-token]`. */
export function maskOf(type: string): string {
  return `[REDACTED:${type}]`;
}

/** The text with each secret masked, and counted in `counts`; the same text where there is none. */
export function maskSecrets(text: string, counts: RedactionCounts): string {
  return atOnce(maskSecretsInSteps(text, counts));
}

/** The same as `maskSecrets`, in steps. */
export function* maskSecretsInSteps(text: string, counts: RedactionCounts): Generator<void, string> {
  const found = yield* findSecretsInSteps(text);
  if (found.length === 0) return text;
  let masked = '';
  let from = 0;
  for (const { type, start, end } of found) {
    masked += text.slice(from, start) + maskOf(type);
    counted(counts, type);
    from = end;
  }
  return masked + text.slice(from);
}

/** The text without its `<private>` parts, which are counted in `counts`. */
export function dropPrivate(text: string, counts: RedactionCounts): string {
  const { text: rest, count } = withoutPrivate(text);
  if (count > 0) counted(counts, PRIVATE_TYPE, count);
  return rest;
}

function counted(counts: RedactionCounts, type: string, times = 1): void {
  counts.set(type, (counts.get(type) ?? 0) + times);
}
