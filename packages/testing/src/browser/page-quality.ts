/// <reference lib="dom" />
import type { default as Axe } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules of axe whose verdict hangs on the colours; that of all others is the same in each scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds wrong with a page as it is now, WCAG 2.2 AA and its good practices: rule and element of each; and the names that
 * several controls share which do different things, for which axe has no rule.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  return [...(await brokenRules(page, null)), ...(await sharedNames(page))];
}

/** The same of a page that is shown in the light and then in the dark scheme, each with the scheme before it. Leaves the dark one. */
export async function axeFaultsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axeFaults(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await brokenRules(page, COLOUR_RULES);
  return [...light.map((fault) => `light: ${fault}`), ...dark.map((fault) => `dark: ${fault}`)];
}

/** @param rules null: all of axe's own choice */
async function brokenRules(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // Loaded by the files that open a browser alone.
  const { default: axe } = await import('axe-core');
  // Evaluated by the browser's debugger, which the page's policy does not bind.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(async (only) => {
    const { violations } = await (globalThis as unknown as { axe: typeof Axe }).axe.run(
      document,
      only === null ? {} : { runOnly: { type: 'rule', values: [...only] } },
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`),
    );
  }, rules);
}

/** What names a thing does the same wherever it stands: a task type, an agent, an id to copy, a task to open; so do links to one address. */
async function sharedNames(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const places = new Map<string, Set<unknown>>();
    for (const control of document.querySelectorAll<HTMLElement>('button:not(.name, .copy-id), a, summary')) {
      if (!control.checkVisibility()) continue;
      const name = control.getAttribute('aria-label') ?? control.textContent?.replace(/\s+/g, ' ').trim() ?? '';
      const place = control instanceof HTMLAnchorElement ? control.href : (control.dataset.task ?? control);
      places.set(name, (places.get(name) ?? new Set()).add(place));
    }
    return [...places].filter(([, { size }]) => size > 1).map(([name, { size }]) => `shared name: ${size} × ${name}`);
  });
}

/** How much has moved by itself since the page was opened: cumulative layout shift (CLS), of which up to 0.1 counts as good. */
export async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are handed over before the second frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

/** The files that the page has asked for below its assets, with `HASH` for that of each: one script and one style sheet. */
export async function loadedAssets(page: Page): Promise<string[]> {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  return urls
    .map((url) => new URL(url).pathname)
    .filter((path) => path.startsWith('/dashboard/assets/'))
    .map((path) => path.replace(/-[0-9a-f]{16}\./, '-HASH.'))
    .sort();
}

/** A name from right to left with digits at its end; shown among words from left to right it has to keep its own direction. */
export const ARABIC_NAME = 'وكيل (v2) 12';

/** How often a page shows that name, and the elements in which it does not run from right to left. */
export async function arabicNames(page: Page): Promise<{ shown: number; wrong: string[] }> {
  return await page.evaluate((name) => {
    const found = { shown: 0, wrong: [] as string[] };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
      const start = text.data.indexOf(name);
      const parent = text.parentElement as HTMLElement;
      if (start < 0 || !parent.checkVisibility()) continue;
      const boxOf = (from: number, to: number) => {
        const range = document.createRange();
        range.setStart(text as Text, start + from);
        range.setEnd(text as Text, start + to);
        return range.getBoundingClientRect();
      };
      const [first, last] = [boxOf(0, 4), boxOf(name.length - 2, name.length)];
      found.shown += 1;
      // On two lines neither is beside the other.
      if (first.top === last.top && first.left < last.left) found.wrong.push(parent.outerHTML.slice(0, 200));
    }
    return found;
  }, ARABIC_NAME);
}
