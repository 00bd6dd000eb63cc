import { InvalidInputError } from '@agent-faculties/service-kit';
import type { Memory, Validity } from './memory.ts';

/** Whether what it says no longer holds at a moment, epoch milliseconds. */
export function isEnded({ validUntil }: Pick<Memory, 'validUntil'>, at: number): boolean {
  return validUntil !== null && validUntil <= at;
}

/** Whether it is gone at a moment, epoch milliseconds. */
export function isExpired({ expiresAt }: Pick<Memory, 'expiresAt'>, at: number): boolean {
  return expiresAt !== null && expiresAt <= at;
}

/** Whether anything is said about when it holds. */
export function isForGood({ validFrom, validUntil, expiresAt }: Validity): boolean {
  return validFrom === null && validUntil === null && expiresAt === null;
}

export function isSameValidity(one: Validity, other: Validity): boolean {
  return one.validFrom === other.validFrom && one.validUntil === other.validUntil && one.expiresAt === other.expiresAt;
}

/**
 * Whether a message that has the words of a known memory repeats it, and makes none of its own. Who says nothing of validity
 * repeats what holds when it is said and is kept for good; to say it after its end is news.
 */
export function repeatsValidity(said: Validity & Pick<Memory, 'createdAt'>, known: Validity): boolean {
  if (isSameValidity(said, known)) return true;
  return isForGood(said) && known.expiresAt === null && !isEnded(known, said.createdAt);
}

/**
 * Whether it was held true at a moment: said by then, not ended, and no other memory in its place yet.
 * @param saidAt when the memory of an id was said, for one that was superseded before it was kept when; null: unknown
 */
export function wasHeld(memory: Memory, at: number, saidAt: (id: string) => number | null): boolean {
  if (memory.createdAt > at || isEnded(memory, at)) return false;
  if (memory.supersededBy === null) return true;
  const replacedAt = memory.supersession?.at ?? saidAt(memory.supersededBy);
  return replacedAt === null || replacedAt > at;
}

/** Whether there is a moment from `at` on at which both hold. */
export function holdTogether(one: Validity, other: Validity, at: number): boolean {
  const from = Math.max(one.validFrom ?? at, other.validFrom ?? at, at);
  return !isEnded(one, from) && !isEnded(other, from);
}

/**
 * @param where of the fields, such as `body` @param field the one that says until when
 * @throws InvalidInputError where it would hold at no moment
 */
export function checkSpan(
  { validFrom, validUntil }: Omit<Validity, 'expiresAt'>,
  where: string,
  field = 'valid_until',
): void {
  if (validFrom === null || validUntil === null || validFrom < validUntil) return;
  throw InvalidInputError.at(`${where}/${field}`, 'must be later than valid_from');
}

/** @throws InvalidInputError where it would be gone at once */
export function checkExpiry(
  { expiresAt }: Pick<Validity, 'expiresAt'>,
  { nowMs, where }: { nowMs: number; where: string },
): void {
  if (expiresAt === null || expiresAt > nowMs) return;
  throw InvalidInputError.at(`${where}/expires_at`, 'lies in the past: send a later instant');
}
