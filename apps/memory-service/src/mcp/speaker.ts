interface Said {
  readonly agent_id: string;
  readonly name: string | null;
  /** Whether a person said it; without a name it is then the user's. */
  readonly isOfUser: boolean;
}

/** Who told a memory, as a model reads it: the speaker that it names, and the agent that vouches for it. */
export function speakerOf({ agent_id, name, isOfUser }: Said): string {
  const speaker = name ?? (isOfUser ? 'user' : null);
  return speaker === null || speaker === agent_id ? agent_id : `${speaker} (told by ${agent_id})`;
}
