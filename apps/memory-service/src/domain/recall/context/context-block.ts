import { dayOf, utcDay } from '@agent-faculties/service-kit';
import { nextTurn } from '../../concurrency/next-turn.ts';
import { isLong } from '../../concurrency/reading-steps.ts';
import { explanationOf } from '../../contradictions/explanation.ts';
import type { Disagreement } from '../../contradictions/list-contradictions.ts';
import type { Memory, Source } from '../../memory/memory.ts';
import { isEnded } from '../../memory/validity.ts';
import { flatText } from '../../text/sentences/flat-text.ts';
import { whoSaid } from '../../text/speaker/speaker.ts';
import type { Relevance } from '../relevance/relevance.ts';
import { FRAME_BEGIN, FRAME_END, withoutFrameMarks } from './frame.ts';

/** The content of one line of a context. */
export interface Told {
  readonly memory: Pick<
    Memory,
    | 'id'
    | 'agentId'
    | 'kind'
    | 'name'
    | 'source'
    | 'createdAt'
    | 'supersededBy'
    | 'gistEdited'
    | 'validFrom'
    | 'validUntil'
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

/** How a context shows a memory: with its words; with its id and the beginning of its words; or as an object of JSON. */
export const CONTEXT_STYLES = ['lines', 'compact', 'json'] as const;
export type ContextStyle = (typeof CONTEXT_STYLES)[number];

export interface ContextForm {
  /** Of the whole block, in UTF-16 code units. */
  readonly maxCharacters: number;
  /** Of the whole block, estimated as BYTES_PER_TOKEN says; null: no limit but that of characters. */
  readonly maxTokens: number | null;
  readonly style: ContextStyle;
}

/**
 * The bytes of UTF-8 that a token has at least, on average over a text. Tokenizers of 2026 take 4 to 4.5 for English prose, 3 to 3.5
 * for code, dates and ids, and 3 for a character of Chinese: so the estimate is high rather than low.
 */
const BYTES_PER_TOKEN = 3;

/** A line with fewer characters of the text than this is left out. */
const SHORTEST_TEXT = 40;
/** Characters of the text of a memory in a compact context. */
const COMPACT_TEXT = 80;
const ELLIPSIS = '…';

interface Line {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The line of a memory, with the words that it was made of. */
interface ToldLine extends Line {
  readonly said: string;
}

/** The room that is left in a block. */
class Room {
  #characters: number;
  #bytes: number;

  constructor({ maxCharacters, maxTokens }: ContextForm) {
    const frame = FRAME_BEGIN.length + FRAME_END.length + 1;
    this.#characters = maxCharacters - frame;
    this.#bytes = maxTokens === null ? Number.POSITIVE_INFINITY : maxTokens * BYTES_PER_TOKEN - frame;
  }

  get characters(): number {
    return Math.min(this.#characters, this.#bytes);
  }

  /**
   * Takes the longest line that fits, with its line break. Null if none fits.
   * @param make a line of at most so many characters @param kept bytes that have to be left
   */
  take(make: (most: number) => string | null, kept = 0): string | null {
    const bytes = this.#bytes - kept;
    let line = make(this.characters - 1 - kept);
    if (line !== null && Buffer.byteLength(line) >= bytes) line = make(charactersWithin(line, bytes - 1));
    if (line === null || Buffer.byteLength(line) >= bytes) return null;
    this.#characters -= line.length + 1;
    this.#bytes -= Buffer.byteLength(line) + 1;
    return line;
  }

  /** Takes a line back out. */
  giveBack(line: string): void {
    this.#characters += line.length + 1;
    this.#bytes += Buffer.byteLength(line) + 1;
  }
}

/**
 * Recalled memories as a text that can stand before a prompt: in a frame that says what it is, one line each with date and
 * speaker, newest last, because the last lines weigh most with a model. The most relevant memories get the room; those of low
 * relevance are left out. A line says what nobody has decided yet; it comes with the first of its memories, before any further one.
 * Where there is no room for it, the other one does not come either. A memory has one line, the one that came last where it says
 * more: a derived memory may have told a part of it. No text and no name can begin a line or change the speaker of one.
 * @param items best first
 * @param options.disagreements of these memories @param options.now epoch milliseconds
 * @param options.heldAt of a question about what held then, epoch milliseconds; null: about the present
 * @returns '' when nothing is relevant or nothing fits
 */
export async function contextBlock(
  items: readonly ContextItem[],
  { disagreements = [], ...form }: { disagreements?: readonly Disagreement[] } & ContextForm & Moment,
): Promise<string> {
  const room = new Room(form);
  // By id: a memory may also be among the sources of a derived one.
  const told = new Map<string, ToldLine>();
  const undecided = new Undecided(disagreements, form);
  filling: for (const { told: tell, relevance } of items) {
    if (relevance === 'low') continue;
    if (room.characters < SHORTEST_TEXT) break;
    for (const one of await tell()) {
      const before = told.get(one.memory.id);
      if (before?.said.includes(one.text)) continue;
      // A text may hold mostly invisible characters; then it takes milliseconds to find what fits.
      if (isLong(one.text)) await nextTurn();
      const makeLine = (most: number) => LINE_OF[form.style](one, { most, ...form });
      if (undecided.leavesOut(one.memory.id)) continue;
      const said = undecided.about(one.memory.id);
      const text = room.take(makeLine, bytesOf(said)) ?? room.take(makeLine);
      if (text === null) break filling;
      if (before) room.giveBack(before.text);
      told.set(one.memory.id, { text, at: one.memory.createdAt, said: one.text });
      undecided.take(said, { with: one.memory.id, room });
    }
  }
  if (told.size === 0) return '';
  const lines: Line[] = [...told.values(), ...undecided.taken];
  lines.sort((x, y) => x.at - y.at);
  return [FRAME_BEGIN, ...lines.map(({ text }) => text), FRAME_END].join('\n');
}

/** The lines about open contradictions, each taken once. */
class Undecided {
  readonly taken: Line[] = [];
  readonly #left: Map<Disagreement, string>;
  /** Ids of memories that the context leaves out: it has no room for the line about their contradiction. */
  readonly #leftOut = new Set<string>();

  constructor(disagreements: readonly Disagreement[], form: ContextForm) {
    this.#left = new Map(disagreements.map((one) => [one, undecidedLine(one, form)]));
  }

  /** The lines about a memory that are not taken yet. */
  about(memoryId: string): readonly (readonly [Disagreement, string])[] {
    return [...this.#left].filter(([{ a, b }]) => a.id === memoryId || b.id === memoryId);
  }

  /** Whether a memory contradicts one that is shown, and there was no room to say so. */
  leavesOut(memoryId: string): boolean {
    return this.#leftOut.has(memoryId);
  }

  /** Takes the lines about a memory, as far as there is room. */
  take(lines: ReturnType<Undecided['about']>, { with: memoryId, room }: { with: string; room: Room }): void {
    for (const [disagreement, text] of lines) {
      const { a, b } = disagreement;
      this.#left.delete(disagreement);
      if (room.take((most) => (text.length <= most ? text : null)) === null) {
        this.#leftOut.add(a.id === memoryId ? b.id : a.id);
        continue;
      }
      this.taken.push({ text, at: Math.max(a.createdAt, b.createdAt) });
    }
  }
}

/** With their line breaks. */
function bytesOf(lines: ReturnType<Undecided['about']>): number {
  return lines.reduce((sum, [, text]) => sum + Buffer.byteLength(text) + 1, 0);
}

type LineForm = { readonly most: number } & ContextForm & Moment;

const LINE_OF: Readonly<Record<ContextStyle, (told: Told, form: LineForm) => string | null>> = {
  lines: ({ memory, text }, form) => cutLine(text, { start: `- ${headOf(memory, form)}: `, most: form.most }),
  compact: ({ memory, text }, form) => {
    const start = `- [${memory.id}] ${headOf(memory, form)}: `;
    return cutLine(text, { start, most: Math.min(form.most, start.length + COMPACT_TEXT) });
  },
  json: ({ memory, text }, form) => {
    const { id, createdAt } = memory;
    const about = { id, date: dayOf(createdAt), by: whoSaid(memory), notes: notesOn(memory, form) };
    // Escapes may make a text longer, so that it is cut once more.
    for (let most = form.most; most >= SHORTEST_TEXT; ) {
      const said = cutLine(text, { start: '', most });
      const line = said === null ? null : JSON.stringify({ ...about, text: said });
      if (line === null || line.length <= form.most) return line;
      most = (said as string).length - (line.length - form.most);
    }
    return null;
  },
};

function undecidedLine(disagreement: Disagreement, { style }: ContextForm): string {
  const says = withoutFrameMarks(flatText(explanationOf(disagreement)));
  const { contradiction, a, b } = disagreement;
  if (style === 'json') return JSON.stringify({ undecided: contradiction.id, between: [a.id, b.id], text: says });
  return `- undecided${style === 'compact' ? ` [${contradiction.id}]` : ''}: ${says}`;
}

/** The start and as much of the text as there is room for; null when too little is left. */
function cutLine(text: string, { start, most }: { start: string; most: number }): string | null {
  // One character more than fits shows that the text is cut.
  const said = withoutFrameMarks(flatText(text).slice(0, Math.max(0, most) + 1));
  if (start.length + said.length <= most) return start + said;
  const left = most - start.length - ELLIPSIS.length;
  return left < SHORTEST_TEXT ? null : start + cut(said, left) + ELLIPSIS;
}

function headOf(memory: Told['memory'], moment: Moment): string {
  const notes = notesOn(memory, moment).map((note) => ` (${note})`);
  return `${dayOf(memory.createdAt)} ${whoSaid(memory)}${notes.join('')}`;
}

/** The length of the longest beginning of a text that has at most so many bytes of UTF-8. */
function charactersWithin(text: string, bytes: number): number {
  let left = bytes;
  let length = 0;
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    length += character.length;
  }
  return length;
}

/** Whose words nobody of the team vouches for. */
const NOTE_ON: Readonly<Partial<Record<Source, string>>> = { tool: 'from a tool', import: 'imported' };

/** What a reader has to know of a memory beside its words. */
function notesOn(memory: Told['memory'], { now, heldAt }: Moment): string[] {
  const at = heldAt ?? now;
  const notes: string[] = [];
  const ofSource = NOTE_ON[memory.source];
  if (ofSource !== undefined) notes.push(ofSource);
  // The speaker did not say an edited gist, so the line says that it was edited.
  if (memory.gistEdited) notes.push('edited');
  if (memory.supersededBy !== null && heldAt === null) notes.push('superseded');
  // A date alone that a caller sends is its midnight in UTC.
  if (memory.validUntil !== null && isEnded(memory, at)) notes.push(`held until ${utcDay(memory.validUntil)}`);
  else if (memory.validFrom !== null && memory.validFrom > at) notes.push(`holds from ${utcDay(memory.validFrom)}`);
  return notes;
}

/** Cuts at a blank if there is one near the end, and never inside a character. */
function cut(text: string, length: number): string {
  const head = text.slice(0, length);
  const blank = head.lastIndexOf(' ');
  return (blank > length * 0.8 ? head.slice(0, blank) : head).replace(/[\ud800-\udbff]$/, '').trimEnd();
}
