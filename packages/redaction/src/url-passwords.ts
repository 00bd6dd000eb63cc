import { isRandom } from './credential-values.ts';
import type { Found } from './found.ts';

/** Between scheme and host (RFC 3986, 3.2.1): user, and password, which may hold an @ that nobody encoded. */
const USER_INFO = /:\/\/([^\s/?#"'`<>@:\\]{0,128}):([^\s/?#"'`<>\\]{1,256})@(?=[\w.[\-%$])/y;
const USER_ALONE = /:\/\/([^\s/?#"'`<>@:\\]{20,256})@(?=[\w.[])/y;
const PLACEHOLDER =
  /^(?:\[REDACTED:|\$|<|\{|%[({]|\*{2,}|x{3,}|\.{3}|your)|^(?:password|passwd|pass|pwd|secret|token|pw)$/i;
const CURL_USER = /(?:-u|--user|--proxy-user)[ =]["']?[^\s:"']{1,64}:([^\s"'`]{3,128})/y;
const COMMAND_CHARACTERS = 300;

/** The password of `scheme://user:password@host`; the rest of the address stays. */
export function urlPasswordAt(text: string, start: number): Found | null {
  USER_INFO.lastIndex = start;
  const [, user = '', password] = USER_INFO.exec(text) ?? [];
  if (password !== undefined) {
    // A port with an @ somewhere behind it is no password.
    if (PLACEHOLDER.test(password) || (/^\d{1,5}$/.test(password) && user.includes('.'))) return null;
    const end = USER_INFO.lastIndex - 1;
    return { type: 'url-password', start: end - password.length, end };
  }
  USER_ALONE.lastIndex = start;
  const [, token] = USER_ALONE.exec(text) ?? [];
  if (token === undefined || PLACEHOLDER.test(token) || !isRandom(token)) return null;
  const end = USER_ALONE.lastIndex - 1;
  return { type: 'url-password', start: end - token.length, end };
}

/** The password of `curl -u user:password`. */
export function curlPasswordAt(text: string, start: number): Found | null {
  CURL_USER.lastIndex = start;
  const password = CURL_USER.exec(text)?.[1];
  if (password === undefined || PLACEHOLDER.test(password)) return null;
  const end = CURL_USER.lastIndex;
  const before = text.slice(Math.max(0, start - COMMAND_CHARACTERS), start);
  const command = before.slice(before.lastIndexOf('\n') + 1);
  return /\bcurl\b/.test(command) ? { type: 'password', start: end - password.length, end } : null;
}
