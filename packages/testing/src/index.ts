export type { Browser, Page } from 'playwright-core';
export { chromiumPath, launchChromium } from './browser/chromium.ts';
export { openWatchedPage, type WatchedPage } from './browser/watched-page.ts';
export { type CommandCall, recordCommand } from './commands/recorded-command.ts';
export { contractOperations, readContract } from './contract/operations.ts';
export { copyOfKilled } from './files/copy-of-killed.ts';
export { breakUploadOff } from './http/broken-upload.ts';
export { EventReader, openEventReader } from './http/event-reader.ts';
