const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A stable whole number in 0..2^32-1 for a text: FNV-1a over its UTF-8 bytes. Equal input gives repeatable draws.
 *
 * Source: Fowler, Noll, Vo and Eastlake, RFC 9923.
 * @complexity O(length)
 */
export function seedFromText(text: string): number {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}
