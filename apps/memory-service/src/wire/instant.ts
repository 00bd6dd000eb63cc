import { parseInstant } from '@agent-faculties/service-kit';

/** In whole milliseconds; null where there is none. @throws InvalidInputError */
export function instantOrNull(text: string | null | undefined, where: string): number | null {
  return text == null ? null : Math.floor(parseInstant(text, where));
}

/** Epoch milliseconds as `2026-11-21T09:30:00.123Z`. */
export function formatInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A duration rounded to a hundredth of a millisecond; never negative, because a clock may have been set back. */
export function milliseconds(duration: number): number {
  return Math.max(0, Math.round(duration * 100) / 100);
}
