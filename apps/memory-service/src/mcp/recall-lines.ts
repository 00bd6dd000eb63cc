import { dayOf } from '@agent-faculties/service-kit';
import type { components } from '../api.gen.ts';
import { speakerOf } from './speaker.ts';
import { beginning, oneLine } from './tool-fields.ts';

type Recalled = components['schemas']['RecalledMemory'];

/** Most memories that are named where nothing is relevant. */
const NEAREST = 3;
/** Of the text of each of them, which stands in no context, and whose end may be the answer. */
const NEAREST_CHARACTERS = 240;

/** What was recalled, as a model reads it: the context and the ids of what is in it, or what comes nearest. */
export function recallLines(context: string, memories: readonly Recalled[]): string {
  const relevant = memories.filter(({ relevance }) => relevance !== 'low');
  const isKnown = relevant.length > 0;
  const lines = isKnown ? relevant.map(idLine) : memories.slice(0, NEAREST).map(nearestLine);
  const known = context === '' ? 'There is no room for the context: max_context_chars is too small.' : context;
  const said = isKnown ? known : 'Nothing that was told seems to answer this.';
  const heading = isKnown
    ? 'Ids, best first:'
    : 'What comes nearest is mostly about something else, so see whether it answers; best first:';
  return lines.length === 0 ? said : [said, heading, ...lines].join('\n');
}

function idLine({ id, relevance, gist }: Recalled): string {
  return `- ${id} (${relevance}): ${beginning(gist)}`;
}

function nearestLine(memory: Recalled): string {
  const { id, relevance, created_at, agent_id, name, source, kind, gist } = memory;
  const speaker = oneLine(speakerOf({ agent_id, name, isOfUser: source === 'user' && kind === 'episodic' }));
  const said = `${dayOf(Date.parse(created_at))} ${speaker}${validity(memory)}`;
  return `- ${id} (${relevance}), ${said}: ${beginning(gist, NEAREST_CHARACTERS)}`;
}

function validity({ superseded_by, valid_until }: Recalled): string {
  if (superseded_by !== null) return ' (superseded)';
  return valid_until === null ? '' : ` (until ${valid_until.slice(0, 10)})`;
}
