export type { Browser, Page } from 'playwright-core';
export { chromiumPath, launchChromium } from './chromium.ts';
export {
  type BlankPages,
  REBINDING,
  REBOUND_HOST,
  readInEveryWay,
  sendInEveryWay,
  serveBlankPages,
  WAYS,
} from './foreign-pages.ts';
export { openWatchedPage, type WatchedPage } from './watched-page.ts';
