/** Ordinary JSON has one for each 12 bytes of spans, and fewer of anything else. */
const MAX_VALUES = 200_000;
/** JSON.parse takes about a microsecond for a name that it has not seen, ten times that for one that it has. */
const MAX_NAMES = 20_000;
/** A smaller body is parsed in milliseconds, whatever it holds. */
const SMALL_BYTES = 64 * 1024;
const BUCKETS = 2 ** 16;
/** Of the FNV-1a hash. The start differs in each process, so that nobody can send names that fall into one bucket. */
const HASH_PRIME = 16_777_619;
const HASH_START = Math.floor(Math.random() * 2 ** 32);

/** The type of the error, in the style of body-parser. */
export const TOO_DENSE = 'entity.too.dense';

/**
 * Refuses bytes that JSON.parse would take long for, which holds up all other requests: the length of a body says little of it.
 * @throws Error of the type TOO_DENSE
 */
export function denseBodyGuard(body: Buffer): void {
  if (body.length <= SMALL_BYTES) return;
  const { values, names } = densityOf(body);
  if (values <= MAX_VALUES && names <= MAX_NAMES) return;
  throw Object.assign(new Error('The body is too dense.'), {
    type: TOO_DENSE,
    detail: `The body holds more than ${MAX_VALUES} values, or more than ${MAX_NAMES} different names of fields: send less at once.`,
  });
}

/**
 * Of JSON in UTF-8, valid or not, in about 3 ns a byte.
 * @returns `values`: commas and opening brackets, each of which stands for a value; `names`: different names of fields, rather too few
 */
export function densityOf(json: Uint8Array): { values: number; names: number } {
  const seen = new Uint8Array(BUCKETS);
  let values = 0;
  let names = 0;
  let hash = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (isInString) {
      if (byte === QUOTE) isInString = false;
      else {
        hash = Math.imul(hash ^ byte, HASH_PRIME);
        if (byte === BACKSLASH) at++;
      }
    } else if (byte === QUOTE) {
      isInString = true;
      hash = HASH_START;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values++;
    } else if (byte === COLON) {
      const bucket = (hash ^ (hash >>> 16)) & (BUCKETS - 1);
      if (seen[bucket] === 0) names++;
      seen[bucket] = 1;
    }
  }
  return { values, names };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;
