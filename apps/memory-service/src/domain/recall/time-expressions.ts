/** A span of time that a text names. */
export interface TimePeriod {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  readonly unit: 'day' | 'month' | 'year';
}
