import { type RedactionCounts, redactJson } from '@agent-faculties/redaction';
import { atOnce } from '../values/steps.ts';
import { addCounts, type FoundInRequest, noteFault } from './found-secrets.ts';

/** Shorter ones, such as most names of a path, hold no secret. */
const LEAST_PART = 4;

interface UrlOptions {
  readonly masks: boolean;
  readonly found: FoundInRequest;
}

/** The URL with masks in place of secrets, in the segments of its path and in the values of its query. */
export function maskedUrl(url: string, options: UrlOptions): string {
  const [path = '', ...rest] = url.split('?');
  const maskedPath = path
    .split('/')
    .map((segment) => maskedPart(segment, { ...options, where: 'path', name: 'path' }))
    .join('/');
  if (rest.length === 0) return maskedPath;
  const pairs = rest.join('?').split('&');
  return `${maskedPath}?${pairs.map((pair) => maskedPair(pair, options)).join('&')}`;
}

function maskedPair(pair: string, options: UrlOptions): string {
  const sign = pair.indexOf('=');
  if (sign < 0) return maskedPart(pair, { ...options, where: 'query', name: 'query' });
  const name = maskedPart(pair.slice(0, sign), { ...options, where: 'query', name: 'query' });
  const value = pair.slice(sign + 1).replaceAll('+', '%20');
  const masked = maskedPart(value, { ...options, where: `query/${name}`, name: decoded(name) });
  return masked === value ? `${name}${pair.slice(sign)}` : `${name}=${masked}`;
}

/** @param options `name` as of a field of JSON: the value of one called "token" is a secret by its name */
function maskedPart(part: string, { masks, found, where, name }: UrlOptions & { where: string; name: string }): string {
  if (part.length < LEAST_PART) return part;
  const counts: RedactionCounts = new Map();
  const types = new Set<string>();
  const onFound = (_where: readonly string[], those: readonly string[]) => {
    for (const type of those) types.add(type);
  };
  const masked = atOnce(redactJson({ [name]: decoded(part) }, { masks, counts, onFound })) as Record<string, string>;
  if (counts.size === 0) return part;
  if (types.size > 0) noteFault(found.faults, where, [...types]);
  addCounts(found.counts, counts);
  // A malformed URL stays malformed and is refused later.
  return encodeURIComponent(Object.values(masked)[0] as string) + (isBroken(part) ? '%' : '');
}

/** What cannot be decoded is refused later, and until then stands in the log: its broken parts count as blanks. */
function decoded(part: string): string {
  return isBroken(part) ? part.replace(/%[0-9A-Za-z]{0,2}/g, ' ') : decodeURIComponent(part);
}

function isBroken(part: string): boolean {
  if (!part.includes('%')) return false;
  try {
    decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}
