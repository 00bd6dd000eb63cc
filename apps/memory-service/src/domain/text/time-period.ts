/** A span of time that a text names. */
export interface TimePeriod {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** It names a month and no year: the last one is meant, or else, of an old store, that of another year. */
  readonly ofAnyYear: boolean;
}
