/** Which two agents a contradiction lies between. Pure. */

/** No agent id holds it. */
const SEPARATOR = '\n';

/** One key for both orders. @param {{ a: { agent_id: string }, b: { agent_id: string } }} contradiction */
export const agentsOf = ({ a, b }) => [a.agent_id, b.agent_id].sort().join(SEPARATOR);

/** @param {string} agents as `agentsOf` names them */
export function pairName(agents) {
  const [one, other] = agents.split(SEPARATOR);
  return one === other ? `${one} alone` : `${one} and ${other}`;
}

/** The pair with the most contradictions first. @param {Parameters<typeof agentsOf>[0][]} contradictions @returns {{ agents: string, count: number }[]} */
export function countsByPair(contradictions) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of contradictions) counts.set(agentsOf(one), (counts.get(agentsOf(one)) ?? 0) + 1);
  return [...counts].map(([agents, count]) => ({ agents, count })).sort((a, b) => b.count - a.count);
}
