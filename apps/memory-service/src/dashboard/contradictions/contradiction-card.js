/** One contradiction: both sides with the words in which they differ, what was said of it, and what can be decided. */

import { origin, scopeBadge } from '../pieces/memory-item.js';
import { differingText } from '../shared/changed-text.js';
import { instant } from '../shared/instant.js';
import { html, nothing } from '../shared/template.js';
import { marked } from './marked.js';

const REASONS = {
  negation: 'denied',
  antonym: 'opposite words',
  number: 'other number',
  date: 'other time',
  version: 'other version',
  name: 'other name',
  exclusive_choice: 'other choice',
  preference: 'other preference',
  state: 'other state',
};

/**
 * @typedef {object} Card what the card needs beside the contradiction
 * @property {import('./queue.js').Tab} tab
 * @property {boolean} isNext it is the one that keys decide
 * @property {import('../page.js').Page} page
 * @property {(contradiction: import('../reading/api.js').Contradiction, verdict: Record<string, unknown>) => void} onDecide
 * @property {(contradiction: import('../reading/api.js').Contradiction, says: 'contradiction' | 'compatible') => void} onJudge
 * @property {(id: string) => void} onSkip
 */

/** @param {import('../reading/api.js').Contradiction} contradiction @param {Card} card */
export function contradictionCard(contradiction, card) {
  const { id, explanation, opinion, decision } = contradiction;
  return html`
    <li class="card" data-key=${id} data-next=${card.isNext ? 'yes' : nothing}>
      <div class="card-head">
        <h3 tabindex="-1">${titleOf(contradiction)}</h3>
        ${marks(contradiction, card)}
      </div>
      <p>${explanation}</p>
      <div class="claims">${claim(contradiction, 'a', card)} ${claim(contradiction, 'b', card)}</div>
      ${opinion ? judged(opinion) : nothing}
      ${decision ? html`<p class="card-foot"><bdi>${decision.agent_id}</bdi> decided ${instant(decision.decided_at)}${decision.note ? ` “${decision.note}”` : ''}</p>` : nothing}
      <div class="button-row">${actions(contradiction, card)}</div>
    </li>
  `;
}

/** @param {{ topic: string }} contradiction */
const titleOf = ({ topic }) => (topic === '' ? 'Both cannot be so' : topic);

/** @param {import('../reading/api.js').Contradiction} contradiction @param {Card} card */
const marks = ({ reason, confidence, score }, { tab }) => html`
  <p class="memory-marks">
    <span class="badge">${REASONS[/** @type {'state'} */ (reason)]}</span>
    <span class="badge" data-confidence=${confidence}>${tab === 'doubtful' ? 'doubtful' : `${confidence} confidence`}</span>
    <span class="badge num">${score.toFixed(2)}</span>
  </p>
`;

/** @param {import('../reading/api.js').Contradiction} contradiction @param {'a' | 'b'} side @param {Card} card */
function claim(contradiction, side, { tab, isNext, page, onDecide }) {
  const said = contradiction[side];
  const other = contradiction[side === 'a' ? 'b' : 'a'];
  const holds = contradiction.decision?.winner === said.memory_id;
  // The words that clash, where the comparison names them, else all in which the two differ.
  const words = said.clash.length > 0 ? marked(said.gist, said.clash) : differingText(said.gist, other.gist);
  const decideFor = html`<button type="button" class="button" aria-keyshortcuts=${isNext ? side : nothing} @click=${() => onDecide(contradiction, { winner: said.memory_id })}>
    This holds${aboutWhich(said.gist, other.gist)}${isNext ? keyOf(side) : nothing}
  </button>`;
  return html`
    <div class="claim" data-holds=${holds || nothing}>
      ${origin(said)}
      <a class="claim-gist" href=${page.linkTo({ memory: said.memory_id })}>${words}</a>
      ${scopeBadge(said) || nothing}
      ${holds ? html`<p class="card-note">This holds</p>` : tab === 'doubtful' ? nothing : decideFor}
    </div>
  `;
}

/** @param {NonNullable<import('../reading/api.js').Contradiction['opinion']>} opinion */
function judged({ judge, says, agent_id: agent, at, note }) {
  const what = says === 'compatible' ? 'that both may stand' : 'that they contradict';
  return html`<p class="card-foot"><bdi>${judge}</bdi> says ${what} (handed in by <bdi>${agent}</bdi>, ${instant(at)})${note ? `: ${note}` : ''}. An opinion, not a decision.</p>`;
}

/** @param {import('../reading/api.js').Contradiction} contradiction @param {Card} card */
function actions(contradiction, { tab, isNext, onDecide, onJudge, onSkip }) {
  const button = (/** @type {string} */ text, /** @type {string} */ key, /** @type {() => void} */ onClick) =>
    html`<button type="button" class="button" aria-keyshortcuts=${isNext && key !== '' ? key : nothing} @click=${onClick}>${text}${aboutWhich(contradiction.explanation)}${isNext && key !== '' ? keyOf(key) : nothing}</button>`;
  const skip = button('Skip', 's', () => onSkip(contradiction.id));
  if (tab === 'open') return [button('Both may stand', 'd', () => onDecide(contradiction, { dismiss: true })), skip];
  if (tab === 'doubtful') {
    return [
      button('They contradict', '', () => onJudge(contradiction, 'contradiction')),
      button('Both may stand', 'd', () => onJudge(contradiction, 'compatible')),
      skip,
    ];
  }
  return button('Open again', '', () => onDecide(contradiction, { reopen: true }));
}

/** For whoever hears a list of the buttons, which of the cards one is of; one memory may stand in several. @param {string} words @param {string} [against] */
const aboutWhich = (words, against) =>
  html` <span class="visually-hidden">“${words}”${against === undefined ? '' : ` and not “${against}”`}</span>`;

/** Its key is told by aria-keyshortcuts. @param {string} key */
const keyOf = (key) => html` <kbd aria-hidden="true">${key}</kbd>`;
