/** The lanes of a timeline. Pure. */

/** @typedef {{ agent: string, count: number, counts: number[], held: number[], sessions: import('../reading/api.js').Answer<'getTimeline'>['sessions'], points: NonNullable<import('../reading/api.js').Answer<'getTimeline'>['points']> }} Lane by column, how much was said, and how much of it holds */
/** @typedef {{ lanes: { agent_id: string, counts: number[], held: number[] }[], sessions: any[], points: any[] | null }} Timeline as the contract has it: an agent may have a lane for each kind */

/** @param {readonly number[]} counts */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {readonly number[]} one @param {readonly number[]} other */
const added = (one, other) => one.map((count, at) => count + (other[at] ?? 0));

/** One for each agent, the one that said most first. @param {Timeline} timeline @returns {Lane[]} */
export function lanesOf({ lanes, sessions, points }) {
  /** @type {Map<string, Lane>} */
  const known = new Map();
  for (const { agent_id: agent, counts, held } of lanes) {
    const lane = known.get(agent) ?? { agent, counts: [], held: [], count: 0, sessions: [], points: [] };
    known.set(agent, {
      ...lane,
      counts: added(counts, lane.counts),
      held: added(held, lane.held),
      count: lane.count + total(counts),
    });
  }
  for (const session of sessions) known.get(session.agent_id)?.sessions.push(session);
  for (const point of points ?? []) known.get(point.agent_id)?.points.push(point);
  return [...known.values()].sort((a, b) => b.count - a.count);
}

/** The highest column. @param {readonly Lane[]} lanes */
export const topOf = (lanes) => Math.max(1, ...lanes.flatMap(({ counts }) => counts));

/** How much of what was said holds. @param {Pick<Timeline, 'lanes'>} timeline */
export const heldCount = ({ lanes }) => total(lanes.map(({ held }) => total(held)));
