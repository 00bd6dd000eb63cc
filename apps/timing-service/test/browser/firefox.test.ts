/// <reference lib="dom" />
import { type FirefoxPage, firefoxPath, openFirefoxPage } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = firefoxPath();

(executablePath === null ? describe.skip : describe)('the dashboard in Firefox', () => {
  let service: RealService;
  let firefox: FirefoxPage;

  beforeAll(async () => {
    service = await startRealService();
    firefox = await openFirefoxPage(executablePath as string);
  });
  afterAll(async () => {
    await firefox?.close();
    await service?.remove();
  });

  test('shows what ran, what runs and how long it takes, as it happens', async () => {
    const { page, faults } = firefox;
    const task = { task_type: 'run tests', correlation_id: 'first' };
    await service.post('/events/task-start', { ...task, estimated_seconds: 60 });
    await service.post('/events/task-end', task);
    await page.goto(`${service.url}/dashboard`);
    await page.waitForSelector('#connection[data-state="live"]');
    // By the chart library, by templates, and in the name of all agents.
    await page.waitForSelector('#detail canvas');
    await page.waitForSelector('.calibration-plot circle');
    await service.post('/events/task-start', { task_type: 'write changelog', correlation_id: 'second' });
    await page.locator('.active-row ::-p-text(write changelog)').click();
    await page.waitForSelector('#detail h2::-p-text(write changelog)');
    expect(new URL(page.url()).hash).toContain('type=write');
    await page.locator('[aria-label="Open task first"]').click();
    await page.waitForSelector('#task[open] .task-events');
    expect(faults).toEqual([]);
  });
});
