import type { Payload } from './hook-event.ts';

/** The field if it is a text that is not empty, else null. */
export function textField(payload: Payload, name: string): string | null {
  const value = own(payload, name);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The field if it is an object, else null. */
export function objectField(payload: Payload, name: string): Payload | null {
  const value = own(payload, name);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
}

/** The field if it is a duration in milliseconds, from 0 to ten years, else null. */
export function millisecondsField(payload: Payload, name: string): number | null {
  const value = own(payload, name);
  return typeof value === 'number' && value >= 0 && value < MOST_MS ? value : null;
}

const MOST_MS = 10 * 365 * 86_400_000;

/** The own field of the object; undefined when it is absent or inherited. */
export function own(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** The first text of a list, such as the roots of a workspace. */
export function firstText(payload: Payload, name: string): string | null {
  const value = own(payload, name);
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'string' && first !== '' ? first : null;
}
