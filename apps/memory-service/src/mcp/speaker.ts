/** Who told a memory, as a model reads it: the speaker that it names, and the agent that vouches for it. */
export function speakerOf({ agent_id, name }: { readonly agent_id: string; readonly name: string | null }): string {
  return name === null || name === agent_id ? agent_id : `${name} (told by ${agent_id})`;
}
