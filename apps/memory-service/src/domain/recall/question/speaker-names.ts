/** Looks up speakers by name; each method returns the key of the speaker, or null where no speaker or more than one has the name. */
export interface SpeakerNames {
  /** A person by name or a word of it, else an agent by its id. */
  find(word: string): string | null;
  /** An agent by its id, whose parts may be apart: "visitor desk". */
  findAgent(words: string): string | null;
  /** Whether any speaker has a name, or a part of one, that begins with this word. */
  hasOneCalled(word: string): boolean;
  /** An agent by one part of its id. */
  findAgentByPart(word: string): string | null;
  /** An agent by the id under which it told what others said; it need not have said anything itself. */
  findTeller(word: string): string | null;
}
