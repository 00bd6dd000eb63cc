import { InvalidInputError, PreconditionFailedError } from '@agent-faculties/service-kit';
import type { Memory } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';

/** The name of a version of a memory: its ETag without the quotes. */
export function versionTag({ updatedAt }: Pick<Memory, 'updatedAt'>): string {
  return updatedAt.toString(36);
}

/** The ETag of a version of a memory, for If-Match. */
export function entityTag(memory: Pick<Memory, 'updatedAt'>): string {
  return `"${versionTag(memory)}"`;
}

/** The memory is not of the version that the caller asks for. */
export class StaleVersionError extends PreconditionFailedError {
  /** The memory as it is. */
  readonly present: StoredMemory;

  constructor(message: string, present: StoredMemory) {
    super(message);
    this.present = present;
  }
}

/** An entity tag with what parts it from the next one (RFC 9110, section 8.8.3). */
const TAG = /((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,[ \t,]*|$)/y;

/**
 * Whatever is sent in If-Match is compared strongly (RFC 9110, section 13.1.1), so a weak tag fits no version.
 * @param ifMatch an ETag list or `*`; null: any version
 * @throws StaleVersionError unless the memory is of one of these versions; InvalidInputError for what is no list of entity tags
 */
export function checkVersion(stored: StoredMemory, ifMatch: string | null): void {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  const tags = tagsIn(ifMatch);
  const present = entityTag(stored.memory);
  if (tags.includes(present)) return;
  const { id } = stored.memory;
  const isWeak = tags.includes(`W/${present}`);
  throw new StaleVersionError(
    isWeak
      ? `If-Match asks for a weak version, which fits none: send the ETag of memory '${id}' without W/.`
      : `Memory '${id}' has changed since that version was read: read it again (\`current\` is what it is now), and decide again.`,
    stored,
  );
}

function tagsIn(ifMatch: string): string[] {
  // A list may have empty elements (RFC 9110, section 5.6.1).
  const text = ifMatch.trim().replace(/^[ \t,]+/, '');
  const tags: string[] = [];
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag; tag = TAG.exec(text)) {
    tags.push(tag[1] as string);
    if (TAG.lastIndex === text.length) return tags;
  }
  const message = 'must be an ETag as it was answered, with its quotes: "abc"; several with commas between them; or *';
  throw InvalidInputError.at('header/If-Match', message);
}
