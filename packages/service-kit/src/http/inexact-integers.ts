/** All integers of fewer digits are kept exactly. */
const LONG = /\d{16}/;
const INTEGER = /^-?\d{16,}$/;

/**
 * What the integers of JSON become that would not come back as they were sent: JavaScript's numbers have gaps beyond 2^53, and
 * 9007199254740993 becomes 9007199254740992. @param json in UTF-8, or a text of it
 */
export function inexactIntegers(json: Buffer | string): ReadonlySet<number> {
  const inexact = new Set<number>();
  const text = typeof json === 'string' ? json : json.toString('latin1');
  if (!LONG.test(text)) return inexact;
  for (const number of numbersOf(text)) {
    if (INTEGER.test(number) && String(Number(number)) !== number) inexact.add(Number(number));
  }
  return inexact;
}

/** As they are written, outside of strings. */
function* numbersOf(json: string): Generator<string> {
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    if (found[0] === '"') token.lastIndex = behindString(json, token.lastIndex);
    else yield found[0];
  }
}

/** @param from behind the opening quote */
function behindString(json: string, from: number): number {
  const part = /\\.|"/gs;
  part.lastIndex = from;
  for (let found = part.exec(json); found; found = part.exec(json)) {
    if (found[0] === '"') return part.lastIndex;
  }
  return json.length;
}
