/** The state of the service. */

import { factList } from '../shared/fact-list.js';
import { countOf, formatCount, formatDuration } from '../shared/format.js';
import { pageSpace } from '../shared/request.js';
import { html } from '../shared/template.js';

/** @param {import('../reading/api.js').Health} health */
export function serviceCard({ uptime_seconds: uptime, version, vectors, embedding, contradictions, ...kept }) {
  /** @type {[string, unknown, string?][]} */
  const facts = [
    ['Up for', `${formatDuration(uptime)} · version ${version}`],
    ['Embedding', modelOf(embedding)],
    ['Vectors', formatCount(vectors)],
    ['Waiting for a vector', ...waiting(embedding.pending)],
    ['Waiting to be compared', ...waiting(contradictions.pending)],
    ['Data directory', ...dataDirectory(kept)],
  ];
  return html`
    <section class="card" aria-labelledby="service-heading">
      <div class="card-head"><h2 id="service-heading">Service</h2><p class="service-state" data-state="ok">Ready</p></div>
      ${factList(facts)}
    </section>
  `;
}

/** @param {{ model: string | null, dimension: number }} embedding */
const modelOf = ({ model, dimension }) =>
  model === null ? 'off: words and entities only' : `${model} · ${dimension} dimensions`;

/** A space gets its folder with its first memory. @param {Pick<import('../reading/api.js').Health, 'memories' | 'persistence'>} kept @returns {[string, string]} */
function dataDirectory({ memories, persistence: { data_dir: folder } }) {
  if (folder !== null) return [folder, ''];
  if (memories === 0 && pageSpace() !== '') return ['none yet: nothing is stored in this space', ''];
  return ['none: nothing outlives a restart', 'attention'];
}

/** What waits, and whether somebody should look at it. @param {number} count @returns {[string, string]} */
const waiting = (count) => (count === 0 ? ['none', ''] : [countOf(count, 'memory', 'memories'), 'attention']);
