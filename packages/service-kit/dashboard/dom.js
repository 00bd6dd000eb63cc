/** Elements from data. Text goes in as text nodes only, so that no name is ever read as HTML. */

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/** @param {Element} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * `el('button', { type: 'button', onclick: f }, 'Save')`; a key that starts with `on` and holds a function listens.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  return /** @type {any} */ (fill(document.createElement(tag), attributes, children));
}

/** @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {any} */ (fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children));
}

/** Writes only what differs, so that screen readers and selections are left alone. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element #${id}`);
  return element;
}

/**
 * Makes the children of `parent` match `items`: known keys keep their element (and so their focus), others come and go.
 * @template T
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {{ key: (item: T) => string, create: (item: T) => HTMLElement, update?: (element: HTMLElement, item: T) => void }} how
 */
export function syncChildren(parent, items, { key, create, update }) {
  const known = new Map();
  const wanted = new Set(items.map(key));
  const focused = document.activeElement;
  for (const child of [...parent.children]) {
    const childKey = /** @type {HTMLElement} */ (child).dataset.key;
    if (childKey !== undefined && wanted.has(childKey)) known.set(childKey, child);
    else child.remove();
  }
  let position = parent.firstElementChild;
  for (const item of items) {
    const itemKey = key(item);
    let element = /** @type {HTMLElement | undefined} */ (known.get(itemKey));
    if (!element) {
      element = create(item);
      element.dataset.key = itemKey;
    }
    update?.(element, item);
    if (element === position) position = position.nextElementSibling;
    else parent.insertBefore(element, position);
  }
  if (focused instanceof HTMLElement && focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/** Replaces the options of a select, keeping the choice. @param {HTMLSelectElement} select @param {[string, string][]} options */
export function setOptions(select, options) {
  const chosen = select.value;
  const same =
    select.options.length === options.length &&
    options.every(([value, text], i) => select.options[i]?.value === value && select.options[i]?.text === text);
  if (same) return;
  select.replaceChildren(...options.map(([value, text]) => el('option', { value }, text)));
  select.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? '');
}

/**
 * Fills a select with one option for all and one for each name, sorted. The chosen name is offered even where it is not known.
 * @param {HTMLSelectElement} select
 * @param {{ all: string, label: string, known: readonly string[], chosen: string, textOf?: (name: string) => string }} choice
 */
export function drawChoice(select, { all, label, known, chosen, textOf = (name) => name }) {
  const names = [...new Set([...known, ...(chosen === all ? [] : [chosen])])].sort();
  setOptions(select, [[all, label], ...names.map((name) => /** @type {[string, string]} */ ([name, textOf(name)]))]);
  if (select.value !== chosen) select.value = chosen;
}

/** A short id with a button that copies all of it. @param {string} id @param {string} what */
export function copyableId(id, what) {
  const shown = id.length > 12 ? `…${id.slice(-8)}` : id;
  const button = el(
    'button',
    {
      type: 'button',
      class: 'copy-id',
      title: `Copy ${what} ${id}`,
      // Who speaks to the page says what is to be seen.
      'aria-label': `${shown}: copy ${what} ${id}`,
      onclick: async () => {
        const done = await navigator.clipboard?.writeText(id).then(
          () => true,
          () => false,
        );
        setText(byId('announcer'), done ? `Copied ${what}` : `Could not copy; the ${what} is ${id}`);
        button.dataset.copied = done ? 'yes' : 'no';
        setTimeout(() => delete button.dataset.copied, 1500);
      },
    },
    shown,
  );
  return button;
}

/** The text alternative of a chart. @param {string} summary @param {...Child} children */
export const alternative = (summary, ...children) =>
  el('details', { class: 'alternative' }, el('summary', {}, summary), ...children);

/**
 * @param {string} caption @param {string[]} columns @param {(string | number)[][]} rows
 */
export function plainTable(caption, columns, rows) {
  return el(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el(
      'table',
      { class: 'plain-table' },
      el('caption', {}, caption),
      el('thead', {}, el('tr', {}, ...columns.map((column) => el('th', { scope: 'col' }, column)))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell) => el('td', {}, String(cell)))))),
    ),
  );
}
