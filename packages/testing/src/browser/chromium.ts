import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Chromium is, or null (on CI an error) with a message that says how to get it. */
export function chromiumPath(): string | null {
  const found = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  if (found !== undefined) return found;
  const advice = 'Chromium was not found: apt-get install chromium fonts-dejavu-core, or set CHROMIUM_PATH.';
  if (process.env.CI === 'true') throw new Error(advice);
  console.warn(`${advice} The tests of the dashboard are skipped.`);
  return null;
}

/** @param options.args switches of Chromium beside the usual ones */
export function launchChromium(
  executablePath: string,
  { args = [] }: { readonly args?: readonly string[] } = {},
): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: [...ARGUMENTS, ...args] });
}
