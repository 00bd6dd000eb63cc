import { createHash } from 'node:crypto';

/** Of SHA-256 in hexadecimal: 64 bits find every accident; nobody is meant to be kept from forging a line. */
const CHECK_LENGTH = 16;
const CHECKED = /^\{"check":"([0-9a-f]{16})",/;
const PREFIX_LENGTH = '{"check":"0123456789abcdef",'.length;

/** Sixteen hexadecimal digits that change with every change of the bytes; 2 us for an ordinary message. */
export function checkOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, CHECK_LENGTH);
}

/** A JSON object in one line with the check of its bytes as its first member. @param json of an object with members */
export function withCheck(json: string): { readonly line: string; readonly check: string } {
  const members = json.slice(1);
  const check = checkOf(members);
  return { line: `{"check":"${check}",${members}`, check };
}

/** The check of a line whose bytes agree with it, else null. */
export function intactCheck(line: Uint8Array): string | null {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(PREFIX_LENGTH, line.byteLength)).toString('latin1');
  const check = CHECKED.exec(start)?.[1];
  return check !== undefined && checkOf(line.subarray(PREFIX_LENGTH)) === check ? check : null;
}
