import type { Memory } from '../memory.ts';
import type { Relevance } from './relevance.ts';

export interface ContextItem {
  readonly memory: Pick<Memory, 'gist' | 'kind' | 'agentId' | 'name' | 'createdAt' | 'supersededBy'>;
  readonly relevance: Relevance;
}

const HEADING = 'What is remembered (oldest first):';
/** A line that would hold less of the gist than this says nothing. */
const SHORTEST_GIST = 40;
const ELLIPSIS = '…';
/** Control characters and separators of lines: with them a memory could pretend to be several lines. */
const LINE_BREAKERS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** They turn the direction of what follows, or are not seen at all. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Recalled memories as text that can be put before a prompt: one line each with date and speaker, newest facts last, because
 * what stands last weighs most. The most relevant win the room; those of low relevance are left out.
 * @param items best first
 * @param options.maxCharacters of the whole block
 * @returns '' when nothing is relevant or nothing fits
 */
export function contextBlock(items: readonly ContextItem[], { maxCharacters }: { maxCharacters: number }): string {
  let room = maxCharacters - HEADING.length;
  const lines: { readonly text: string; readonly createdAt: number }[] = [];
  for (const { memory, relevance } of items) {
    if (relevance === 'low') continue;
    const text = lineOf(memory, room - 1);
    if (text === null) break;
    lines.push({ text, createdAt: memory.createdAt });
    room -= text.length + 1;
  }
  if (lines.length === 0) return '';
  lines.sort((a, b) => a.createdAt - b.createdAt);
  return [HEADING, ...lines.map(({ text }) => text)].join('\n');
}

/** null when too little room is left for it. */
function lineOf(memory: ContextItem['memory'], room: number): string | null {
  const { gist, kind, agentId, name, createdAt, supersededBy } = memory;
  const note = supersededBy === null ? '' : ' (superseded)';
  // What was gathered says of each sentence who said it when.
  const start =
    kind === 'semantic'
      ? '- '
      : `- ${new Date(createdAt).toISOString().slice(0, 10)} ${flat(name ?? agentId)}${note}: `;
  const text = flat(gist);
  if (start.length + text.length <= room) return start + text;
  const left = room - start.length - ELLIPSIS.length;
  return left < SHORTEST_GIST ? null : start + cut(text, left) + ELLIPSIS;
}

function flat(text: string): string {
  return text.replace(INVISIBLE, '').replace(LINE_BREAKERS, ' ').trim();
}

/** At a blank where there is one near the end, and never through a character. */
function cut(text: string, length: number): string {
  const head = text.slice(0, length);
  const blank = head.lastIndexOf(' ');
  return (blank > length * 0.8 ? head.slice(0, blank) : head).replace(/[\ud800-\udbff]$/, '').trimEnd();
}
