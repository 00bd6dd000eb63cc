/** Looks a name up as it is written; answers with the speaker's key, or null where it is nobody's or several have it. */
export interface SpeakerNames {
  /** A person by name or a word of it, else an agent by its id. */
  find(word: string): string | null;
  /** An agent by its id, whose parts may be apart: "visitor desk". */
  findAgent(words: string): string | null;
  /** An agent by one part of its id. */
  findAgentByPart(word: string): string | null;
}
