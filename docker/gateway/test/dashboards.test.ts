import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Browser, chromiumPath, launchChromium, type Page } from '../../../packages/testing/src/index.ts';
import { exchange } from './exchange.ts';
import { hasNginx, type RealGateway, startGateway } from './real-gateway.ts';
import { type RealServices, startRealServices } from './real-services.ts';

const executablePath = chromiumPath();
const describeBrowser = hasNginx() && executablePath !== null ? describe : describe.skip;
/** A step that takes longer than this has failed, even on a busy machine. */
const STEP_LIMIT_MS = 40_000;

describeBrowser('the dashboards behind the gateway, in a browser', () => {
  let services: RealServices;
  let gateway: RealGateway;
  let browser: Browser;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    services = await startRealServices();
    gateway = await startGateway({ memoryUpstream: services.memoryAddress, timingUpstream: services.timingAddress });
    keys.set('ann', await gateway.createKey('ann', 'agent-rw'));
    keys.set('tea', await gateway.createKey('tea', 'team-admin'));
    browser = await launchChromium(executablePath as string);
    await post('/ingest', { content: 'The release train leaves on Thursday at noon.' });
    await post('/timing/events/task-start', { task_type: 'run the tests', correlation_id: 'run-1' });
  });

  afterAll(async () => {
    await browser.close();
    await gateway.stop();
    await services.close();
  });

  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${keys.get('ann')}`, 'Content-Type': 'application/json' };
    const answer = await exchange(gateway.plainPort, { method: 'POST', path, headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };

  let page: Page;
  let faults: string[];
  let paths: string[];

  beforeEach(() => {
    faults = [];
    paths = [];
  });
  afterEach(() => page.context().close());

  /** Asked for a name and a password, this person gives any name, and the key. */
  async function openAs(person: string | null): Promise<void> {
    const password = person === null ? null : (keys.get(person) as string);
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      ...(password !== null && { httpCredentials: { username: 'anybody', password } }),
    });
    page = await context.newPage();
    page.setDefaultTimeout(STEP_LIMIT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  }
  const goto = (path: string) => page.goto(`https://127.0.0.1:${gateway.tlsPort}${path}`);

  test('who has no key gets no page', async () => {
    await openAs(null);
    // What Chromium says when it has nobody to ask for a password.
    for (const path of ['/dashboard', '/timing/dashboard']) {
      await expect(goto(path)).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS');
    }
  });

  test('the timing dashboard shows the work of all agents to an administrator, live, below its prefix', async () => {
    await openAs('tea');
    expect((await goto('/timing/dashboard'))?.status()).toBe(200);
    await page.locator('#active').getByText('run the tests').waitFor();
    await page.locator('#connection[data-state="live"]').waitFor();
    await post('/timing/events/task-start', { task_type: 'deploy', correlation_id: 'run-2' });
    await page.locator('#active').getByText('deploy').waitFor();
    expect(faults).toEqual([]);
    expect(paths.filter((path) => !path.startsWith('/timing/') && !path.startsWith('image/'))).toEqual([]);
    expect(await page.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe('docs');
  });

  test('the timing dashboard is not for agents', async () => {
    await openAs('ann');
    expect((await goto('/timing/dashboard'))?.status()).toBe(403);
  });

  test('the memory dashboard shows what the agent of the key may see, and changes what its role may change', async () => {
    await openAs('tea');
    expect((await goto('/dashboard#view=browse'))?.status()).toBe(200);
    await page.getByText('The release train leaves on Thursday at noon.').first().waitFor();
    expect(faults).toEqual([]);
    const asPage = (method: string, path: string) =>
      page.evaluate(
        ([way, to]) => fetch(to as string, { method: way as string }).then(({ status }) => status),
        [method, path],
      );
    expect(await asPage('POST', '/save')).toBe(409);
    expect(await asPage('DELETE', '/memory/none')).toBe(403);
  });

  test('the documentation tries operations below the prefix', async () => {
    await openAs('tea');
    await goto('/timing/docs');
    await page.locator('#operations-service-getHealth').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    expect(paths).toContain('/timing/health');
    expect(paths).not.toContain('/health');
  });
});
