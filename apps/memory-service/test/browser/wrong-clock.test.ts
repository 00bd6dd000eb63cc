/// <reference lib="dom" />
import { type Browser, chromiumPath, launchChromium, openWatchedPage } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const HOUR_MS = 3_600_000;

(executablePath === null ? describe.skip : describe)('the dashboard where the clock of the browser is wrong', () => {
  let browser: Browser;
  let service: RealService;

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService({ embedder: null });
    service.clock.advance(Date.now() - service.clock.now());
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    /** In Berlin, as the pages are. */
    const tomorrow = new Date(Date.now() + 24 * HOUR_MS).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
    await service.call('POST', '/ingest', 'ann', { content: 'The quay is closed.', timestamp: hoursAgo(25) });
    await service.call('POST', '/ingest', 'ann', {
      content: 'The pump is broken.',
      timestamp: hoursAgo(24 * 9),
      valid_until: hoursAgo(1),
    });
    await service.call('POST', '/ingest', 'ann', { content: `The ferry is painted on ${tomorrow}.` });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test.each([-26, 0, 26])("shows the days of the service's clock, %i hours off", async (hours) => {
    const { page, faults } = await openWatchedPage(browser, { width: 1440 });
    await page.clock.setFixedTime(Date.now() + hours * HOUR_MS);
    await page.goto(`${service.url}/dashboard#agent=ann`);
    const today = page.locator('.tile', { hasText: 'Learnt today' }).locator('dd');
    await today.waitFor();
    expect(await today.textContent()).toBe('1');
    const row = page.locator('.agent-table tbody tr');
    await row.getByRole('link', { name: '1 learnt today by ann' }).waitFor();
    const coming = page.getByRole('region', { name: 'Coming up' });
    await coming.getByText('The ferry is painted').waitFor();
    expect(await coming.locator('h3').allTextContents()).toEqual([expect.stringMatching(/^Tomorrow /)]);

    await today.getByRole('link').click();
    await page.locator('#browse .memory').first().waitFor();
    expect(await page.locator('#browse .memory-gist').allTextContents()).toEqual([expect.stringContaining('ferry')]);
    await page.goto(`${service.url}/dashboard#agent=ann&view=browse`);
    const ended = page.locator('#browse .memory', { has: page.getByText('ended', { exact: true }) });
    await ended.waitFor();
    expect(await ended.locator('.memory-gist').allTextContents()).toEqual(['The pump is broken.']);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
