export type { Browser, Page } from 'playwright-core';
export { chromiumPath, launchChromium } from './browser/chromium.ts';
export {
  type BlankPages,
  REBINDING,
  REBOUND_HOST,
  readInEveryWay,
  sendInEveryWay,
  serveBlankPages,
  WAYS,
} from './browser/foreign-pages.ts';
export { openWatchedPage, type WatchedPage } from './browser/watched-page.ts';
export { type CommandCall, recordCommand } from './commands/recorded-command.ts';
