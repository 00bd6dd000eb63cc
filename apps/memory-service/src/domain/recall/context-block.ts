import { nextTurn } from '../concurrency/next-turn.ts';
import { isLong } from '../concurrency/reading-steps.ts';
import type { Memory } from '../memory/memory.ts';
import { isEnded } from '../memory/validity.ts';
import { flatText } from '../text/flat-text.ts';
import { speakerOf } from '../text/speaker.ts';
import { FRAME_BEGIN, FRAME_END, withoutFrameMarks } from './frame.ts';
import type { Relevance } from './relevance.ts';

/** The content of one line of a context. */
export interface Told {
  readonly memory: Pick<
    Memory,
    'agentId' | 'name' | 'createdAt' | 'supersededBy' | 'gistEdited' | 'validFrom' | 'validUntil'
  >;
  readonly text: string;
}

export interface ContextItem {
  /** The lines of a memory: of a derived one a line for each source. Called while there is room. */
  readonly told: () => Promise<readonly Told[]>;
  readonly relevance: Relevance;
}

interface Moment {
  readonly now: number;
  readonly heldAt: number | null;
}

/** A line with fewer characters of the text than this is left out. */
const SHORTEST_TEXT = 40;
const ELLIPSIS = '…';

/**
 * Recalled memories as a text that can stand before a prompt: in a frame that says what it is, one line each with date and
 * speaker, newest last, because the last lines weigh most with a model. The most relevant memories get the room; those of low
 * relevance are left out. No text and no name can begin a line or change the speaker of one.
 * @param items best first
 * @param options.maxCharacters of the whole block @param options.now epoch milliseconds
 * @param options.heldAt of a question about what held then, epoch milliseconds; null: about the present
 * @returns '' when nothing is relevant or nothing fits
 */
export async function contextBlock(
  items: readonly ContextItem[],
  { maxCharacters, ...moment }: { maxCharacters: number } & Moment,
): Promise<string> {
  let room = maxCharacters - FRAME_BEGIN.length - FRAME_END.length - 1;
  const lines: { readonly text: string; readonly createdAt: number }[] = [];
  filling: for (const { told, relevance } of items) {
    if (relevance === 'low') continue;
    if (room < SHORTEST_TEXT) break;
    for (const one of await told()) {
      // A text may hold mostly invisible characters; then it takes milliseconds to find what fits.
      if (isLong(one.text)) await nextTurn();
      const text = lineOf(one, { room: room - 1, ...moment });
      if (text === null) break filling;
      lines.push({ text, createdAt: one.memory.createdAt });
      room -= text.length + 1;
    }
  }
  if (lines.length === 0) return '';
  lines.sort((a, b) => a.createdAt - b.createdAt);
  return [FRAME_BEGIN, ...lines.map(({ text }) => text), FRAME_END].join('\n');
}

/** The line; null when too little room is left for it. */
function lineOf({ memory, text }: Told, { room, ...moment }: { room: number } & Moment): string | null {
  const start = `- ${dayOf(memory.createdAt)} ${speakerOf(memory)}${notesOn(memory, moment)}: `;
  // One character more than fits shows that the text is cut.
  const said = withoutFrameMarks(flatText(text).slice(0, Math.max(0, room) + 1));
  if (start.length + said.length <= room) return start + said;
  const left = room - start.length - ELLIPSIS.length;
  return left < SHORTEST_TEXT ? null : start + cut(said, left) + ELLIPSIS;
}

/** What a reader has to know of a memory beside its words. */
function notesOn(memory: Told['memory'], { now, heldAt }: Moment): string {
  const at = heldAt ?? now;
  const notes: string[] = [];
  // The speaker did not say an edited gist, so the line says that it was edited.
  if (memory.gistEdited) notes.push('edited');
  if (memory.supersededBy !== null && heldAt === null) notes.push('superseded');
  if (memory.validUntil !== null && isEnded(memory, at)) notes.push(`held until ${dayOf(memory.validUntil)}`);
  else if (memory.validFrom !== null && memory.validFrom > at) notes.push(`holds from ${dayOf(memory.validFrom)}`);
  return notes.map((note) => ` (${note})`).join('');
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Cuts at a blank if there is one near the end, and never inside a character. */
function cut(text: string, length: number): string {
  const head = text.slice(0, length);
  const blank = head.lastIndexOf(' ');
  return (blank > length * 0.8 ? head.slice(0, blank) : head).replace(/[\ud800-\udbff]$/, '').trimEnd();
}
