import { createHash } from 'node:crypto';
import type { HookEvent, ToolCall } from './hook-event.ts';
import type { HostName } from './hosts.ts';

/** Bytes of a hash in a key: no two events ever meet. */
const KEY_BYTES = 15;

interface Sent {
  readonly host: HostName;
  readonly event: HookEvent;
}

/** The same for the start and the end of a call, and for each time that they are delivered; null where the host gives calls no id. */
export function callKey({ host, event }: Sent, { id }: ToolCall): string | null {
  return id === null ? null : hashed('call', host, event.sessionId, id);
}

/** The same for calls of one session that do the same; tells of which of them an end may be when calls have no ids. */
export function callLikeness({ host, event }: Sent, { tool, input }: ToolCall): string {
  return hashed('like', host, event.sessionId, tool, JSON.stringify(input) ?? null);
}

/** Of what has a stamp of its own, such as the start of a call without an id; null where the host does not say when. */
export function stampKey(sent: Sent, likeness: string): string | null {
  const { stamp } = sent.event;
  return stamp === null ? null : hashed('stamp', sent.host, stamp, likeness);
}

/** The same for a prompt and its reply where the host ties them together, and each time that one is delivered; null else. */
export function turnKey({ host, event }: Sent): string | null {
  const { turnId } = event;
  return turnId === null ? null : hashed('turn', host, event.sessionId, turnId);
}

/** Of words that were said: the same each time that the same message is delivered. */
export function wordsKey(
  { host, event }: Sent,
  { role, text }: { readonly role: string; readonly text: string },
): string {
  return hashed('said', host, event.sessionId, event.turnId ?? event.stamp, role, text);
}

function hashed(...parts: readonly (string | null)[]): string {
  return `hook-${createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, KEY_BYTES).toString('base64url')}`;
}
