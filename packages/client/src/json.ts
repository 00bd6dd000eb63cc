/**
 * The value as JSON. JSON.stringify makes null of NaN, of infinity and of a Date that is none, and null mostly means that nothing is said; of a bigint it
 * makes nothing.
 * @throws TypeError for one of these, with the name of its field
 */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name: string, shown: unknown) {
    const given = this[name];
    const number = given instanceof Date ? given.getTime() : given;
    if (typeof number === 'bigint' || (typeof number === 'number' && !Number.isFinite(number))) {
      const shownAs = typeof number === 'bigint' ? `${number}n` : given;
      throw new TypeError(`${name} must not be ${shownAs}: JSON cannot say it.`);
    }
    return shown;
  });
}
