/** Where random numbers come from; the caller injects it. */
export interface RandomSource {
  /** Uniform in [0, 1) with 53 random bits. */
  next(): number;
  /** Uniform whole number in 0..exclusiveMax-1. */
  nextInt(exclusiveMax: number): number;
}
