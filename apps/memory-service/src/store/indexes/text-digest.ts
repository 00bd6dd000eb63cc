import { createHash } from 'node:crypto';
import { type Memory, recallText } from '../../domain/memory/memory.ts';

/** 128 bits in base64url. */
const DIGEST_CHARACTERS = 22;

/** Names the text of a memory that its vectors are of: the same text has the same vectors, another one has others. */
export function textDigest(memory: Pick<Memory, 'gist' | 'content' | 'gistEdited'>): string {
  return createHash('sha256').update(recallText(memory)).digest('base64url').slice(0, DIGEST_CHARACTERS);
}
