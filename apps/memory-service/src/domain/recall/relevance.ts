import type { Evidence, Gathered } from './evidence.ts';
import type { ModelKind } from './fusion.ts';

/** high: surely about what was asked; medium: probably; low: nothing says so, it only came out best of what there is. */
export type Relevance = 'high' | 'medium' | 'low';

/** From absolute evidence, never from the rank: a store that knows nothing of a question answers with low ones. */
export function relevanceOf(evidence: Evidence, _about: { gathered: Gathered; model: ModelKind }): Relevance {
  const best = Math.max(evidence.turn, evidence.cosine);
  return best > 0.5 ? 'high' : best > 0.3 ? 'medium' : 'low';
}
