import type { Embedder } from '@agent-faculties/embeddings';

/** The model that vectors came from. Vectors of different models are never compared. */
export interface VectorModel {
  readonly id: string;
  readonly dimension: number;
}

/** The model whose vectors an embedder makes. */
export function vectorModelOf({ modelId, dimension }: Pick<Embedder, 'modelId' | 'dimension'>): VectorModel {
  return { id: modelId, dimension };
}
