import type { Memory } from '../../domain/memory/memory.ts';
import type { AgentCounts } from '../../domain/memory/memory-store.ts';
import { type Audience, isVisibleTo, type Viewer } from '../../domain/memory/visibility.ts';
import { grown } from '../../search/columns/grown.ts';
import { type OrdinalLinks, OrdinalList } from './ordinal-list.ts';

type Counted = Audience & Pick<Memory, 'kind' | 'createdAt'>;

interface Part {
  readonly number: number;
  readonly audience: Audience;
  episodic: number;
  semantic: number;
  /** When the newest of them was said; null: that one was removed, and the next question looks for it again. */
  latest: number | null;
}

/** By ordinal: the number of its part among those of its author. */
export class OrdinalParts {
  numbers = new Int32Array(0);

  set(ordinal: number, number: number): void {
    this.numbers = grown(this.numbers, ordinal + 1);
    this.numbers[ordinal] = number;
  }
}

/**
 * How many memories an agent has stored, counted as they come and go: those of each project and scope apart.
 * @complexity O(projects), but O(n) for the first question after the newest memory of a part was deleted
 */
export class AuthorTally {
  readonly ordinals: OrdinalList;
  /** By project and scope. */
  readonly #parts = new Map<string, Part>();
  readonly #numbered: Part[] = [];
  /** Numbers of parts that are gone. */
  readonly #free: number[] = [];
  readonly #partOf: OrdinalParts;
  /** The part of the last memory, because the next memory mostly has the same. */
  #last: Part | null = null;

  /** @param ofAll of all authors */
  constructor(ofAll: { readonly links: OrdinalLinks; readonly parts: OrdinalParts }) {
    this.ordinals = new OrdinalList(ofAll.links);
    this.#partOf = ofAll.parts;
  }

  add(ordinal: number, memory: Counted): void {
    this.ordinals.add(ordinal);
    const part = this.#partFor(memory);
    this.#partOf.set(ordinal, part.number);
    part[memory.kind]++;
    if (part.latest !== null) part.latest = Math.max(part.latest, memory.createdAt);
  }

  remove(ordinal: number, memory: Memory): void {
    this.ordinals.remove(ordinal);
    const part = this.#partFor(memory);
    part[memory.kind]--;
    if (part.latest === memory.createdAt) part.latest = null;
    if (part.episodic + part.semantic > 0) return;
    this.#parts.delete(partKey(memory));
    this.#free.push(part.number);
    this.#last = null;
  }

  /** Null where the viewer sees nothing. */
  counts(viewer: Viewer, createdAt: (ordinal: number) => number): AgentCounts | null {
    const seen = [...this.#parts.values()].filter(({ audience }) => isVisibleTo(viewer, audience));
    if (seen.length === 0) return null;
    if (seen.some(({ latest }) => latest === null)) this.#findLatest(createdAt);
    const sum = (count: (part: Part) => number) => seen.reduce((total, part) => total + count(part), 0);
    return {
      episodic: sum(({ episodic }) => episodic),
      semantic: sum(({ semantic }) => semantic),
      private: sum(({ audience, episodic, semantic }) => (audience.scope === 'PRIVATE' ? episodic + semantic : 0)),
      lastActiveAt: Math.max(...seen.map(({ latest }) => latest ?? 0)),
    };
  }

  /** How many memories the viewer sees, by project and scope, without those of no project. */
  *inProjects(viewer: Viewer): Generator<{ project: string; count: number }> {
    for (const { audience, episodic, semantic } of this.#parts.values()) {
      const { project } = audience;
      if (project !== null && isVisibleTo(viewer, audience)) yield { project, count: episodic + semantic };
    }
  }

  #partFor(memory: Counted): Part {
    const { agentId, project, scope } = memory;
    const last = this.#last;
    if (last?.audience.project === project && last.audience.scope === scope) return last;
    const key = partKey(memory);
    const part = this.#parts.get(key) ?? this.#newPart(key, { agentId, project, scope });
    this.#last = part;
    return part;
  }

  #newPart(key: string, audience: Audience): Part {
    const number = this.#free.pop() ?? this.#numbered.length;
    const part = { number, audience, episodic: 0, semantic: 0, latest: 0 };
    this.#numbered[number] = part;
    this.#parts.set(key, part);
    return part;
  }

  #findLatest(createdAt: (ordinal: number) => number): void {
    for (const part of this.#parts.values()) part.latest = 0;
    for (const ordinal of this.ordinals) {
      const part = this.#numbered[this.#partOf.numbers[ordinal] as number] as Part;
      part.latest = Math.max(part.latest ?? 0, createdAt(ordinal));
    }
  }
}

function partKey({ scope, project }: Counted): string {
  return `${scope} ${project ?? ''}`;
}
