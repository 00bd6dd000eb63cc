/// <reference lib="dom" />
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ARABIC_NAME,
  arabicNames,
  axeFaults,
  type Browser,
  chromiumPath,
  launchChromium,
  loadedAssets,
  openWatchedPage,
  type WatchedPage,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
const LONG_NAME = `type ${'x'.repeat(123)}`;

/** 40 runs of `run tests` from 10 s to 49 s, 25 of `build`, and one type with a hostile and one with a long name. */
function history(nowMs: number): string {
  const types = [
    { type: 'run tests', runs: 40, agent: 'tester-ci', seconds: (i: number) => 10 + i },
    { type: 'build', runs: 25, agent: 'coder-codex', seconds: (i: number) => 5 + (i % 7) },
    { type: HOSTILE_NAME, runs: 3, agent: 'planner-claude', seconds: () => 2 },
    { type: LONG_NAME, runs: 2, agent: 'planner-claude', seconds: () => 3 },
  ];
  return types
    .flatMap(({ type, runs, agent, seconds }, typeIndex) =>
      Array.from({ length: runs }, (_, i) => {
        const startedMs = nowMs - (i + 1) * 80_000 - 120_000;
        return JSON.stringify({
          kind: 'task',
          correlation_id: `past-${typeIndex}-${i}`,
          agent_id: agent,
          task_type: type,
          state: 'ended',
          outcome: type === 'build' && i % 5 === 0 ? 'error' : 'ok',
          started_at: new Date(startedMs).toISOString(),
          ended_at: new Date(startedMs + seconds(i) * 1000).toISOString(),
          estimated_seconds: null,
          metadata: null,
        });
      }),
    )
    .join('\n');
}

const record = (type: string, id: string, startedMs: number) => ({
  kind: 'task',
  correlation_id: id,
  agent_id: 'coder-codex',
  task_type: type,
  state: 'ended',
  outcome: 'ok' as string | null,
  started_at: new Date(startedMs).toISOString(),
  estimated_seconds: null,
  metadata: null,
});

(executablePath === null ? describe.skip : describe)('dashboard', () => {
  let browser: Browser;
  let service: RealService;
  let page: WatchedPage['page'];
  let faults: string[];
  let requests: WatchedPage['requests'];
  /** A stopped service makes the browser log failed requests; tests that stop it allow that. */
  let mayFail = false;

  async function open(fragment = '', { width = 1440, height = 900, query = '' } = {}): Promise<void> {
    ({ page, faults, requests } = await openWatchedPage(browser, { width }));
    await page.setViewportSize({ width, height });
    await page.goto(`${service.url}/dashboard${query}${fragment}`);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.locator('#types tbody tr').first().waitFor();
  }

  const urls = () => requests.map((request) => request.url());
  const addressState = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
  const activeTask = (name: string) => page.locator('.active-row', { hasText: name });
  const typeRow = (name: string) =>
    page.locator('#types tbody tr').filter({ has: page.getByText(name, { exact: true }) });
  const startTask = (type: string, id: string) =>
    service.post('/events/task-start', { task_type: type, correlation_id: id });
  const endTask = (type: string, id: string) =>
    service.post('/events/task-end', { task_type: type, correlation_id: id });

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService();
    await service.post('/import', history(Date.now()));
    await startTask('write the manual', 'already-running');
    await service.post('/events', { event_type: 'deploy', metadata: { commit: '4f2a9c1' } }, 'planner-claude');
    await service.post('/stopwatch/whole%20feature/start', undefined, 'planner-claude');
  });

  beforeEach(() => {
    mayFail = false;
  });

  afterEach(async () => {
    await page.context().close();
    if (!mayFail) expect(faults).toEqual([]);
    expect(urls().filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  test('shows the task types, active tasks, events and stopwatches of the API', async () => {
    await open();
    // Expected values by hand: runs of 10 to 49 s have rank floor(40 * 0.95) = 38, so p95 is 48 s.
    const row = typeRow('run tests');
    expect(await row.locator('.cell-count').textContent()).toBe('40');
    expect(await row.locator('.cell-p95 span').first().textContent()).toBe('48.0 s');
    expect(await row.locator('.cell-confidence').textContent()).toBe('high');
    expect(await typeRow('build').locator('.cell-failures').textContent()).toBe('20 %');
    await activeTask('write the manual').waitFor();
    // Begun just now, whatever the opening of the page takes.
    await startTask('run tests', 'begun-now');
    await activeTask('run tests').locator('.risk').getByText('low').waitFor();
    await page.locator('#events tr[data-event-type="deploy"]').getByText('4f2a9c1').waitFor();
    await page.locator('#stopwatches').getByText('whole feature').waitFor();
    expect(await page.locator('.lane').count()).toBe(3);
  });

  test('is one script and one style sheet, which are named after what is in them', async () => {
    await open();
    expect(await loadedAssets(page)).toEqual(['/dashboard/assets/main-HASH.css', '/dashboard/assets/main-HASH.js']);
  });

  test('shows the space that its address names, and its changes', async () => {
    await service.post('/events/task-start?space=team-b', { task_type: 'plan', correlation_id: 'b-1' });
    await service.post('/events/task-end?space=team-b', { task_type: 'plan', correlation_id: 'b-1' });
    await open('', { query: '?space=team-b' });
    expect(await page.locator('#types tbody tr').count()).toBe(1);
    await typeRow('plan').waitFor();
    await service.post('/events/task-start?space=team-b', { task_type: 'plan', correlation_id: 'b-2' });
    await activeTask('plan').waitFor();
    expect(await page.getByLabel('Space').inputValue()).toBe('team-b');
    await page.getByLabel('Space').fill('');
    await page.keyboard.press('Enter');
    await typeRow('run tests').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('shows a new task as it starts and takes it away as it ends, without a reload', async () => {
    await open();
    const loads = urls().filter((url) => url.endsWith('/dashboard')).length;
    await startTask('write changelog', 'live-1');
    await activeTask('write changelog').waitFor();
    expect(await activeTask('write changelog').locator('.risk').textContent()).toContain('unknown');
    await endTask('write changelog', 'live-1');
    await activeTask('write changelog').waitFor({ state: 'detached' });
    await typeRow('write changelog').locator('.cell-count').getByText('1', { exact: true }).waitFor();
    expect(urls().filter((url) => url.endsWith('/dashboard')).length).toBe(loads);
  });

  test('asks for statistics at most once a second however many tasks end', async () => {
    await open();
    const asked = () => urls().filter((url) => url.includes('/stats/durations?')).length;
    const before = asked();
    const startedMs = Date.now();
    for (let i = 0; i < 60; i += 1) {
      await startTask('burst', `burst-${i}`);
      await endTask('burst', `burst-${i}`);
    }
    await typeRow('burst').locator('.cell-count').getByText('60', { exact: true }).waitFor();
    expect(asked() - before).toBeLessThanOrEqual((Date.now() - startedMs) / 1000 + 2);
  });

  test('says that the service is down, keeps the last data, and resumes without losing an event', async () => {
    mayFail = true;
    await open();
    await service.stop();
    await page.locator('#banner').getByText('The service does not answer').waitFor();
    expect(await page.locator('#connection').textContent()).toBe('Offline');
    expect(await typeRow('run tests').isVisible()).toBe(true);
    await service.start();
    // Sent at once, before the page has connected again.
    await service.post('/events', { event_type: 'while_away' });
    await page.locator('#events tr[data-event-type="while_away"]').waitFor();
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(await page.locator('#banner').isHidden()).toBe(true);
    await startTask('after restart', 'restart-1');
    await activeTask('after restart').waitFor();
    await endTask('after restart', 'restart-1');
  });

  test('says in its own words that its address names more than the service takes', async () => {
    mayFail = true;
    await open();
    const long = 'x'.repeat(129);
    for (const [fragment, what] of [
      [`agent=${long}`, 'agent'],
      [`project=${long}`, 'project'],
      [`event_type=${long}`, 'event'],
    ]) {
      await page.goto('about:blank');
      await page.goto(`${service.url}/dashboard#${fragment}`);
      await page.locator('#banner').getByText(`No ${what} has a name of more than 128 characters`).waitFor();
    }
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#until=%2B012026-01-01T00:00:00Z`);
    await page.locator('#types tbody tr').first().waitFor();
    expect(await page.locator('#banner').isHidden()).toBe(true);
  });

  test('closes the stream in a hidden tab and resumes behind the last id when it is shown', async () => {
    await open();
    await service.post('/events', { event_type: 'before_hiding' });
    await page.locator('#events tr[data-event-type="before_hiding"]').waitFor();
    const setVisibility = (state: string) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/events/stream'));
    await setVisibility('hidden');
    await closed;
    await service.post('/events', { event_type: 'while_hidden' });
    expect(await page.locator('#events tr[data-event-type="while_hidden"]').count()).toBe(0);
    await setVisibility('visible');
    await page.locator('#events tr[data-event-type="while_hidden"]').waitFor();
    expect(urls().some((url) => /\/events\/stream\?.*last_event_id=\d+/.test(url))).toBe(true);
  });

  test('shows a name that looks like HTML as text', async () => {
    await open();
    await typeRow(HOSTILE_NAME).getByRole('button').click();
    await page.locator('#detail h2', { hasText: HOSTILE_NAME }).waitFor();
    await page.locator('#detail .uplot').first().waitFor();
    await startTask(HOSTILE_NAME, 'hostile-1');
    await activeTask(HOSTILE_NAME).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await endTask(HOSTILE_NAME, 'hostile-1');
  });

  test('is usable by keyboard: agent, type, slider', async () => {
    await open();
    const tabTo = async (selector: string) => {
      for (let i = 0; i < 80; i += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip-link');
    await tabTo('#agent-select');
    // No build runs, so no task lasts longer than the end of the slider.
    await tabTo('#types tbody tr[data-key="build"] button');
    await page.keyboard.press('Enter');
    await page.locator('#detail h2', { hasText: 'build' }).waitFor();
    await page.locator('#whatif-slider').waitFor();
    expect(addressState().get('type')).toBe('build');
    await tabTo('#whatif-slider');
    const share = () => page.locator('.whatif-verdict').textContent();
    const before = await share();
    await page.keyboard.press('Home');
    expect(await share()).toContain('Cuts 100 % of runs');
    expect(await share()).not.toBe(before);
    expect(await page.locator('#whatif-slider').getAttribute('aria-valuetext')).toContain('cuts 100 % of runs');
    await page.keyboard.press('End');
    expect(await share()).toContain('Cuts 0 % of runs');
  });

  test('shows one agent alone, and keeps the choice in the address', async () => {
    await open();
    await page.locator('#agent-select').selectOption('tester-ci');
    await typeRow('build').waitFor({ state: 'detached' });
    await typeRow('run tests').waitFor();
    expect(addressState().get('agent')).toBe('tester-ci');
    await page.goBack();
    await typeRow('build').waitFor();
    await page.goto(`${service.url}/dashboard#agent=coder-codex&type=build&range=6h`);
    await page.locator('#detail h2', { hasText: 'build' }).waitFor();
    expect(await page.locator('#agent-select').inputValue()).toBe('coder-codex');
    expect(await page.locator('[data-range="6h"]').getAttribute('aria-pressed')).toBe('true');
  });

  test('shows one project alone with what belongs to none, and keeps the choice in the address', async () => {
    await open();
    expect(await page.locator('#project-field').isHidden()).toBe(true);
    const start = { task_type: 'sell', correlation_id: 'sell-1', project: 'web-shop' };
    await service.post('/events/task-start', start);
    await service.post('/events/task-start', { ...start, task_type: 'write', correlation_id: 'w-1', project: 'blog' });
    await page.locator('#active', { hasText: 'coder-codex · blog' }).waitFor();
    await page.locator('#project-select').selectOption('web-shop');
    await page.locator('#active', { hasText: 'coder-codex · web-shop' }).waitFor();
    await page.locator('#active', { hasText: 'coder-codex · blog' }).waitFor({ state: 'detached' });
    await typeRow('build').waitFor();
    expect(addressState().get('project')).toBe('web-shop');
    await service.post('/events', { event_type: 'posted', project: 'blog' });
    await service.post('/events', { event_type: 'sold', project: 'web-shop' });
    await page.locator('#events tr[data-event-type="sold"]').waitFor();
    expect(await page.locator('#events tr[data-event-type="posted"]').count()).toBe(0);
    await page.goto(`${service.url}/dashboard#project=blog&agent=coder-codex`);
    await page.locator('#active', { hasText: 'coder-codex · blog' }).waitFor();
    expect(await page.locator('#project-select').inputValue()).toBe('blog');
    await service.post('/events/task-end', start);
    await service.post('/events/task-end', { ...start, task_type: 'write', correlation_id: 'w-1', project: 'blog' });
  });

  test('shows any time that has passed, and goes back to now', async () => {
    const task = (type: string, startedAt: string, endedAt: string) =>
      JSON.stringify({
        kind: 'task',
        correlation_id: type,
        agent_id: 'coder-codex',
        task_type: type,
        state: 'ended',
        outcome: 'ok',
        started_at: `2026-03-01T${startedAt}:00.000Z`,
        ended_at: `2026-03-01T${endedAt}:00.000Z`,
        estimated_seconds: null,
        metadata: null,
      });
    const tasks = [task('long', '09:10', '10:05'), task('early', '10:10', '10:20'), task('late', '11:10', '11:20')];
    await service.post('/import?space=march', tasks.join('\n'));
    await open('#until=2026-03-01T10:30:00.000Z', { query: '?space=march' });
    const bars = (count: number) =>
      page.waitForFunction((wanted) => document.querySelectorAll('.lane .bar-group').length === wanted, count);
    // What began before the span and reaches into it, and what lies in it.
    await bars(2);
    await page.locator('#timeline .card-note', { hasText: '1 Mar 2026' }).waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await bars(1);
    expect(addressState().get('until')).toBe('2026-03-01T11:30:00.000Z');
    await page.locator('[data-range="6h"]').click();
    await bars(3);
    await page.locator('#timeline-until').fill('2026-02-01T10:30');
    await page.getByText('No task in this time.').waitFor();
    await page.goBack();
    await bars(3);
    await page.getByRole('button', { name: 'Now' }).click();
    await page.getByText('No task in the last 6 h.').waitFor();
    expect(addressState().get('until')).toBeNull();
    // An end that has not come yet is taken for now, and the field says so.
    await page.locator('#timeline-until').fill('2999-01-01T00:00');
    expect(await page.locator('#timeline-until').inputValue()).toBe('');
    expect(addressState().get('until')).toBeNull();
    expect(await page.getByRole('button', { name: 'Later' }).isDisabled()).toBe(true);
  });

  test('keeps the focus on a button that has nothing more to do', async () => {
    for (let at = 0; at < 60; at += 1)
      await service.post('/events?space=many', { event_type: 'deploy', metadata: { at } }, 'planner-claude');
    await service.post('/events/task-start?space=many', { task_type: 'plan', correlation_id: 'many-plan' });
    const until = new Date(Date.now() - 60_000).toISOString();
    await open(`#until=${until}`, { query: '?space=many' });
    const focused = () => page.locator(':focus').textContent();
    await page.getByRole('button', { name: 'Later' }).press('Enter');
    await page.waitForFunction(() => location.hash === '');
    expect(await focused()).toBe('Later');
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/events\?.*cursor=/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Load more' }).press('Enter');
    await page.locator('[aria-disabled="true"]', { hasText: 'Load more' }).waitFor();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await focused()).toBe('Load more');
    answer();
    await page.locator('#events .card-note').getByText('61 of 61').waitFor();
  });

  test('wastes no room: no scroll bar of a short page, no empty card as high as its neighbour', async () => {
    await open('#agent=planner-claude', { height: 4_000 });
    const heights = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    expect(heights[0]).toBe(heights[1]);
    await page.locator('#active').getByText('Nothing is running.').waitFor();
    expect((await page.locator('#active').boundingBox())?.height).toBeLessThan(140);
    // What takes longest comes before the time of the range, and nothing short stands beside the estimates.
    const [types, spent, estimates, compare] = await Promise.all(
      ['#types', '#time-spent', '#calibration', '#compare'].map(
        async (card) =>
          (await page.locator(card).boundingBox()) as { x: number; y: number; width: number; height: number },
      ),
    );
    expect(types?.y).toBeLessThan(spent?.y ?? 0);
    expect(estimates?.width).toBe(spent?.width);
    // Few types are about as high as the comparison, and the detail of one is as wide as both.
    expect([compare?.y, compare?.height]).toEqual([types?.y, types?.height]);
    expect((await page.locator('#detail').boundingBox())?.width).toBe(spent?.width);
    const chart = (await page.locator('#detail .chart').first().boundingBox()) as { y: number; height: number };
    const save = await page.getByRole('button', { name: 'Save picture: Durations' }).boundingBox();
    expect((save?.y ?? 0) - chart.y - chart.height).toBeLessThan(12);
  });

  test('leaves no card beside many overdue tasks half empty', async () => {
    const overdue = Array.from({ length: 8 }, (_, place) => {
      const task = record('build', `overdue-${place}`, Date.now() - 3_600_000);
      return JSON.stringify({ ...task, agent_id: 'crowded', state: 'active', outcome: null, ended_at: null });
    });
    await service.post('/import', overdue.join('\n'));
    await open('#agent=crowded&range=6h');
    await page.locator('.active-row').nth(4).waitFor();
    const boxOf = async (card: string) =>
      (await page.locator(card).boundingBox()) as { x: number; y: number; height: number };
    const [active, timeline, stopwatches] = await Promise.all(['#active', '#timeline', '#stopwatches'].map(boxOf));
    expect(stopwatches?.x).toBe(timeline?.x);
    const bottom = (box: typeof active) => (box?.y ?? 0) + (box?.height ?? 0);
    expect(bottom(stopwatches)).toBe(bottom(active));
    const last = await boxOf('#timeline > .alternative');
    expect(bottom(timeline) - bottom(last)).toBeLessThan((timeline?.height ?? 0) / 3);
    await page.getByRole('button', { name: 'Show all 8 tasks' }).click();
    await page.locator('.active-row').nth(7).waitFor();
    // The other tests look for their own tasks among the first.
    for (let place = 0; place < 8; place += 1)
      await service.post('/events/task-end', { task_type: 'build', correlation_id: `overdue-${place}` }, 'crowded');
    await page.locator('#active').getByText('Nothing is running.').waitFor();
  });

  test('shows a type in two lines on a phone, and says what each figure is', async () => {
    await open('', { width: 375 });
    const row = typeRow('run tests');
    expect((await row.boundingBox())?.height).toBeLessThan(60);
    const shown = (cell: string, pseudo: string) =>
      row.locator(cell).evaluate((element, of) => getComputedStyle(element, of).content, pseudo);
    expect(await shown('.cell-count', '::after')).toBe('" runs"');
    expect(await shown('.cell-p95', '::before')).toBe('"p95 "');
  });

  test('shows on a phone whose tasks and which project are chosen', async () => {
    await service.post('/events/task-start?space=chosen&project=web-shop', { task_type: 'build' });
    await open('', { width: 375, query: '?space=chosen' });
    await page.locator('#project-select').waitFor();
    /** Beside the text of the choice and the arrow. */
    const roomLeft = (element: Element) => {
      const select = element as HTMLSelectElement;
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      context.font = font;
      const text = context.measureText(select.selectedOptions[0]?.text ?? '').width;
      return select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - 20 - text;
    };
    for (const select of ['#agent-select', '#project-select'])
      expect(await page.locator(select).evaluate(roomLeft)).toBeGreaterThanOrEqual(0);
  });

  // On a phone, on a page of 1440 px at 200 %, and beside a wide table.
  test.each([375, 720, 1024])(
    'shows an event in two lines at most, and the way to its task, %d px wide',
    async (width) => {
      const id = `two-lines-${width}`;
      await startTask('two lines', id);
      await open('', { width });
      const row = page.locator('#events tbody tr', { hasText: 'two lines' }).first();
      expect((await row.boundingBox())?.height).toBeLessThan(60);
      const [cell, opener] = [row.locator('.event-cell-task'), row.getByRole('button', { name: `Open task ${id}` })];
      const rightOf = async (part: typeof cell) => {
        const box = await part.boundingBox();
        return (box?.x ?? 0) + (box?.width ?? 0);
      };
      expect(await rightOf(opener)).toBeLessThanOrEqual(await rightOf(cell));
      await opener.click();
      await page.locator('#task[open]').waitFor();
      await endTask('two lines', id);
    },
  );

  test('leads from a figure at a glance to what it counts', async () => {
    const startedMs = Date.now() - 7_200_000;
    const ended = Array.from({ length: 6 }, (_, at) => ({
      ...record('build', `late-${at}`, startedMs - at * 60_000),
      ended_at: new Date(startedMs - at * 60_000 + 5_000).toISOString(),
    }));
    const active = { state: 'active', outcome: null };
    const once = { ...record('lint', 'once', startedMs), ended_at: new Date(startedMs + 5_000).toISOString() };
    const running = [
      { ...record('build', 'late', startedMs), ...active },
      { ...record('plan', 'new', startedMs), ...active },
      { ...record('lint', 'again', startedMs), ...active },
    ];
    const lines = [...ended, once, ...running].map((one) => JSON.stringify(one)).join('\n');
    await service.post('/import?space=late', lines);
    await open('', { width: 375, query: '?space=late' });
    await page.getByRole('button', { name: 'Overdue: 1, show' }).click();
    await page.getByRole('heading', { name: 'Overdue tasks' }).waitFor();
    expect(await page.locator('.active-row .link-button').allTextContents()).toEqual(['build']);
    expect(addressState().get('active')).toBe('overdue');
    const below = await page.evaluate(() => {
      const header = document.querySelector('.page-header') as HTMLElement;
      return (
        (document.activeElement as HTMLElement).getBoundingClientRect().top - header.getBoundingClientRect().bottom
      );
    });
    expect(below).toBeGreaterThanOrEqual(0);
    await page.getByRole('button', { name: 'Show all that run' }).click();
    expect(await page.locator('.active-row').count()).toBe(3);
    expect(await page.locator(':focus').getAttribute('id')).toBe('active-heading');
    await activeTask('lint').getByText('p50 5.0 s · p95 5.0 s of 1 run, too few to judge by').waitFor();
    expect(await activeTask('lint').getAttribute('data-level')).toBe('unknown');
    await page.goBack();
    await page.getByRole('heading', { name: 'Overdue tasks' }).waitFor();
    await page.getByRole('button', { name: 'Failures: 0 %, show' }).click();
    await page.locator('#types [data-column="failures"][aria-sort="descending"]').waitFor();
    await page.getByRole('button', { name: 'Agents: 1, show' }).click();
    expect(addressState().get('spent_by')).toBe('agent');
  });

  test('filters events by type and by text', async () => {
    await open();
    await page.locator('#filter-event-type').focus();
    // No longer than the service takes it.
    await page.keyboard.insertText('x'.repeat(200));
    expect(await page.locator('#filter-event-type').inputValue()).toHaveLength(128);
    await page.locator('#filter-event-type').fill('deploy');
    await page.keyboard.press('Enter');
    await page.locator('#events tr[data-event-type="task_start"]').first().waitFor({ state: 'detached' });
    expect(await page.locator('#events tbody tr').count()).toBe(1);
    await page.locator('#filter-text').fill('no such text');
    await page.getByText('No loaded event matches these filters.').waitFor();
  });

  test('keeps in the address by what events are filtered and types are sorted', async () => {
    await open();
    const [taskType, eventType] = [page.locator('#filter-task-type'), page.locator('#filter-event-type')];
    const filters = async () => [await eventType.inputValue(), await taskType.inputValue()];
    const asked = (query: RegExp) => page.waitForResponse(query);
    await Promise.all([asked(/\/events\?.*task_type=build/), taskType.selectOption('build')]);
    await eventType.fill('task_end');
    await Promise.all([asked(/\/events\?.*event_type=task_end/), page.keyboard.press('Enter')]);
    const types = () => page.locator('#types tbody th').allTextContents();
    const byRuns = await types();
    await page.getByRole('button', { name: 'Median' }).click();
    await page.getByRole('button', { name: 'Median' }).click();
    const sorted = await types();
    expect(sorted).not.toEqual(byRuns);
    await Promise.all([asked(/\/events\?.*event_type=task_end&task_type=build/), page.reload()]);
    await page.locator('#types tbody tr').first().waitFor();
    expect(await filters()).toEqual(['task_end', 'build']);
    expect(await types()).toEqual(sorted);
    expect(await page.locator('#types th[aria-sort="ascending"]').textContent()).toBe('Median');
    await page.goBack();
    await page.goBack();
    expect(await filters()).toEqual(['task_end', 'build']);
    expect(await page.locator('#types th[aria-sort="descending"]').textContent()).toBe('Runs');
    await Promise.all([asked(/\/events\?(?!.*event_type).*task_type=build/), page.goBack()]);
    expect(await filters()).toEqual(['', 'build']);
    await Promise.all([asked(/\/events\?(?!.*task_type)/), page.goBack()]);
    expect(await filters()).toEqual(['', '']);
  });

  test('shows by which type events are filtered where another agent is chosen', async () => {
    await open();
    await page.locator('#filter-task-type').selectOption('build');
    await page.waitForResponse(/\/events\?.*task_type=build/);
    await page.locator('#agent-select').selectOption('planner-claude');
    await page.waitForResponse(/\/events\?.*agent_id=planner-claude.*task_type=build/);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.locator('#types tbody tr').first().waitFor();
    expect(await page.locator('#filter-task-type').inputValue()).toBe('build');
  });

  test('says how to record a first task to an agent that has recorded none', async () => {
    await open();
    await page.goto(`${service.url}/dashboard#agent=newcomer`);
    await page.getByText('Nothing recorded by newcomer yet').waitFor();
    // One card instead of nine that are empty.
    expect(await page.locator('section.card:visible').count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const command = page.locator('.command code').first();
    await command.getByText("/events/task-start?agent_id=newcomer'").waitFor();
    await page.getByRole('button', { name: 'Copy the call that starts a task' }).click();
    await page.locator('#announcer').getByText('Copied the call that starts a task').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await command.textContent());
    // In a space it starts there; the demonstration would fill the default one.
    await page.goto(`${service.url}/dashboard?space=team-d#agent=newcomer`);
    await command.getByText("/events/task-start?agent_id=newcomer&space=team-d'").waitFor();
    expect(await page.getByText('npm run demo').count()).toBe(0);
  });

  test('shows the cards with the first task, and how to end it until it has ended', async () => {
    await open();
    await page.goto(`${service.url}/dashboard#agent=first-timer`);
    await page.getByText('Nothing recorded by first-timer yet').waitFor();
    const task = { task_type: 'run tests', correlation_id: 'first-of-all' };
    await service.post('/events/task-start', task, 'first-timer');
    await activeTask('run tests').waitFor();
    await page.getByRole('heading', { name: 'The first task runs' }).waitFor();
    await page.getByRole('button', { name: 'Copy the call that ends it' }).waitFor();
    await service.post('/events/task-end', task, 'first-timer');
    await typeRow('run tests').waitFor();
    await page.locator('#welcome').waitFor({ state: 'hidden' });
  });

  test("tells outcomes, choices and the chosen type apart in the reader's own colours", async () => {
    await open();
    await page.emulateMedia({ forcedColors: 'active' });
    const colors = async (selector: string, property: 'backgroundColor' | 'outlineStyle') =>
      new Set(
        await page
          .locator(selector)
          .evaluateAll((all, name) => all.map((element) => getComputedStyle(element)[name]), property),
      );
    // Cancelled and abandoned share a colour, and have a letter each.
    expect((await colors('.outcome-key', 'backgroundColor')).size).toBe(5);
    expect((await colors('[data-range]', 'backgroundColor')).size).toBe(2);
    expect((await colors('#types tbody tr', 'outlineStyle')).size).toBe(2);
  });

  test('says in which time zone its times are', async () => {
    await open();
    await page.getByText(/^Times are in your time zone, Europe\/Berlin \(UTC\+[12]\); hover for UTC/).waitFor();
  });

  test.each([700, 1280, 1440])('keeps the figures of a type apart at %d px', async (width) => {
    const endedMs = Date.now() - 60_000;
    const run = {
      kind: 'task',
      correlation_id: 'long',
      agent_id: 'ann',
      task_type: 'migrate',
      state: 'ended',
      outcome: 'ok',
      started_at: new Date(endedMs - 2_400_000).toISOString(),
      ended_at: new Date(endedMs).toISOString(),
    };
    await service.post('/import?space=long', JSON.stringify(run));
    await open('', { width, query: '?space=long' });
    const row = typeRow('migrate');
    await row.getByText('unknown').waitFor();
    expect(await row.locator('.cell-median').textContent()).toContain('40 min 00 s');
    const isWithin = (cell: Element) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getBoundingClientRect().right <= cell.getBoundingClientRect().right;
    };
    for (const cell of await row.locator('th, td').all()) expect(await cell.evaluate(isWithin)).toBe(true);
  });

  test('draws the trend of a type whose runs took no time at first', async () => {
    const runs = [0, 0, 0, 2, 2, 2].map((seconds, index) => {
      const startedMs = Date.now() - (20 - index) * 60_000;
      const ended_at = new Date(startedMs + seconds * 1_000).toISOString();
      return JSON.stringify({ ...record('instant', `instant-${index}`, startedMs), ended_at });
    });
    await service.post('/import?space=instant', runs.join('\n'));
    await open('', { query: '?space=instant' });
    await typeRow('instant').getByText('unknown').waitFor();
    const heights = await typeRow('instant')
      .locator('.spark polyline')
      .evaluate((line) => [...(line as SVGPolylineElement).points].map(({ y }) => y));
    // The running median is 0 s three times, then goes up to 1 s.
    expect(heights).toEqual([15, 15, 15, 15, 15, 1]);
  });

  test.each([375, 1440])('shows whole names at %d px, broken between their words', async (width) => {
    const names = ['review pull request', 'tool:web/search'];
    for (const [place, task_type] of names.entries())
      await service.post('/events/task-start?space=names', { task_type, correlation_id: `names-${place}` });
    await service.post('/stopwatch/since%20the%20last%20commit%20of%20all/start?space=names', undefined, 'planner');
    await open('', { width, query: '?space=names' });
    await page.locator('.watch-name').waitFor();
    await page.locator('.active-row').nth(1).waitFor();
    const isWhole = (name: Element) =>
      name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight + 1;
    for (const name of await page.locator('.active-line .name, .type-table .name, .watch-name').all())
      expect([await name.textContent(), await name.evaluate(isWhole)]).toEqual([expect.any(String), true]);
    const linesOfLastWord = (name: Element) => {
      const range = document.createRange();
      const texts = document.createNodeIterator(name, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        if (text.textContent === 'search') range.selectNode(text);
      return range.getClientRects().length;
    };
    expect(await typeRow('tool:web/search').locator('.name').evaluate(linesOfLastWord)).toBe(1);
  });

  test.each([320, 375])(
    'breaks the name of an agent beside its estimates at its hyphen alone, %d px',
    async (width) => {
      const startedMs = Date.now() - 600_000;
      const task = { ...record('build', 'guessed', startedMs), agent_id: 'planner-claude', estimated_seconds: 60 };
      const ended = { ...task, outcome: 'ok', ended_at: new Date(startedMs + 4_000).toISOString() };
      await service.post('/import?space=guess', JSON.stringify(ended));
      await open('', { width, query: '?space=guess' });
      const name = page.locator('.calibration-agent bdi').first();
      await name.getByText('planner-claude').waitFor();
      const lines = (element: Element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getClientRects().length;
      };
      expect(await name.evaluate(lines)).toBeLessThanOrEqual(2);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0]).toBe(widths[1]);
    },
  );

  test('says of how many agents it shows the stopwatches', async () => {
    const startedMs = Date.now() - 600_000;
    const tasks = Array.from({ length: 21 }, (_, at) => ({
      ...record('build', `crowd-${at}`, startedMs),
      agent_id: `agent-${String(at).padStart(2, '0')}`,
      outcome: 'ok',
      ended_at: new Date(startedMs + 4_000).toISOString(),
    }));
    await service.post('/import?space=crowd', tasks.map((task) => JSON.stringify(task)).join('\n'));
    for (const agent of ['agent-00', 'agent-20'])
      await service.post('/stopwatch/tea/start?space=crowd', undefined, agent);
    await open('', { query: '?space=crowd' });
    await page.locator('#stopwatches').getByText('1 of 1 stopwatch of 20 agents running').waitFor();
  });

  test.each([320, 1440])('shows names of any script and length in their own direction at %d px', async (width) => {
    const startedMs = Date.now() - 600_000;
    const ended = { outcome: 'ok', ended_at: new Date(startedMs + 4_000).toISOString(), estimated_seconds: 3 };
    const tasks = [ARABIC_NAME, 'x'.repeat(128)].flatMap((name, at) => [
      { ...record(name, `odd-${at}`, startedMs), agent_id: name, ...ended },
      { ...record(name, `odd-runs-${at}`, startedMs), agent_id: name, state: 'active', outcome: undefined },
    ]);
    await service.post('/import?space=odd', tasks.map((task) => JSON.stringify(task)).join('\n'));
    await service.post(`/stopwatch/${encodeURIComponent(ARABIC_NAME)}/start?space=odd`, undefined, 'x'.repeat(128));
    await open('#spent_by=agent', { width, query: '?space=odd' });
    await page.locator('.watch-name').waitFor();
    await page.locator('.spent-name').first().waitFor();
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    const names = await arabicNames(page);
    // Running, timeline, stopwatch, types, time spent, estimates, and the tables of them.
    expect(names.shown).toBeGreaterThan(8);
    expect(names.wrong).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const legend = page.locator('.spent-name', { hasText: 'xxx' });
    const topOf = async (part: string) => (await legend.locator(part).boundingBox())?.y ?? 0;
    expect(Math.abs((await topOf('.swatch')) - (await topOf('bdi')))).toBeLessThan(12);
  });

  test.each([375, 1440])('fits %d px in the light and the dark scheme', async (width) => {
    await open('', { width });
    await page.locator('#detail .uplot').first().waitFor();
    const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(Number(/\d+/.exec(background)?.[0]) > 128).toBe(colorScheme === 'light');
      const path = join(directory, `${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      expect(statSync(path).size).toBeGreaterThan(10_000);
    }
  });

  test('calls a task overdue by the timeout that the service recommends, which rests on the runs since it became slower', async () => {
    const nowMs = Date.now();
    const runs = Array.from({ length: 440 }, (_, at) => {
      const startedMs = nowMs - (at + 2) * 1_800_000;
      const seconds = (at < 40 ? 1_000 : 100) * (0.9 + (at % 9) / 40);
      return {
        ...record('sail', `sail-${at}`, startedMs),
        ended_at: new Date(startedMs + seconds * 1000).toISOString(),
      };
    });
    await service.post('/import', runs.map((run) => JSON.stringify(run)).join('\n'));
    const ask = async (path: string) => (await (await fetch(`${service.url}${path}?agent_id=*`)).json()) as never;
    const { recommendation } = (await ask('/stats/recommend-timeout/sail')) as {
      recommendation: { recommended_seconds: number; since?: string };
    };
    const { summaries } = (await ask('/stats/durations')) as {
      summaries: { task_type: string; p95_seconds: number }[];
    };
    const ofAll = 1.2 * (summaries.find(({ task_type: type }) => type === 'sail')?.p95_seconds ?? Number.NaN);
    expect(recommendation.since).toBeDefined();
    expect(recommendation.recommended_seconds).toBeGreaterThan(ofAll + 60);
    const startedMs = nowMs - (ofAll + 5) * 1000;
    const running = { ...record('sail', 'sail-now', startedMs), state: 'active', outcome: null, ended_at: null };
    await service.post('/import', JSON.stringify(running));
    await open();
    const row = activeTask('sail');
    await row.getByText(/ since it became slower, /).waitFor();
    expect(await row.getAttribute('data-level')).toBe('high');
    expect(urls().filter((url) => url.includes('/stats/recommend-timeout/sail'))).toHaveLength(1);
  });

  test('counts the failures of a type of which none has ended ok, too', async () => {
    await startTask('never works', 'never-1');
    await service.post('/events/task-end', { task_type: 'never works', correlation_id: 'never-1', outcome: 'error' });
    await open();
    const row = typeRow('never works');
    await row.locator('.cell-failures').getByText('100 %').waitFor();
    expect(await row.locator('.cell-failures').getAttribute('title')).toBe('1 error, 0 timeouts, 0 cancelled, 0 ok');
  });
});
