/** Where a time lies that may lie on either side of now, such as "in June" or "on Friday". Today lies on both. */
export type Side = 'past' | 'ahead';

/** A span of time that a text names. */
export interface TimePeriod {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** Whether it names a month without a year: the last such month is meant, or in an old store that of another year. */
  readonly ofAnyYear: boolean;
}
