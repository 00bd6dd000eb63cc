/** A memory that was recalled, with its score and the reasons of it. */

import { memoryItem } from '../pieces/memory-item.js';
import { nowMs } from '../shared/clock.js';
import { html, nothing } from '../shared/template.js';
import { whyBar, whyChips, whyNumbers } from './why-bar.js';
import { mainReasons, whyRemarks, whySentence } from './why-sentence.js';

/**
 * The reasons of the first are told in full, those of the others on demand: most are alike.
 * @param {import('../reading/api.js').RecalledMemory} memory @param {{ page: import('../page.js').Page, isFirst: boolean }} how
 */
export function recalledItem(memory, { page, isFirst }) {
  const { score, relevance, why, gist } = memory;
  const remarks = whyRemarks(memory, nowMs());
  return memoryItem(
    memory,
    page,
    html`
      <details class="why" ?open=${isFirst}>
        <summary class="score">
          <span class="score-value num">${score.toFixed(2)}</span>
          <span class="relevance" data-relevance=${relevance}>${relevance}</span>
          ${whyBar(score, why)} ${whyChips(mainReasons(memory))}
          <span class="visually-hidden">Why “${gist}”</span>
        </summary>
        ${whyNumbers(score, why)}
        <p class="why-sentence">${whySentence(memory)}</p>
      </details>
      ${remarks === '' ? nothing : html`<p class="why-remarks">${remarks}</p>`}
    `,
  );
}
