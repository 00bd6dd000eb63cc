/// <reference lib="dom" />
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
/** Midnight of Berlin, with which a week of seven of its days ends. */
const WEEK = 'range=7d&until=2026-03-07T23:00:00.000Z';
const HOSTILE = '<img src=x onerror=alert(1)>';

/** Two that overlap for one of their hours, and one that crosses a midnight of Berlin (23:00Z). */
const TASKS = [
  {
    ...{ id: 'w1', agent: 'ann', type: 'build', from: '2026-03-02T09:00:00Z', to: '2026-03-02T11:00:00Z' },
    ...{ outcome: 'ok', metadata: { session: 'talk-1' } },
  },
  { id: 'w2', agent: 'ann', type: HOSTILE, from: '2026-03-02T10:00:00Z', to: '2026-03-02T12:00:00Z', outcome: 'error' },
  {
    ...{ id: 'w3', agent: 'bob', type: 'build', from: '2026-03-04T22:30:00Z', to: '2026-03-04T23:30:00Z' },
    ...{ outcome: 'timeout', project: 'web-shop' },
  },
];

function line({ id, agent, type, from, to, ...rest }: (typeof TASKS)[number]): string {
  const task = { kind: 'task', correlation_id: id, agent_id: agent, task_type: type, state: 'ended' };
  return JSON.stringify({ ...task, started_at: from, ended_at: to, estimated_seconds: null, metadata: null, ...rest });
}

(executablePath === null ? describe.skip : describe)('the card of where the time went', () => {
  let browser: Browser;
  let service: RealService;
  let watched: WatchedPage;
  let page: WatchedPage['page'];

  async function open(fragment: string, { width = 1440, query = '' } = {}): Promise<void> {
    watched = await openWatchedPage(browser, { width });
    page = watched.page;
    await page.goto(`${service.url}/dashboard${query}#${fragment}`);
    await page.locator('#connection[data-state="live"]').waitFor();
  }
  const card = () => page.locator('#time-spent');
  const figure = async (name: string) =>
    await card()
      .locator('.figures div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent();
  /** Name, sum, share, busy and tasks of each group. */
  const rows = async () =>
    await card()
      .locator('.spent-groups tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
  const asked = () => watched.requests.filter((request) => request.url().includes('/stats/time-spent?')).length;

  beforeAll(async () => {
    browser = await launchChromium(executablePath as string);
    service = await startRealService();
    await service.post('/import', TASKS.map(line).join('\n'));
  });
  afterEach(async () => {
    await page.context().close();
    expect(watched.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  test('tells a week by type, agent, project and outcome, with what was busy beside the sum', async () => {
    await open(WEEK);
    await card().getByText('1 Mar 2026, 00:00 to 8 Mar 2026, 00:00').waitFor();
    expect([await figure('Sum'), await figure('Busy'), await figure('Tasks')]).toEqual([
      '5 h 00 min',
      '4 h 00 min',
      '3',
    ]);
    expect(await figure('Timed out or cancelled')).toBe('1 h 00 min');
    expect(await rows()).toEqual([
      ['build', '3 h 00 min', '60 %', '3 h 00 min', '2'],
      [HOSTILE, '2 h 00 min', '40 %', '2 h 00 min', '1'],
    ]);
    await card().getByRole('button', { name: 'Agent', exact: true }).click();
    await card().getByRole('columnheader', { name: 'Agent' }).waitFor();
    expect(await rows()).toEqual([
      ['ann', '4 h 00 min', '80 %', '3 h 00 min', '2'],
      ['bob', '1 h 00 min', '20 %', '1 h 00 min', '1'],
    ]);
    expect(new URL(page.url()).hash).toContain('spent_by=agent');
    await card().getByRole('button', { name: 'Project', exact: true }).click();
    await card().getByText('no project').first().waitFor();
    await page.goBack();
    await page.goBack();
    await card().getByRole('columnheader', { name: 'Task type' }).waitFor();
    await card().getByRole('button', { name: 'Session', exact: true }).click();
    await card().getByRole('columnheader', { name: 'Session' }).waitFor();
    expect((await rows()).map(([name, sum]) => [name, sum])).toEqual([
      ['no session', '3 h 00 min'],
      ['talk-1', '2 h 00 min'],
    ]);
    await card().getByRole('button', { name: 'Outcome', exact: true }).click();
    await card().getByRole('columnheader', { name: 'Outcome' }).waitFor();
    expect((await rows()).map(([name, sum]) => [name, sum]).slice(0, 3)).toEqual([
      ['ok', '2 h 00 min'],
      ['error', '2 h 00 min'],
      ['timeout', '1 h 00 min'],
    ]);
  });

  test('tells the weeks of the calendar, in which the clocks may change, by range and by Earlier and Later', async () => {
    await open('range=week&until=2026-03-31T10:00:00.000Z');
    await card().getByText('30 Mar 2026, 00:00 to 31 Mar 2026, 12:00').waitFor();
    const week = page.locator('[data-range="week"]');
    expect(await week.getAttribute('aria-pressed')).toBe('true');
    // On 29 March the clocks of Berlin go forward: that week has 167 hours.
    for (const [move, days] of [
      ['Earlier', '23 Mar 2026, 00:00 to 30 Mar 2026, 00:00'],
      ['Earlier', '16 Mar 2026, 00:00 to 23 Mar 2026, 00:00'],
      ['Later', '23 Mar 2026, 00:00 to 30 Mar 2026, 00:00'],
      ['Later', '30 Mar 2026, 00:00 to 6 Apr 2026, 00:00'],
    ] as const) {
      await page.getByRole('button', { name: move, exact: true }).click();
      await card().getByText(days).waitFor();
    }
    expect(new URL(page.url()).hash).toBe('#range=week&until=2026-04-05T22%3A00%3A00.000Z');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByText('No task in this week.').waitFor();
  });

  test.each([
    ['range=week&until=2026-03-31T10:00:00.000Z', '2026-03-23 to 2026-03-29, 2026-03-30 to 2026-03-31'],
    ['range=7d&until=2026-03-07T23:00:00.000Z', '2026-02-22 to 2026-02-28, 2026-03-01 to 2026-03-07'],
    ['range=1h&until=2026-03-07T10:00:00.000Z', '2026-02-22 to 2026-02-28, 2026-03-01 to 2026-03-07'],
  ])(
    'is about the days that are compared with as many before, at %s, until the reader says others',
    async (at, days) => {
      await open(at);
      const compared = async () => {
        const [aFrom, aTo, bFrom, bTo] = await page
          .locator('#compare input')
          .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
        return `${aFrom} to ${aTo}, ${bFrom} to ${bTo}`;
      };
      await card().waitFor();
      expect(await compared()).toBe(days);
      await page.locator('#range-a_from').fill('2026-01-01');
      await page.locator('[data-range="30d"]').click();
      await page.locator('[data-range="30d"][aria-pressed="true"]').waitFor();
      expect(await compared()).toBe(days.replace(/^\S+/, '2026-01-01'));
    },
  );

  test('tells each day by keyboard, and leads to its tasks', async () => {
    await open(WEEK);
    const days = card().getByRole('slider');
    await days.focus();
    const told = card().locator('.chart-told');
    await page.keyboard.press('Home');
    await told.getByText('Sun 1 Mar').waitFor();
    await page.keyboard.press('ArrowRight');
    await told.getByText('busy 3 h 00 min').waitFor();
    expect(await days.getAttribute('aria-valuetext')).toBe('Mon 2 Mar: 4 h 00 min, busy 3 h 00 min');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    // The half before midnight of the one that crosses it.
    await told.getByText('build 30 min 00 s').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await card().getByText('2 Mar 2026, 00:00 to 3 Mar 2026, 00:00').waitFor();
    expect(await figure('Sum')).toBe('4 h 00 min');
    expect(await page.locator('#timeline .bar-group').count()).toBe(2);
    // One day alone is no chart of days.
    expect(await days.count()).toBe(0);
  });

  test('is about the chosen agent and project', async () => {
    await open(`agent=bob&${WEEK}`);
    await card().getByText('1 Mar 2026, 00:00 to 8 Mar 2026, 00:00').waitFor();
    expect(await rows()).toEqual([['build', '1 h 00 min', '100 %', '1 h 00 min', '1']]);
    await page.locator('#agent-select').selectOption('*');
    await card().getByText('60 %').waitFor();
    await page.goto(`${service.url}/dashboard#project=blog&${WEEK}`);
    // What belongs to no project is of each.
    await card().locator('.figures dd').getByText('2', { exact: true }).waitFor();
    expect([await figure('Sum'), await figure('Busy')]).toEqual(['4 h 00 min', '3 h 00 min']);
  });

  test('says that nothing ran, then tells what does, and does not ask at each event', async () => {
    await service.post('/events?space=now', { event_type: 'begin' });
    await open('', { query: '?space=now' });
    await card().getByText('No task ran in this time.').waitFor();
    const before = asked();
    const endedMs = Date.now();
    for (let i = 0; i < 40; i += 1) {
      const task = { task_type: 'burst', correlation_id: `burst-${i}` };
      await service.post('/events/task-start?space=now', task);
      await service.post('/events/task-end?space=now', task);
    }
    await card().locator('.spent-groups tbody tr').getByText('40', { exact: true }).waitFor();
    expect(asked() - before).toBeLessThanOrEqual(2 + (Date.now() - endedMs) / 15_000);
  });

  test.each([375, 1440])('is accessible and holds still at %d px, light and dark', async (width) => {
    await open(WEEK, { width });
    await card().locator('.chart-columns').waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await axeFaultsInBothSchemes(page)).toEqual([]);
    // On a telephone no figure of a group is out of sight.
    const isInSight = (cell: Element) => cell.getBoundingClientRect().right <= document.documentElement.clientWidth;
    for (const cell of await card().locator('.spent-groups td').all())
      expect(await cell.evaluate(isInSight)).toBe(true);
  });
});
