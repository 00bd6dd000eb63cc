/// <reference lib="dom" />
import { type FirefoxPage, firefoxPath, openFirefoxPage } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = firefoxPath();
const SAID = 'The ferry to Marrow Island leaves at nine.';

(executablePath === null ? describe.skip : describe)('the dashboard in Firefox', () => {
  let service: RealService;
  let firefox: FirefoxPage;

  beforeAll(async () => {
    service = await startRealService({ embedder: null });
    service.clock.advance(Date.now() - service.clock.now());
    firefox = await openFirefoxPage(executablePath as string);
  });
  afterAll(async () => {
    await firefox?.close();
    await service?.close();
  });

  test('shows what was said as it is said, its lanes, and one memory with what can be done to it', async () => {
    const { page, faults } = firefox;
    await service.call('POST', '/ingest', 'ann', { content: 'The depot opens at seven.', session_id: 'talk' });
    await page.goto(`${service.url}/dashboard#agent=ann`);
    await page.waitForSelector('.agent-table');
    await page.waitForSelector('#live[data-state="live"]');
    await service.call('POST', '/ingest', 'ann', { content: SAID, session_id: 'talk' });
    await page.waitForSelector(`.short-list ::-p-text(${SAID})`);
    await page.locator('#views ::-p-text(Timeline)').click();
    await page.waitForSelector('.lane-points circle');
    await page.locator('#views ::-p-text(Browse)').click();
    await page.locator(`.memory-gist::-p-text(${SAID})`).click();
    await page.waitForSelector('#detail[open] .detail-actions');
    expect(new URL(page.url()).hash).toContain('memory=');
    expect(faults).toEqual([]);
  });
});
