/** Throws RangeError unless `value` is a finite number within [least, most]; the message names what to pass. */
export function requireInRange(name: string, value: number, range: { least: number; most: number }): void {
  if (!(Number.isFinite(value) && value >= range.least && value <= range.most)) {
    throw new RangeError(`${name} is ${value}: pass a number from ${range.least} to ${range.most}`);
  }
}

/** Throws RangeError unless 0 < value < 1. */
export function requireOpenUnit(name: string, value: number): void {
  if (!(value > 0 && value < 1))
    throw new RangeError(`${name} is ${value}: pass a number between 0 and 1, ends excluded`);
}

/** Throws RangeError unless `value` is a whole number, at least `least`. */
export function requireCount(name: string, value: number, least: number): void {
  if (!(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is ${value}: pass a whole number, at least ${least}`);
  }
}
