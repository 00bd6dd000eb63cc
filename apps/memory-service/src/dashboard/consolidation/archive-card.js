/** What consolidation put away, and where it can be taken out again. */

import { memoryItem } from '../pieces/memory-item.js';
import { namedFor } from '../pieces/texts.js';
import { countOf } from '../shared/format.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';

/** @typedef {import('../reading/api.js').Answer<'listPruned'>} Archive as far as it was read */

/** @param {Archive} archive @param {{ page: import('../page.js').Page, onRestore: (id: string) => void, onMore: () => void }} how */
export function archiveCard({ pruned, total, next_cursor: next }, { page, onRestore, onMore }) {
  return html`
    <section class="card" aria-label="Archive">
      <div class="card-head">
        <h2 tabindex="-1">Archive</h2>
        <p class="card-note num">${countOf(total, 'memory', 'memories')}</p>
      </div>
      ${pruned.length === 0 ? html`<p class="empty">Nothing was put away in the last 30 days. A run puts away what is old, of little importance and not recalled.</p>` : nothing}
      <ol class="memories">
        ${pruned.map(({ memory, pruned_at, kept_until }) =>
          memoryItem(
            memory,
            page,
            html`<p class="card-note">Put away ${instant(pruned_at)}, kept until ${instant(kept_until)}
              <button type="button" class="button" aria-label=${namedFor('Restore', memory.gist)} @click=${() => onRestore(memory.id)}>Restore</button></p>`,
          ),
        )}
      </ol>
      ${next === null ? nothing : html`<button type="button" class="button" @click=${onMore}>More</button>`}
    </section>
  `;
}
