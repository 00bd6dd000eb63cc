import { isRandom } from './credential-values.ts';
import type { Found } from './found.ts';

const AUTHORIZATION =
  /authorization\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?(?:(?:bearer|basic|token|apikey|api-key|digest|negotiate|key)[ \t]{1,4})?([^\s"'`,;\\<>]{8,4000})/iy;
const BEARER = /bearer[ \t]{1,4}([A-Za-z0-9._~+/-]{8,4000}={0,2})/iy;
const BASIC = /basic[ \t]{1,4}([A-Za-z0-9+/]{6,2000}={0,2})/iy;
const COOKIE =
  /cookie\\{0,3}["'`]?[ \t]{0,4}:[ \t]{0,4}\\{0,3}["'`]?(?=[!#$%&'*+.^_`|~\w-]{1,64}=)([^\n\r"'`\\]{4,4000})/iy;
const LEAST_LETTERS = 24;

/** Authorization: anything that can be no word, whatever its scheme (RFC 9110, 11.6.2). */
export function authorizationAt(text: string, start: number): Found | null {
  const found = group(AUTHORIZATION, text, start);
  return found && isCredential(found.value) ? { type: 'authorization', start: found.start, end: found.end } : null;
}

/** Bearer tokens (RFC 6750, 2.1). */
export function bearerAt(text: string, start: number): Found | null {
  const found = group(BEARER, text, start);
  return found && isCredential(found.value) ? { type: 'authorization', start: found.start, end: found.end } : null;
}

/** User and password in base64 (RFC 7617, 2). */
export function basicAt(text: string, start: number): Found | null {
  const found = group(BASIC, text, start);
  if (!found) return null;
  const decoded = Buffer.from(found.value, 'base64').toString('utf8');
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,500}$/.test(decoded) &&
    Buffer.from(decoded).toString('base64').replace(/=+$/, '') === found.value.replace(/=+$/, '')
    ? { type: 'authorization', start: found.start, end: found.end }
    : null;
}

/** The values that a Cookie or Set-Cookie header carries (RFC 6265, 4); of the latter the attributes stay. */
export function cookieAt(text: string, start: number): Found | null {
  const found = group(COOKIE, text, start);
  if (!found) return null;
  const isSet = /set-$/i.test(text.slice(Math.max(0, start - 4), start));
  const value = isSet ? (found.value.split(';', 1)[0] as string) : found.value;
  const from = isSet ? value.indexOf('=') + 1 : 0;
  const secret = value.slice(from).trimEnd();
  const values = (isSet ? value : secret).split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  if (!values.some((one) => one.length >= 6 && !/^(?:\[REDACTED:|<|\$|\{|\.\.\.|[a-z]+$)/i.test(one))) return null;
  return { type: 'cookie', start: found.start + from, end: found.start + from + secret.length };
}

function isCredential(value: string): boolean {
  if (/^(?:\[REDACTED:|<|\$|\{|%|\*{3}|x{3}|your)/i.test(value) || /[([]/.test(value)) return false;
  if (isRandom(value)) return true;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(value) && !/\d/.test(value))
    return value.length >= LEAST_LETTERS && /[a-z][A-Z][a-z]?[A-Z]/.test(value) && !value.includes('.');
  return (
    /\d/.test(value) && /[A-Za-z]/.test(value) && (value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 2
  );
}

function group(pattern: RegExp, text: string, start: number): { value: string; start: number; end: number } | null {
  pattern.lastIndex = start;
  const value = pattern.exec(text)?.[1];
  if (value === undefined) return null;
  return { value, start: pattern.lastIndex - value.length, end: pattern.lastIndex };
}
