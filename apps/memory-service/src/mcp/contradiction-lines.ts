import type { components } from '../api.gen.ts';
import { speakerOf } from './speaker.ts';
import { oneLine } from './tool-fields.ts';

/** Of one text. */
const SHOWN_CHARACTERS = 1_000;

type Contradiction = components['schemas']['Contradiction'];

/** Contradictions as a model reads them: ids, both statements, who made them, and how it was decided. */
export function contradictionLines({
  contradictions,
  total,
  pending = 0,
  ofOneSpeaker = 0,
}: {
  readonly contradictions: readonly Contradiction[];
  readonly total?: number;
  readonly pending?: number;
  /** How many more there are between memories that one agent told of one speaker. */
  readonly ofOneSpeaker?: number;
}): string {
  const lines = contradictions.map(linesOf);
  if (lines.length === 0)
    lines.push(`No memories ${ofOneSpeaker > 0 ? 'of different speakers ' : ''}contradict each other here.`);
  if (total !== undefined && total > contradictions.length)
    lines.push(`${total - contradictions.length} more: ask with a higher limit.`);
  if (ofOneSpeaker > 0) lines.push(`${ofOneSpeaker} between memories of one speaker: ask with include_same_agent.`);
  if (pending > 0) lines.push(`${pending} memories still wait to be compared.`);
  return lines.join('\n');
}

function linesOf({ id, confidence, explanation, state, decision, a, b }: Contradiction): string {
  const decided = decision === null ? '' : `\n  ${decisionInWords(decision)}`;
  return `${id} (${state}, confidence ${confidence}): ${inShort(explanation)}\n${claim(a)}\n${claim(b)}${decided}`;
}

function decisionInWords({ winner, agent_id, note }: NonNullable<Contradiction['decision']>): string {
  const holds = winner === null ? 'both may stand' : `${winner} holds`;
  return `${holds}, decided by ${agent_id}${note === null ? '' : `: ${inShort(note)}`}`;
}

function claim({ memory_id, agent_id, name, role, gist, created_at }: Contradiction['a']): string {
  const speaker = speakerOf({ agent_id, name, isOfUser: role === 'user' });
  return `  - ${memory_id}, ${inShort(speaker)}, ${created_at}: ${inShort(gist)}`;
}

function inShort(text: string): string {
  return oneLine(text.slice(0, SHOWN_CHARACTERS));
}
