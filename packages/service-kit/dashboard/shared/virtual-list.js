/**
 * A long list of which only what is near the window is in the page. Items stand in pages; one that is far away is replaced by an
 * element of its height, so that nothing moves and a list of tens of thousands stays smooth.
 */

import { html, nothing, render } from './template.js';

/** Items that come and go together. */
const PAGE = 50;
/** Of a page that was never drawn: an item of two lines. */
const ITEM_HEIGHT_PX = 76;
/** Pages this far beyond the window are drawn. */
const NEAR = '1200px 0px';

/**
 * @param {HTMLElement} place
 * @param {{ className: string, item: (item: any) => unknown, onEnd?: () => void }} options
 *   `item` a template of a `<li>`; `onEnd` is called whenever the end of the list comes near the window
 */
export function createVirtualList(place, { className, item, onEnd = () => {} }) {
  /** @type {any[]} */
  let items = [];
  /** @type {Set<Element>} */
  const near = new Set();
  const end = document.createElement('div');
  place.append(end);
  const pages = () => /** @type {HTMLElement[]} */ ([...place.children].filter((child) => child !== end));

  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (target === end) {
          if (isIntersecting) onEnd();
        } else {
          if (isIntersecting) near.add(target);
          else near.delete(target);
          drawPage(/** @type {HTMLElement} */ (target));
        }
      }
    },
    { rootMargin: NEAR },
  );
  watcher.observe(end);

  /** @param {HTMLElement} page */
  function drawPage(page) {
    const start = Number(page.dataset.start);
    const own = items.slice(start, start + PAGE);
    // Who reads or tabs here keeps what has the focus.
    if (near.has(page) || page.contains(document.activeElement)) {
      page.style.removeProperty('height');
      render(html`${own.map(item)}`, page);
    } else {
      const height = page.childElementCount > 0 ? page.offsetHeight : own.length * ITEM_HEIGHT_PX;
      page.style.setProperty('height', `${height}px`);
      render(nothing, page);
    }
  }

  function addPages() {
    for (let start = pages().length * PAGE; start < items.length; start += PAGE) {
      const page = document.createElement('ol');
      page.className = className;
      page.dataset.start = String(start);
      place.insertBefore(page, end);
      // The first draw is not left to the observer, so that a list is there when it is asked for.
      near.add(page);
      drawPage(page);
      watcher.observe(page);
    }
  }

  /** The end may have stayed near the window, of which the observer tells only once. */
  function watchEnd() {
    watcher.unobserve(end);
    watcher.observe(end);
  }

  return {
    get length() {
      return items.length;
    },
    /** @param {any[]} all */
    replace(all) {
      items = [...all];
      for (const page of pages()) {
        watcher.unobserve(page);
        near.delete(page);
        page.remove();
      }
      addPages();
      watchEnd();
    },
    /** @param {any[]} more */
    append(more) {
      const last = pages().at(-1);
      items = [...items, ...more];
      if (last) drawPage(last);
      addPages();
      watchEnd();
    },
    /** @param {string} id @param {any} changed */
    change(id, changed) {
      const at = items.findIndex((one) => one.id === id);
      if (at < 0) return;
      items = items.with ? items.with(at, changed) : [...items.slice(0, at), changed, ...items.slice(at + 1)];
      const page = pages()[Math.floor(at / PAGE)];
      if (page) drawPage(page);
    },
    /** Moves the focus to the link of an item. @param {number} at */
    focusOn(at) {
      const page = pages()[Math.floor(at / PAGE)];
      page?.children[at % PAGE]?.querySelector('a')?.focus();
    },
  };
}
