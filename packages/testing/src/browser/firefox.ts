import process from 'node:process';
import type { Page } from 'puppeteer-core';
import { installedBrowser } from './installed-browser.ts';

/** A step that takes longer than this has failed, even on a busy machine. */
const STEP_LIMIT_MS = 40_000;
const VIEWPORT = { width: 1440, height: 900 };

export interface FirefoxPage {
  readonly page: Page;
  /** Errors and warnings of the console and uncaught errors, as they come. */
  readonly faults: readonly string[];
  /** Closes the browser. */
  close(): Promise<void>;
}

/** Where Firefox is, or null (on CI an error) with a message that says how to get it. */
export function firefoxPath(): string | null {
  return installedBrowser({
    name: 'Firefox',
    candidates: [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'],
    advice: 'apt-get install firefox-esr, or set FIREFOX_PATH.',
  });
}

/** An empty page of a Firefox as it is installed, which is driven by WebDriver BiDi. */
export async function openFirefoxPage(executablePath: string): Promise<FirefoxPage> {
  // Loaded by the files that open a browser alone.
  const { launch } = await import('puppeteer-core');
  // However long a busy machine takes: Jest ends what hangs.
  const browser = await launch({ browser: 'firefox', executablePath, headless: true, timeout: 0 });
  const page = await browser.newPage();
  await page.setViewport(VIEWPORT);
  page.setDefaultTimeout(STEP_LIMIT_MS);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, faults, close: () => browser.close() };
}
