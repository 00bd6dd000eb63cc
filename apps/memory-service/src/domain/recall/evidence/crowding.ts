import type { Candidate, Retrieved } from './evidence.ts';
import { bestOf, greatest } from './top-scores.ts';

/** The number of candidates that are compared with each other, and the number of nearest ones that make a crowd. */
export const CROWD_AMONG = 50;
const CROWD = 10;

/**
 * The mean cosine of each of the best candidates with its nearest ones. Boilerplate ("the build took 7 minutes") is close to any
 * question of its field and comes in crowds; a unique statement stands apart. The other candidates get the mean of the best.
 * Source: the idea is cross-domain similarity local scaling, Conneau et al., Word Translation Without Parallel Data, 2018.
 */
export function crowdingOf(
  { candidates, likenesses }: Pick<Retrieved, 'candidates' | 'likenesses'>,
  scores: readonly number[],
): { readonly crowding: Float64Array; readonly ofOthers: number } {
  const among = bestOf(scores, CROWD_AMONG);
  const best = among.filter((index) => (candidates[index] as Candidate).evidence.hasVector);
  const crowding = new Float64Array(candidates.length);
  if (best.length < 2) return { crowding, ofOthers: 0 };
  const all = best.length;
  const cosines = likenesses(best.map((index) => candidates[index] as Candidate));
  const means = best.map((_, row) => {
    const nearest = greatest(cosines.subarray(row * all, (row + 1) * all), Math.min(CROWD, all - 1));
    let sum = 0;
    for (let place = nearest.length - 1; place >= 0; place--) sum += nearest[place] as number;
    return sum / nearest.length;
  });
  const ofOthers = means.reduce((total, mean) => total + mean, 0) / means.length;
  crowding.fill(ofOthers);
  for (const index of among) crowding[index] = 0;
  best.forEach((index, place) => {
    crowding[index] = means[place] as number;
  });
  return { crowding, ofOthers };
}
