import process from 'node:process';
import type { Browser } from 'playwright-core';
import { installedBrowser } from './installed-browser.ts';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The same engine without windows, in which a new page takes a quarter of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Where Chromium is, or null (on CI an error) with a message that says how to get it.
 * @param options.mayBeShell where nothing but the page matters: its shell without windows will do, and is taken where it is
 */
export function chromiumPath({ mayBeShell = false } = {}): string | null {
  return installedBrowser({
    name: 'Chromium',
    candidates: [
      process.env.CHROMIUM_PATH,
      ...(mayBeShell ? [SHELL] : []),
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ],
    advice: 'apt-get install chromium fonts-dejavu-core, or set CHROMIUM_PATH.',
  });
}

/** @param options.args switches of Chromium beside the usual ones */
export async function launchChromium(
  executablePath: string,
  { args = [] }: { readonly args?: readonly string[] } = {},
): Promise<Browser> {
  // Loaded by the files that open a browser alone: it takes half a second in each.
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath,
    headless: true,
    chromiumSandbox: false,
    // However long a busy machine takes: Jest ends what hangs.
    timeout: 0,
    args: [...ARGUMENTS, ...args],
  });
}
