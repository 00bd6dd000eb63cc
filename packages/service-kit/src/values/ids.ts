import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

export interface IdSource {
  /** 32 hex digits that sort by time of creation. */
  next(): string;
}

/** Number of ids for which one system call fetches the randomness. */
const IDS_PER_REFILL = 256;
const BYTES_PER_ID = 16;
const MAX_SEQUENCE = 0xffffffff;
/** Largest step between two ids of one millisecond. It is random, so that ids do not tell how many were made. */
const MOST_STEP = 0x1_0000;

/**
 * UUID version 7 (RFC 9562) without dashes. Strictly increasing within the process, also when the clock stands still or is
 * set back: then the last millisecond is kept and its 32-bit sequence goes on by a random step (RFC 9562, section 6.2, method 2).
 */
export function timeOrderedIds(clock: Clock): IdSource {
  const pool = Buffer.alloc(IDS_PER_REFILL * BYTES_PER_ID);
  const id = Buffer.alloc(BYTES_PER_ID);
  let position = pool.length;
  let lastMs = Number.NEGATIVE_INFINITY;
  let sequence = 0;
  return {
    next() {
      if (position === pool.length) {
        randomFillSync(pool);
        position = 0;
      }
      const random = pool.subarray(position, position + BYTES_PER_ID);
      position += BYTES_PER_ID;
      const nowMs = Math.floor(clock.now());
      if (nowMs > lastMs) {
        lastMs = nowMs;
        // The top bit starts at 0, so that at least 2^15 ids fit into one millisecond. Bytes 0 to 3 are not used by v7.
        sequence = random.readUInt32BE(0) >>> 1;
      } else {
        sequence += 1 + (random.readUInt32BE(0) % MOST_STEP);
        if (sequence > MAX_SEQUENCE) {
          lastMs += 1;
          sequence = random.readUInt32BE(0) >>> 1;
        }
      }
      // Formatted from bytes: writing the text with dashes and removing them costs twice as much.
      return v7({ random, msecs: lastMs, seq: sequence }, id).toString('hex');
    },
  };
}

/** When an id of this form was made, in whole epoch milliseconds; null for one of another form, as of an import. */
export function timeOfId(id: string): number | null {
  return /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id) ? Number.parseInt(id.slice(0, 12), 16) : null;
}
