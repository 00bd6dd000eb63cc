/** The model that vectors came from. Vectors of different models are never compared. */
export interface VectorModel {
  readonly id: string;
  readonly dimension: number;
}
