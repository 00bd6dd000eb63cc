/** Says which space a page shows, and leads to another one. */

import { pageSpace } from './request.js';
import { html, render } from './template.js';

/** The space of a request that names none. */
const DEFAULT_SPACE = 'default';
/** As the contract has it. */
const SPACE_PATTERN = '[a-z0-9\\-]{1,63}';

/**
 * The space stands in the query of the address. Another one is another page: nothing that was seen before stays.
 * @param {HTMLElement} place
 */
export function createSpaceField(place) {
  const space = pageSpace();
  const go = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const chosen = field.value.trim();
    if (chosen === space || !field.reportValidity()) return;
    location.assign(
      chosen === '' ? location.pathname : `${location.pathname}?${new URLSearchParams({ space: chosen })}`,
    );
  };
  render(
    html`
      <label class="field field-inline" for="space-field">
        <span>Space</span>
        <input id="space-field" type="search" placeholder=${DEFAULT_SPACE} autocomplete="off" spellcheck="false" maxlength="63"
          pattern=${SPACE_PATTERN} title="A to z in lower case, digits and -; empty for the default one" value=${space} @change=${go}>
      </label>
    `,
    place,
  );
}
