export type { Browser, Page } from 'playwright-core';
export { chromiumPath, launchChromium } from './browser/chromium.ts';
export { type FirefoxPage, firefoxPath, openFirefoxPage } from './browser/firefox.ts';
export {
  ARABIC_NAME,
  arabicNames,
  axeFaults,
  axeFaultsInBothSchemes,
  layoutShift,
  loadedAssets,
} from './browser/page-quality.ts';
export { openWatchedPage, type WatchedPage } from './browser/watched-page.ts';
export { type CommandCall, recordCommand } from './commands/recorded-command.ts';
export { contractOperations, readContract } from './contract/operations.ts';
export { mostInATurn } from './event-loop/most-in-a-turn.ts';
export { copyOfKilled } from './files/copy-of-killed.ts';
export { breakUploadOff } from './http/broken-upload.ts';
export { EventReader, openEventReader } from './http/event-reader.ts';
export { freePort } from './network/free-port.ts';
export {
  hasPgbouncer,
  type Pgbouncer,
  type PgbouncerOptions,
  pgbouncerVersion,
  startPgbouncer,
} from './postgres/pgbouncer.ts';
export { hasPgvector, hasPostgres } from './postgres/postgres-binaries.ts';
export { type PostgresServer, startPostgres } from './postgres/postgres-server.ts';
export { openTestDatabases, type TestDatabases } from './postgres/test-database.ts';
