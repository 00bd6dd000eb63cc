/** A memory that was recalled, with its score and the reasons of it. */

import { memoryItem } from '../pieces/memory-item.js';
import { html, nothing } from '../shared/template.js';
import { whyBar, whyChips, whyNumbers } from './why-bar.js';
import { mainReasons, whyRemarks, whySentence } from './why-sentence.js';

/**
 * The reasons of the first are told in full, those of the others on demand: most are alike.
 * @param {import('../reading/api.js').RecalledMemory} memory @param {{ page: import('../page.js').Page, isFirst: boolean }} how
 */
export function recalledItem(memory, { page, isFirst }) {
  const remarks = whyRemarks(memory, Date.now());
  return memoryItem(
    memory,
    page,
    html`
      <div class="score">
        <span class="score-value num">${memory.score.toFixed(2)}</span>
        <span class="relevance" data-relevance=${memory.relevance}>${memory.relevance}</span>
        <div class="why">
          ${whyBar(memory.score, memory.why)}
          <details class="why-more" ?open=${isFirst}>
            <summary>${whyChips(mainReasons(memory))}<span class="why-title">Why</span></summary>
            ${whyNumbers(memory.score, memory.why)}
            <p class="why-sentence">${whySentence(memory)}</p>
          </details>
        </div>
      </div>
      ${remarks === '' ? nothing : html`<p class="why-remarks">${remarks}</p>`}
    `,
  );
}
