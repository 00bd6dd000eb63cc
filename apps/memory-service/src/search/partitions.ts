import { type Audience, isVisibleTo, type Viewer } from '../domain/memory/visibility.ts';
import { grown } from './columns/grown.ts';

/** The level of a partition for a viewer: unseen; shared by another project; told by other agents; told by the viewer itself. */
export const UNSEEN = 0;
const SHARED_ELSEWHERE = 1;
const TOLD = 2;
const OWN = 3;

/** The partition of no memory, which nobody sees. */
export const NO_PARTITION = 0;

/** What one viewer sees, one of the four levels each; valid until the next partition is added. */
export interface Sight {
  /** By partition. */
  readonly partitions: Uint8Array;
  /** By author: the highest level among the author's partitions. */
  readonly authors: Uint8Array;
}

/** The most sights that are kept; a sight takes a byte for each partition and for each author. */
const MOST_SIGHTS = 1_000;

/**
 * Numbers for sets of memories that have the same viewers: a partition holds those of one agent in one project with one scope, an
 * author is an agent in a project. So an index tells with one look at an array whether a viewer sees a memory.
 */
export class Partitions {
  readonly #audiences: (Audience | null)[] = [null];
  readonly #numbers = new Map<string, number>();
  readonly #authors = new Map<string, number>();
  /** By partition. */
  #authorOf = new Int32Array(1);
  readonly #sights = new Map<string, Sight>();
  /** By agent: the partition of its last memory, because its next memory mostly has the same. */
  readonly #lastOf = new Map<string, number>();

  /** How many authors there are. */
  get authors(): number {
    return this.#authors.size;
  }

  /** @complexity O(1) */
  numberOf({ agentId, project, scope }: Audience): number {
    const last = this.#lastOf.get(agentId) ?? NO_PARTITION;
    const audience = this.#audiences[last];
    if (audience?.project === project && audience.scope === scope) return last;
    const author = keyOf(agentId, project);
    const key = `${scope}\n${author}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#audiences.push({ agentId, project, scope }) - 1;
      this.#numbers.set(key, number);
      this.#authorOf = grown(this.#authorOf, number + 1);
      this.#authorOf[number] = this.#numberOfAuthor(author);
      this.#sights.clear();
    }
    this.#lastOf.set(agentId, number);
    return number;
  }

  authorOf(partition: number): number {
    return this.#authorOf[partition] as number;
  }

  isPrivate(partition: number): boolean {
    return this.#audiences[partition]?.scope === 'PRIVATE';
  }

  /** Whether other projects see this partition too. */
  isShared(partition: number): boolean {
    const audience = this.#audiences[partition];
    return audience?.scope === 'SHARED' && audience.project !== null;
  }

  /** Whether no partition was added since. */
  isCurrent({ partitions }: Sight): boolean {
    return partitions.length === this.#audiences.length;
  }

  sightOf(viewer: Viewer): Sight {
    const key = keyOf(viewer.agentId, viewer.project);
    const known = this.#sights.get(key);
    if (known) return known;
    const partitions = Uint8Array.from(this.#audiences, (audience) => (audience ? levelOf(viewer, audience) : UNSEEN));
    const authors = new Uint8Array(this.authors);
    for (const [partition, level] of partitions.entries()) {
      const author = this.authorOf(partition);
      if (partition !== NO_PARTITION) authors[author] = Math.max(authors[author] as number, level);
    }
    if (this.#sights.size === MOST_SIGHTS) this.#sights.clear();
    const sight = { partitions, authors };
    this.#sights.set(key, sight);
    return sight;
  }

  /** Sees every memory, whoever may see it. */
  everything(): Uint8Array {
    return new Uint8Array(this.#audiences.length).fill(OWN).fill(UNSEEN, NO_PARTITION, NO_PARTITION + 1);
  }

  #numberOfAuthor(key: string): number {
    const known = this.#authors.get(key);
    if (known !== undefined) return known;
    this.#authors.set(key, this.#authors.size);
    return this.#authors.size - 1;
  }
}

function levelOf(viewer: Viewer, audience: Audience): number {
  if (!isVisibleTo(viewer, audience)) return UNSEEN;
  const isForeign = !isVisibleTo(viewer, { ...audience, scope: 'TEAM' });
  if (isForeign) return SHARED_ELSEWHERE;
  return audience.agentId === viewer.agentId ? OWN : TOLD;
}

/** No name holds a control character, and none is empty. */
function keyOf(agentId: string, project: string | null): string {
  return `${agentId}\n${project ?? ''}`;
}
