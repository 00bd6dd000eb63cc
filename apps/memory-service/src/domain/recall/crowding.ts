import { bestOf, greatest } from './best-of.ts';
import type { Candidate, Retrieved } from './evidence.ts';

/** The number of candidates that are compared with each other, and the number of nearest ones that make a crowd. */
const CROWD_AMONG = 50;
const CROWD = 10;

/**
 * The mean cosine of each of the best candidates with its nearest ones. Boilerplate ("the build took 7 minutes") is close to any
 * question of its field and comes in crowds; a unique statement stands apart. The other candidates get the mean of the best.
 * Source: the idea is cross-domain similarity local scaling, Conneau et al., Word Translation Without Parallel Data, 2018.
 */
export function crowdingOf({ candidates, likenesses }: Retrieved, scores: readonly number[]): Float64Array {
  const among = bestOf(scores, CROWD_AMONG);
  const best = among.filter((index) => (candidates[index] as Candidate).evidence.hasVector);
  const crowding = new Float64Array(candidates.length);
  if (best.length < 2) return crowding;
  const all = best.length;
  const cosines = likenesses(best.map((index) => candidates[index] as Candidate));
  const means = best.map((_, row) => {
    const nearest = greatest(cosines.subarray(row * all, (row + 1) * all), Math.min(CROWD, all - 1));
    let sum = 0;
    for (let place = nearest.length - 1; place >= 0; place--) sum += nearest[place] as number;
    return sum / nearest.length;
  });
  crowding.fill(means.reduce((total, mean) => total + mean, 0) / means.length);
  for (const index of among) crowding[index] = 0;
  best.forEach((index, place) => {
    crowding[index] = means[place] as number;
  });
  return crowding;
}
