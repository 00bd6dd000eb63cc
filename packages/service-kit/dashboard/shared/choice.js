/** Fills a select of the page's head. */

import { html, render, repeat } from './template.js';

/**
 * One option for all and one for each name, sorted. The chosen name is offered even where it is not known.
 * @param {HTMLSelectElement} select empty in the page
 * @param {{ all: string, label: string, known: readonly string[], chosen: string, textOf?: (name: string) => string }} choice
 */
export function drawChoice(select, { all, label, known, chosen, textOf = (name) => name }) {
  const names = [...new Set([...known, chosen])].filter((name) => name !== all).sort();
  render(
    html`<option value=${all}>${label}</option>${repeat(
      names,
      (name) => name,
      (name) => html`<option dir="auto" value=${name}>${textOf(name)}</option>`,
    )}`,
    select,
  );
  if (select.value !== chosen) select.value = chosen;
}
