import type { SpeakerNames } from '../domain/recall/evidence.ts';
import { NONE } from './slot-table.ts';

interface Speaker {
  readonly key: string;
  readonly number: number;
  /** Memories of all that any agent may see, and private ones by agent. */
  shared: number;
  readonly privately: Map<number, number>;
}

/** Who spoke, and who may know of it. A speaker is known by the whole name and by each word of it. */
export class SpeakerRegistry {
  private readonly speakers = new Map<string, Speaker>();
  private readonly byWord = new Map<string, Set<Speaker>>();
  private numbers = 0;

  /** @param change.by 1 for a memory that came, -1 for one that goes. @returns the number of the speaker; NONE for null */
  count(name: string | null, change: { by: 1 | -1; agent: number; isPrivate: boolean }): number {
    const { by, agent, isPrivate } = change;
    const key = name === null ? '' : keyOf(name);
    if (key === '') return NONE;
    const speaker = this.speakers.get(key) ?? this.register(key);
    if (isPrivate) speaker.privately.set(agent, (speaker.privately.get(agent) ?? 0) + by);
    else speaker.shared += by;
    return speaker.number;
  }

  numberOf(key: string | null): number {
    return key === null ? NONE : (this.speakers.get(key)?.number ?? NONE);
  }

  visibleTo(caller: number): SpeakerNames {
    return {
      find: (word) => {
        const seen = [...(this.byWord.get(keyOf(word)) ?? [])].filter(
          (speaker) => speaker.shared > 0 || (speaker.privately.get(caller) ?? 0) > 0,
        );
        return seen.length === 1 ? (seen[0] as Speaker).key : null;
      },
    };
  }

  private register(key: string): Speaker {
    const speaker: Speaker = { key, number: this.numbers++, shared: 0, privately: new Map() };
    this.speakers.set(key, speaker);
    for (const word of new Set([key, ...key.split(/[\s._-]+/)])) {
      const known = this.byWord.get(word) ?? new Set();
      this.byWord.set(word, known.add(speaker));
    }
    return speaker;
  }
}

function keyOf(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
