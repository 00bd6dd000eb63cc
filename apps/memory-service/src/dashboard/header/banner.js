/** The line at the top that says what was not possible, or that the service is away, which explains each other problem. */

import { drawAway } from '../shared/away-banner.js';
import { html, render } from '../shared/template.js';

export class Banner {
  #place;
  /** What could not be read; null when nothing is wrong. @type {unknown} */
  problem = null;
  /** What could not be done; null where the reader has done something else since. @type {unknown} */
  refusal = null;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
  }

  /** @param {import('../shared/away-banner.js').Away | null} away @param {{ nowMs: number, hasData: boolean }} page */
  draw(away, page) {
    drawAway(this.#place, away, page);
    const problem = this.refusal ?? this.problem;
    if (away !== null || problem === null) return;
    this.#place.hidden = false;
    render(
      html`<strong>Not possible.</strong> ${problem instanceof Error ? problem.message : String(problem)}`,
      this.#place,
    );
  }
}
