import { createHash } from 'node:crypto';
import type { HookEvent, ToolCall } from './hook-event.ts';
import type { HostName } from './hosts.ts';

/** Bytes of the hash in a key; two events with the same key are out of the question. */
const KEY_BYTES = 15;

interface Sent {
  readonly host: HostName;
  readonly event: HookEvent;
}

/** The key of a call, the same at its start, its end and each repeated delivery; null where the host gives calls no id. */
export function callKey({ host, event }: Sent, { id }: ToolCall): string | null {
  return id === null ? null : hashed('call', host, event.sessionId, id);
}

/** A key that equal calls of one session share. Where calls have no ids, it finds the starts that an end may belong to. */
export function callLikeness({ host, event }: Sent, { tool, input }: ToolCall): string {
  return hashed('like', host, event.sessionId, tool, JSON.stringify(input) ?? null);
}

/** The key of an event with a time stamp and no id, such as the start of a call; null where the host sends no time. */
export function stampKey(sent: Sent, likeness: string): string | null {
  const { stamp } = sent.event;
  return stamp === null ? null : hashed('stamp', sent.host, stamp, likeness);
}

/** The key that a prompt and its reply share, the same at each repeated delivery; null without a turn id. */
export function turnKey({ host, event }: Sent): string | null {
  const { turnId } = event;
  return turnId === null ? null : hashed('turn', host, event.sessionId, turnId);
}

/** The key of a message, the same at each repeated delivery. */
export function wordsKey(
  { host, event }: Sent,
  { role, text }: { readonly role: string; readonly text: string },
): string {
  return hashed('said', host, event.sessionId, event.turnId ?? event.stamp, role, text);
}

function hashed(...parts: readonly (string | null)[]): string {
  return `hook-${createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, KEY_BYTES).toString('base64url')}`;
}
