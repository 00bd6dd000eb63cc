/** How many days a period has. */
export const DAYS_OF = new Map(
  Object.entries({ minute: 1 / 1440, hour: 1 / 24, day: 1, night: 1, week: 7, month: 30.4, quarter: 91, year: 365 }),
);

/** How many days lie between two times of what happens so often. */
export const DAYS_APART = new Map(
  Object.entries({
    hourly: 1 / 24,
    daily: 1,
    nightly: 1,
    weekly: 7,
    fortnightly: 14,
    monthly: 30.4,
    quarterly: 91,
    yearly: 365,
    annually: 365,
  }),
);
