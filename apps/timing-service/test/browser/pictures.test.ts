/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import {
  axeFaultsInBothSchemes,
  type Browser,
  chromiumPath,
  launchChromium,
  layoutShift,
  openWatchedPage,
  type WatchedPage,
} from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from './real-service.ts';

const executablePath = chromiumPath({ mayBeShell: true });
const HOSTILE = '<img src=x onerror=alert(1)>';
const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const DAY_MS = 86_400_000;

interface Run {
  readonly id: string;
  readonly agent: string;
  readonly type: string;
  readonly startedMs: number;
  readonly seconds: number;
  readonly estimate: number | null;
  readonly outcome?: string;
}

function record({ id, agent, type, startedMs, seconds, estimate, outcome = 'ok' }: Run) {
  return {
    kind: 'task',
    correlation_id: id,
    agent_id: agent,
    task_type: type,
    state: 'ended',
    outcome,
    started_at: new Date(startedMs).toISOString(),
    ended_at: new Date(startedMs + seconds * 1000).toISOString(),
    estimated_seconds: estimate,
    metadata: { note: HOSTILE },
  };
}

/** Of the last hour: bob takes three times as long as he says, ann as long as she says. */
const RECENT = (nowMs: number): Run[] =>
  [10, 20, 40].flatMap((seconds, at) => [
    {
      id: `bob-${at}`,
      agent: 'bob',
      type: 'build',
      startedMs: nowMs - (10 + at) * 60_000,
      seconds: 3 * seconds,
      estimate: seconds,
    },
    {
      id: `ann-${at}`,
      agent: HOSTILE,
      type: 'lint',
      startedMs: nowMs - (10 + at) * 60_000,
      seconds,
      estimate: seconds,
    },
  ]);
/** Of ten days ago: the build took 60 s in the middle, half of them failed. */
const OLDER = (nowMs: number): Run[] =>
  [59, 60, 61, 60].map((seconds, at) => ({
    id: `old-${at}`,
    agent: 'bob',
    type: 'build',
    startedMs: nowMs - 10 * DAY_MS - at * 60_000,
    seconds,
    estimate: null,
    outcome: at < 2 ? 'error' : 'ok',
  }));

async function imported({ url }: RealService, runs: readonly Run[]): Promise<void> {
  const response = await fetch(`${url}/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: runs.map((run) => JSON.stringify(record(run))).join('\n'),
  });
  expect(await response.json()).toMatchObject({ rejected: [] });
}

(executablePath === null ? describe.skip : describe)('the pictures of the dashboard', () => {
  let browser: Browser;
  let service: RealService;
  let watched: WatchedPage;
  let page: WatchedPage['page'];

  /** Lets the page read what lies behind the newest tasks, where it was opened with `unread`. */
  let readOn: () => void;

  async function open(fragment = '', { width = 1440, at = service, unread = false } = {}): Promise<void> {
    watched = await openWatchedPage(browser, { width });
    page = watched.page;
    const mayRead = unread
      ? new Promise<void>((resolve) => {
          readOn = resolve;
        })
      : Promise.resolve();
    await page.route(/\/tasks\?.*until=/, async (route) => {
      await mayRead;
      await route.continue();
    });
    await page.goto(`${at.url}/dashboard${fragment}`);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.locator('#types tbody tr').first().waitFor();
  }

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService();
    const nowMs = Date.now();
    await imported(service, [...RECENT(nowMs), ...OLDER(nowMs)]);
    await service.post('/events/task-start', {
      task_type: 'deploy',
      correlation_id: 'open-one',
      estimated_seconds: 500,
      metadata: { note: HOSTILE },
    });
    await service.post('/events/task-end', { task_type: 'deploy', correlation_id: 'open-one' });
  });
  afterEach(async () => {
    await page.context().close();
    expect(watched.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  test('show how far each agent is off with its estimates, and save the drawing', async () => {
    await open();
    const agents = page.locator('#calibration table').first();
    const row = (agent: string) => agents.locator('tbody tr', { hasText: agent });
    await row('bob').getByText('3.0×').waitFor();
    expect(await row('bob').locator('td').allTextContents()).toEqual([
      '3',
      expect.stringContaining('as long as estimated'),
      '0 %',
    ]);
    expect(await row(HOSTILE).locator('td').allTextContents()).toEqual(['3', 'as estimated', '100 %']);
    await page.locator('#calibration').getByText('takes less than 0.1× of what was estimated').waitFor();
    // So few tasks stand beside the drawing one by one.
    expect(await page.locator('#calibration .alternative tbody tr').count()).toBe(7);
    const download = page.waitForEvent('download');
    await page.locator('#calibration').getByRole('button', { name: 'Save picture' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('estimates-against-actual.svg');
    const drawing = readFileSync(await saved.path(), 'utf8');
    expect(drawing.match(/<circle/g)).toHaveLength(7);
    expect(drawing).toMatch(/<circle[^>]*fill="rgb/);
    expect(drawing).not.toContain('<img');
    // Its legend names the agent of each colour.
    const bars = [...drawing.matchAll(/<rect[^>]*width="10"[^>]*fill="([^"]+)"[^>]*\/><text[^>]*>([^<]+)</g)];
    const colourOf = new Map(bars.map(([, colour, agent]) => [agent, colour]));
    expect([...colourOf.keys()].sort()).toEqual(
      (await agents.locator('tbody bdi').allInnerTexts()).map(escaped).sort(),
    );
    const points = [...drawing.matchAll(/<circle[^>]*fill="([^"]+)"/g)].map(([, colour]) => colour);
    expect(points.filter((colour) => colour === colourOf.get('bob'))).toHaveLength(3);
  });

  test('save a chart on the surface on which it is shown, so that the pale words of the dark scheme can be read', async () => {
    await open();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('#detail canvas').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save picture: Durations' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('durations.png');
    const corner = await page.evaluate(
      async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
        context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
        const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
        return alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : `alpha ${alpha}`;
      },
      readFileSync(await saved.path(), 'base64'),
    );
    const card = page.locator('#detail');
    expect(corner).toBe(await card.evaluate((element) => getComputedStyle(element).backgroundColor));
  });

  test('have room for the words of a tick at the edge of the estimates', async () => {
    const alone = await startRealService();
    try {
      await imported(alone, [
        { id: 'a', agent: 'a', type: 'a', startedMs: Date.now() - 1_800_000, seconds: 1431, estimate: 250 },
      ]);
      await open('', { at: alone });
      const [beyond, last] = await page.locator('.calibration-plot').evaluate((drawing) => {
        const ticks = [...drawing.querySelectorAll('.tick[text-anchor="middle"]')].filter(
          (one) => one.textContent !== 'estimated',
        );
        const right = drawing.getBoundingClientRect().right;
        const rights = ticks.map((tick) => tick.getBoundingClientRect().right);
        return [rights.filter((one) => one > right).length, ticks.at(-1)?.textContent];
      });
      expect([beyond, last]).toEqual([0, '30 min']);
    } finally {
      await alone.remove();
    }
  });

  test('mark what was not read, and show the estimates of the range alone, with a name of any length', async () => {
    const busy = await startRealService();
    try {
      const nowMs = Date.now();
      const agent = `agent-${'x'.repeat(110)}`;
      // One every six minutes, hence 240 a day, of which the page reads 1,000.
      const runs = Array.from({ length: 1_300 }, (_, at) => ({
        id: `run-${at}`,
        agent,
        type: 'build',
        startedMs: nowMs - (at + 1) * 360_000,
        seconds: 10,
        estimate: 10,
      }));
      await imported(busy, runs);
      await open('#range=7d', { at: busy, unread: true });
      const unread = page.locator('#timeline .unread');
      const shares = () =>
        unread.evaluateAll((marks: SVGRectElement[]) =>
          marks.map((mark) => Number(mark.getAttribute('width')) / (mark.ownerSVGElement?.clientWidth ?? 0)),
        );
      await page
        .locator('#timeline')
        .getByText(/^Reading what began before .* …$/)
        .waitFor();
      // 1,000 of six minutes are 100 of the 168 hours.
      expect(await shares()).toEqual([expect.closeTo(68 / 168, 2)]);
      await page
        .locator('#calibration .card-note')
        .getByText(/^1,000 tasks since /)
        .waitFor();
      readOn();
      await page
        .locator('#calibration .card-note')
        .getByText(/^1,300 tasks of this range /)
        .waitFor();
      await page.locator('#timeline .lane-note').getByText('1,300 tasks').waitFor();
      expect(await unread.count()).toBe(0);
      // More than there is room for: columns that count, of which each leads closer.
      expect(await page.locator('#timeline .bar-group').count()).toBe(0);
      const columns = await page.locator('#timeline .density-hit title').allTextContents();
      expect(columns.reduce((sum, title) => sum + Number.parseInt(title, 10), 0)).toBe(1_300);
      const cells = await page
        .locator('#calibration tbody td')
        .evaluateAll((all: HTMLElement[]) => all.map(({ clientWidth }) => clientWidth));
      expect(Math.min(...cells)).toBeGreaterThan(30);

      await page.getByRole('button', { name: '24 h', exact: true }).click();
      await page
        .locator('#calibration .card-note')
        .getByText(/^2(39|40) tasks of this range /)
        .waitFor();
      expect(await unread.count()).toBe(0);
      await page.getByRole('button', { name: 'Earlier', exact: true }).click();
      await page
        .locator('#calibration .card-note')
        .getByText(/^24[01] tasks of this range /)
        .waitFor();
      await page.getByRole('button', { name: '7 d', exact: true }).click();
      await page.locator('#timeline .density-hit').nth(40).click();
      await page.locator('#timeline .bar-group').first().waitFor();
      expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('range')).toBe('24h');
    } finally {
      await page.goto('about:blank');
      await busy.remove();
    }
  });

  /** Opens a month of which the service has ever more pages, with a task a minute. @returns how many pages were asked for */
  async function openEndless(at: RealService): Promise<() => number> {
    const nowMs = Date.now();
    let pages = 0;
    const tasksOf = (place: number) =>
      Array.from({ length: 1_000 }, (_, at) => {
        const run = { id: `run-${place}-${at}`, agent: 'bob', type: 'build', seconds: 1, estimate: null };
        const { kind: _kind, ...task } = record({ ...run, startedMs: nowMs - (place * 1_000 + at) * 60_000 });
        return { ...task, duration_seconds: 1, elapsed_seconds: 1 };
      });
    watched = await openWatchedPage(browser, { width: 1440 });
    page = watched.page;
    await page.route(/\/tasks\?.*since=/, (route) => {
      pages += 1;
      return route.fulfill({ json: { tasks: tasksOf(pages - 1), next_cursor: `page-${pages}` } });
    });
    await page.goto(`${at.url}/dashboard#range=30d`);
    return () => pages;
  }

  test('read twenty pages of a range at most, and say what is left', async () => {
    const pages = await openEndless(service);
    await page.locator('#timeline').getByText('of a range the newest 20,000 tasks are read').waitFor();
    await page.locator('#timeline .lane-note').getByText('20,000 tasks').waitFor();
    expect(pages()).toBe(20);
  });

  test('count by day what is beyond twenty pages, of each agent, so that the range is whole', async () => {
    const busy = await startRealService();
    try {
      // What eve did lies behind the twenty pages, which reach 20,000 minutes back.
      const run = (agent: string, minutesAgo: number) => ({
        ...{ id: `${agent}-${minutesAgo}`, agent, type: 'build', seconds: 1, estimate: null, outcome: 'error' },
        startedMs: Math.floor(Date.now() / 60_000 - minutesAgo) * 60_000,
      });
      const ofBob = Array.from({ length: 500 }, (_, at) => run('bob', 20_010 + at * 20));
      await imported(busy, [...ofBob, ...[20_100, 20_200, 24_000].map((minutesAgo) => run('eve', minutesAgo))]);
      await openEndless(busy);
      await page
        .locator('#timeline')
        .getByText(/^Counted by day is what began before .*: of a range the newest 20,000 tasks are read\.$/)
        .waitFor();
      const lane = (agent: string) => page.locator('.lane', { hasText: agent });
      const noteOf = (agent: string) => lane(agent).locator('.lane-note').textContent();
      expect([await noteOf('bob'), await noteOf('eve')]).toEqual(['20,500 tasks', '3 tasks']);
      const counts = await lane('bob')
        .locator('.density-hit title')
        .evaluateAll((titles) => titles.map(({ textContent }) => (textContent ?? '').match(/[\d,]*\d/g) ?? []));
      const sumOf = (place: number) =>
        counts.reduce((sum, figures) => sum + Number(figures[place]?.replaceAll(',', '')), 0);
      expect({ tasks: sumOf(0), failed: sumOf(1) }).toEqual({ tasks: 20_500, failed: 500 });
      expect(await page.locator('#timeline .unread').count()).toBe(0);
      await lane('eve').locator('.density-hit').first().click();
      expect(new URL(page.url()).hash).toContain('range=7d&until=');
    } finally {
      await page.goto('about:blank');
      await busy.remove();
    }
  });

  test('say that a longer range is being read, and count nothing of it before it is', async () => {
    await open('#range=15m');
    let goOn = () => {};
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/tasks\?.*since=/, async (route) => {
      await mayGoOn;
      await route.continue();
    });
    let counted = 0;
    await page.route(/\/stats\/time-spent\?.*then_by=agent/, (route) => {
      counted += 1;
      return route.continue();
    });
    await page.getByRole('button', { name: '7 d', exact: true }).click();
    const note = page.locator('#timeline').getByText('what began before');
    await note.waitFor();
    expect(await note.textContent()).toMatch(/^Reading what began before .* …$/);
    goOn();
    await note.waitFor({ state: 'detached' });
    expect(counted).toBe(0);
  });

  test('compare two ranges of days', async () => {
    await open();
    const day = (back: number) => {
      const date = new Date(Date.now() - back * DAY_MS);
      return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(date);
    };
    await page.locator('#range-a_from').fill(day(11));
    await page.locator('#range-a_to').fill(day(9));
    await page.locator('#range-b_from').fill(day(1));
    await page.locator('#range-b_to').fill(day(0));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const build = page.locator('#compare tbody tr', { hasText: 'build' });
    const headings = page.locator('#compare thead th');
    await headings.first().waitFor();
    // Tasks, however they ended; the table of types counts runs that ended ok.
    expect(await headings.allTextContents()).toEqual(['Task type', 'Tasks', 'Median', 'Change', 'Failures']);
    await build.getByText('× 0.99').waitFor();
    expect(await build.locator('td').allTextContents()).toEqual([
      '4 → 3',
      '1 min 01 s → 1 min 00 s',
      '×\u00a00.99',
      '50 % → 0 %',
    ]);
    // They are kept in the address, also when the page is opened with it.
    await page.reload();
    await build.getByText('× 0.99').waitFor();
    expect(await page.locator('#range-b_from').inputValue()).toBe(day(1));
    await page.goBack();
    await page.getByText('Choose two ranges to see').waitFor();
    expect(await page.locator('#range-b_from').inputValue()).toBe(day(6));
    await page.goForward();
    await build.getByText('× 0.99').waitFor();
    await page.locator('#range-a_to').fill(day(30));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('A range must not end before it begins.').waitFor();
  });

  test('call a type slower where that is more than chance, and put it first', async () => {
    const nowMs = Date.now();
    const runs = (type: string, back: number, seconds: readonly number[]) =>
      seconds.map((took, at) => ({
        ...{ id: `${type}-${back}-${at}`, agent: 'eve', type, estimate: null, seconds: took },
        startedMs: nowMs - back * DAY_MS - at * 60_000,
      }));
    const grown = [...runs('zip', 24, [10, 11, 12, 13, 14]), ...runs('zip', 20, [20, 21, 22, 23, 24])];
    // Without a place to break it.
    const long = 'tool:mcp__github__create_pull_request_review';
    const chance = [...runs(long, 24, [10, 11, 12]), ...runs(long, 20, [20, 21, 22])];
    const lines = [...grown, ...chance].map((run) => JSON.stringify(record(run)));
    await service.post('/import', lines.join('\n'));
    await open();
    const day = (back: number) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(nowMs - back * DAY_MS));
    const days = { a_from: day(25), a_to: day(23), b_from: day(21), b_to: day(19) };
    for (const [name, its] of Object.entries(days)) await page.locator(`#range-${name}`).fill(its);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const rows = page.locator('#compare tbody tr');
    await rows.first().getByText('zip').waitFor();
    expect(await rows.locator('[data-change]').allTextContents()).toEqual(['×\u00a01.83 slower', '×\u00a01.91']);
    const hidden = (box: Element) => box.scrollWidth - box.clientWidth;
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.locator('#compare .table-scroll').evaluate(hidden)).toBe(0);
    }
  });

  test('open a task with its events, by link and by keyboard', async () => {
    await open();
    await page.getByRole('button', { name: 'Open task open-one' }).first().press('Enter');
    const task = page.locator('#task[open]');
    await task.getByText('task_start').waitFor();
    await task.getByText('task_end').waitFor();
    expect(await task.locator('pre').first().textContent()).toContain(HOSTILE);
    expect(new URL(page.url()).hash).toContain('task=open-one');
    // Where nothing stands in it, and where words of it are marked beyond its edge, it stays.
    const { x, y } = (await task.boundingBox()) as { x: number; y: number };
    await page.mouse.click(x + 8, y + 400);
    await page.mouse.move(x + 60, y + 30);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 30);
    await page.mouse.up();
    expect(await task.count()).toBe(1);
    await page.mouse.click(x - 60, y + 400);
    await task.waitFor({ state: 'detached' });
    await page.goBack();
    await task.getByText('task_end').waitFor();
    await page.keyboard.press('Escape');
    await task.waitFor({ state: 'detached' });
    // The dialog tells the page of its end in a later turn.
    await page.waitForFunction(() => location.hash === '');
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#task=bob-1`);
    await task.getByText('(took × 3.00)').waitFor();
  });

  test('follow a task that ends while it is open, and say what is known of one without events', async () => {
    const id = 'while-open';
    await service.post('/events/task-start', { task_type: 'watch', correlation_id: id });
    await open(`#task=${id}`);
    const task = page.locator('#task[open]');
    const took = task.locator('.task-facts div', { hasText: 'Took' }).locator('dd');
    await took.getByText('so far').waitFor();
    const before = (await took.textContent()) ?? '';
    await page.waitForFunction((said) => !document.querySelector('#task')?.textContent?.includes(said), before);
    await task.getByText('so far').waitFor();
    await service.post('/events/task-end', { task_type: 'watch', correlation_id: id, outcome: 'timeout' });
    await task.getByText('timeout', { exact: true }).waitFor();
    await task.getByText('task_end').waitFor();

    // Imported, and outside of the hour that is shown; then within what is.
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#task=old-0`);
    await took.getByText('59.0 s').waitFor();
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#task=nobodys`);
    await task.getByText("Task 'nobodys' not found").waitFor();
    await service.post('/events/task-start', { task_type: 'watch', correlation_id: 'nobodys' });
    await took.getByText('so far').waitFor();
    // What was not found is a 404 in the console.
    watched.faults.length = 0;
    const until = new Date(Date.now() - 9.9 * DAY_MS).toISOString();
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#task=old-0&range=24h&until=${until}`);
    await took.getByText('59.0 s').waitFor();
  });

  test.each([375, 1440])('are accessible and hold still at %d px, light and dark', async (width) => {
    await open('', { width });
    await page.locator('.calibration-plot').waitFor();
    for (const fragment of ['', '#task=bob-1']) {
      await page.goto('about:blank');
      await page.goto(`${service.url}/dashboard${fragment}`);
      await page.locator('.calibration-plot').waitFor();
      if (fragment !== '') await page.locator('#task[open] .task-facts').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect([fragment, await axeFaultsInBothSchemes(page)]).toEqual([fragment, []]);
      expect([fragment, (await layoutShift(page)) < 0.1]).toEqual([fragment, true]);
    }
  });
});
