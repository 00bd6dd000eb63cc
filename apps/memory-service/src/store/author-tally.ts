import type { Memory } from '../domain/memory/memory.ts';
import type { AgentCounts } from '../domain/memory/memory-store.ts';
import { type Audience, isVisibleTo, type Viewer } from '../domain/memory/visibility.ts';
import { type OrdinalLinks, OrdinalList } from './ordinal-list.ts';

interface Part {
  readonly audience: Audience;
  episodic: number;
  semantic: number;
  /** When the last of them was said; null when the last one was removed and nobody has asked since. */
  latest: number | null;
}

/**
 * How many memories an agent has stored, counted as they come and go: those of each project and scope apart.
 * @complexity O(projects), but O(n) for the first question after the newest memory of a part was deleted
 */
export class AuthorTally {
  readonly ordinals: OrdinalList;
  /** By project and scope. */
  readonly #parts = new Map<string, Part>();
  /** The one that was asked for last: mostly that of the next memory too. */
  #last: Part | null = null;

  /** @param links of all authors */
  constructor(links: OrdinalLinks) {
    this.ordinals = new OrdinalList(links);
  }

  add(ordinal: number, memory: Memory): void {
    this.ordinals.add(ordinal);
    const part = this.#partOf(memory);
    part[memory.kind]++;
    if (part.latest !== null) part.latest = Math.max(part.latest, memory.createdAt);
  }

  remove(ordinal: number, memory: Memory): void {
    this.ordinals.remove(ordinal);
    const part = this.#partOf(memory);
    part[memory.kind]--;
    if (part.latest === memory.createdAt) part.latest = null;
    if (part.episodic + part.semantic > 0) return;
    this.#parts.delete(partKey(memory));
    this.#last = null;
  }

  /** Null where the viewer sees nothing. */
  counts(viewer: Viewer, memoryAt: (ordinal: number) => Memory): AgentCounts | null {
    const seen = [...this.#parts.values()].filter(({ audience }) => isVisibleTo(viewer, audience));
    if (seen.length === 0) return null;
    if (seen.some(({ latest }) => latest === null)) this.#findLatest(memoryAt);
    const sum = (count: (part: Part) => number) => seen.reduce((total, part) => total + count(part), 0);
    return {
      episodic: sum(({ episodic }) => episodic),
      semantic: sum(({ semantic }) => semantic),
      private: sum(({ audience, episodic, semantic }) => (audience.scope === 'PRIVATE' ? episodic + semantic : 0)),
      lastActiveAt: Math.max(...seen.map(({ latest }) => latest ?? 0)),
    };
  }

  /** Of what the viewer sees, by project and scope; what is of no project is left out. */
  *inProjects(viewer: Viewer): Generator<{ project: string; count: number }> {
    for (const { audience, episodic, semantic } of this.#parts.values()) {
      const { project } = audience;
      if (project !== null && isVisibleTo(viewer, audience)) yield { project, count: episodic + semantic };
    }
  }

  #partOf(memory: Memory): Part {
    const { agentId, project, scope } = memory;
    const last = this.#last;
    if (last?.audience.project === project && last.audience.scope === scope) return last;
    const key = partKey(memory);
    const part = this.#parts.get(key) ?? { audience: { agentId, project, scope }, episodic: 0, semantic: 0, latest: 0 };
    this.#parts.set(key, part);
    this.#last = part;
    return part;
  }

  #findLatest(memoryAt: (ordinal: number) => Memory): void {
    for (const part of this.#parts.values()) part.latest = 0;
    for (const ordinal of this.ordinals) {
      const memory = memoryAt(ordinal);
      const part = this.#partOf(memory);
      part.latest = Math.max(part.latest ?? 0, memory.createdAt);
    }
  }
}

function partKey({ scope, project }: Memory): string {
  return `${scope} ${project ?? ''}`;
}
