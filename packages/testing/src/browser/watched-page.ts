import type { Browser, Page, Request } from 'playwright-core';

/** A step that takes longer than this has failed, even on a busy machine. */
const STEP_LIMIT_MS = 40_000;
const HEIGHT = 900;

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors and dialogs, as they come. */
  readonly faults: string[];
  /** Every request, as they are sent. */
  readonly requests: Request[];
}

/** An empty page in a context of its own, in Berlin's time. @param options.width in CSS pixels */
export async function openWatchedPage(browser: Browser, { width }: { readonly width: number }): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_LIMIT_MS);
  const faults: string[] = [];
  const requests: Request[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request));
  return { page, faults, requests };
}
