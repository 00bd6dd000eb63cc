/** Which two speakers a contradiction lies between. Pure. */

/** @typedef {{ agent_id: string, name: string | null }} Said */

/** @param {Said} said */
const voiceOf = ({ agent_id, name }) =>
  name === null || name === agent_id ? agent_id : `${name} (told by ${agent_id})`;

/** One key for both orders. @param {{ a: Said, b: Said }} contradiction */
export const speakersOf = ({ a, b }) => JSON.stringify([voiceOf(a), voiceOf(b)].sort());

/** @param {string} speakers as `speakersOf` names them */
export function pairName(speakers) {
  const [one, other] = JSON.parse(speakers);
  return one === other ? `${one} alone` : `${one} and ${other}`;
}

/** The pair with the most contradictions first. @param {Parameters<typeof speakersOf>[0][]} contradictions @returns {{ speakers: string, count: number }[]} */
export function countsByPair(contradictions) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of contradictions) counts.set(speakersOf(one), (counts.get(speakersOf(one)) ?? 0) + 1);
  return [...counts].map(([speakers, count]) => ({ speakers, count })).sort((a, b) => b.count - a.count);
}
