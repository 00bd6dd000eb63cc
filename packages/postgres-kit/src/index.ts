export { copiedRow } from './copied-row.ts';
export { AnswerLostError, isAway, isDiskFault, isPassing, PostgresError } from './faults.ts';
export { pauseWithJitter } from './jitter.ts';
export { migratePostgres } from './migrate.ts';
export { openPostgres, type Postgres, type PostgresOptions, type Statement } from './postgres.ts';
export { retryWhileAway } from './retry-while-away.ts';
export { isStoreUrl, parseStoreUrl, type StoreUrl } from './store-url.ts';
