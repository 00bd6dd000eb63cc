import type { SpeakerNames } from '../../domain/recall/question/speaker-names.ts';
import { normalForm } from '../../domain/text/words/normal-form.ts';
import { NONE } from '../columns/slot-table.ts';
import { PartitionCounts } from '../partition-counts.ts';
import type { Sight } from '../partitions.ts';

interface Speaker {
  readonly key: string;
  readonly number: number;
  /** Memories by partition. */
  readonly memories: PartitionCounts;
  /** Of an agent: memories by partition of what others said and it told. */
  readonly told: PartitionCounts;
  /** Whether memories name it as a person, and whether it is the id of an agent. */
  isPerson: boolean;
  isAgent: boolean;
}

/** The speaker of a memory: a person by name, or the agent that stored it, by id. */
export interface SpokenBy {
  readonly name: string;
  readonly isAgent: boolean;
}

const JOINTS = /[\s._-]+/;

/**
 * Who spoke, and who may know of it. A person is known by the whole name and by each word of it; an agent by its id, and
 * by a part of it where a part is asked for: "the desk" may be the agent visitor-desk, or a piece of furniture.
 */
export class SpeakerRegistry {
  readonly #speakers = new Map<string, Speaker>();
  /** By the name as it is written. */
  readonly #keys = new Map<string, string>();
  /** By number. */
  readonly #numbered: Speaker[] = [];
  readonly #personsByWord = new Map<string, Set<Speaker>>();
  readonly #agentsById = new Map<string, Set<Speaker>>();
  readonly #agentsByPart = new Map<string, Set<Speaker>>();
  /** A memory that came. @returns the number of the speaker; NONE for null */
  add(spokenBy: SpokenBy | null, partition: number): number {
    const key = spokenBy === null ? '' : this.#keyOf(spokenBy.name);
    if (spokenBy === null || key === '') return NONE;
    const speaker = this.#speakers.get(key) ?? this.#register(key);
    if (spokenBy.isAgent) this.#nameAgent(speaker);
    else this.#namePerson(speaker);
    speaker.memories.add(partition, 1);
    return speaker.number;
  }

  /** A memory that goes. @param number as `add` gave it */
  remove(number: number, partition: number): void {
    this.#numbered[number]?.memories.add(partition, -1);
  }

  /** A memory that came, of what somebody else said to this agent. @returns the number of the agent; NONE for a blank id */
  addTeller(agentId: string, partition: number): number {
    const key = this.#keyOf(agentId);
    if (key === '') return NONE;
    const agent = this.#speakers.get(key) ?? this.#register(key);
    this.#nameAgent(agent);
    agent.told.add(partition, 1);
    return agent.number;
  }

  /** A memory that goes. @param number as `addTeller` gave it */
  removeTeller(number: number, partition: number): void {
    this.#numbered[number]?.told.add(partition, -1);
  }

  numberOf(key: string | null): number {
    return key === null ? NONE : (this.#speakers.get(key)?.number ?? NONE);
  }

  /** Memories of a speaker in sight. */
  memoriesOf(key: string | null, sight: Sight): number {
    const speaker = key === null ? undefined : this.#speakers.get(key);
    return speaker?.memories.inSight(sight) ?? 0;
  }

  /** Memories in sight of what others said and this agent told. */
  toldBy(key: string | null, sight: Sight): number {
    const agent = key === null ? undefined : this.#speakers.get(key);
    return agent?.told.inSight(sight) ?? 0;
  }

  inSight(sight: Sight): SpeakerNames {
    const only = (speakers: ReadonlySet<Speaker> | undefined, of: 'memories' | 'told' = 'memories') => {
      const seen = [...(speakers ?? [])].filter((speaker) => speaker[of].inSight(sight) > 0);
      return seen.length === 1 ? (seen[0] as Speaker).key : null;
    };
    return {
      find: (word) => only(this.#personsByWord.get(keyOf(word)) ?? this.#agentsById.get(joined(keyOf(word)))),
      findAgent: (words) => only(this.#agentsById.get(joined(keyOf(words)))),
      hasOneCalled: (word) =>
        this.#numbered.some((speaker) => isCalled(speaker, keyOf(word)) && speaker.memories.inSight(sight) > 0),
      findAgentByPart: (word) => only(this.#agentsByPart.get(keyOf(word))),
      findTeller: (word) => only(this.#agentsById.get(joined(keyOf(word))), 'told'),
    };
  }

  #register(key: string): Speaker {
    const number = this.#numbered.length;
    const counts = { memories: new PartitionCounts(), told: new PartitionCounts() };
    const speaker = { key, number, ...counts, isPerson: false, isAgent: false };
    this.#numbered.push(speaker);
    this.#speakers.set(key, speaker);
    return speaker;
  }

  #keyOf(name: string): string {
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = keyOf(name);
      this.#keys.set(name, key);
    }
    return key;
  }

  #namePerson(speaker: Speaker): void {
    if (speaker.isPerson) return;
    speaker.isPerson = true;
    for (const word of [speaker.key, ...speaker.key.split(JOINTS)]) note(this.#personsByWord, word, speaker);
  }

  #nameAgent(speaker: Speaker): void {
    if (speaker.isAgent) return;
    speaker.isAgent = true;
    note(this.#agentsById, joined(speaker.key), speaker);
    for (const part of speaker.key.split(JOINTS)) note(this.#agentsByPart, part, speaker);
  }
}

function note(speakers: Map<string, Set<Speaker>>, word: string, speaker: Speaker): void {
  const known = speakers.get(word);
  if (known) known.add(speaker);
  else speakers.set(word, new Set([speaker]));
}

function isCalled({ key }: Speaker, word: string): boolean {
  return key.startsWith(word) || key.split(JOINTS).some((part) => part.startsWith(word));
}

/** "visitor desk" and "visitor_desk" are visitor-desk. */
function joined(words: string): string {
  return words.split(JOINTS).join('-');
}

function keyOf(name: string): string {
  return normalForm(name, 'NFKC').trim().toLowerCase();
}
