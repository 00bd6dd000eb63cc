export type { Browser, Page } from 'playwright-core';
export { chromiumPath, launchChromium } from './chromium.ts';
export { openWatchedPage, type WatchedPage } from './watched-page.ts';
