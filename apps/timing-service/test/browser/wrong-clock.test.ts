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
    service = await startRealService();
    await service.post('/events/task-start', { task_type: 'run tests', correlation_id: 'run-1' });
    await service.post('/events/task-end', { task_type: 'run tests', correlation_id: 'run-1', outcome: 'ok' });
    await service.post('/events/task-start', { task_type: 'build', correlation_id: 'run-2' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  test.each([-26, 0, 26])("shows the time of the service's clock, %i hours off", async (hours) => {
    const { page, faults } = await openWatchedPage(browser, { width: 1440 });
    await page.clock.setFixedTime(Date.now() + hours * HOUR_MS);
    await page.goto(`${service.url}/dashboard`);
    await page.locator('.bar-group').nth(1).waitFor();
    expect(await page.locator('.bar-group').count()).toBe(2);
    await page.locator('#timeline').getByText('2 tasks', { exact: true }).waitFor();
    expect(await page.getByText('could not be read').count()).toBe(0);
    // It began just now.
    expect(await page.locator('.active-elapsed').textContent()).toMatch(/^\d+ s$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
