import { type MemoryClient, NotFoundError, type ServerEvent } from '@agent-faculties/client';
import { clientsOf } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { oneLine, sayWaiting } from '../print.ts';

/** Events after which a memory is there to be read. */
const WITH_WORDS = ['added', 'edited', 'superseded', 'invalidated'];

export const command = defineCommand({
  name: 'follow',
  summary: 'What changes in the memory, a line each, until Ctrl-C',
  usage: '[options]',
  takesWords: false,
  options: {},
  run: async (invocation) => {
    const { edge, json } = invocation;
    const { memory } = clientsOf(invocation);
    // A stream waits for a service that is away: whoever asks hears at once that there is none.
    await memory.getHealth({}, { maxRetries: 0 });
    sayWaiting(edge, 'changes of the memory');
    for await (const event of memory.streamEvents({}, { signal: edge.signal })) {
      edge.out(json ? `${JSON.stringify(event)}\n` : `${await lineOf(event, memory)}\n`);
    }
    return 0;
  },
});

interface EventData {
  readonly at: string;
  readonly by?: string | null;
  readonly memory_id?: string;
  readonly superseded_by?: string;
  readonly contradiction_id?: string;
  readonly what?: string;
  readonly run_id?: string | null;
  readonly outcome?: string;
}

/** `2026-11-21 09:30:00  added by ann  0193…: The kettle boils at noon.` */
async function lineOf({ event, data }: ServerEvent, memory: MemoryClient): Promise<string> {
  if (event === 'reset') return 'reset: some changes were missed, or the service has started anew';
  const { at, by, memory_id, superseded_by, contradiction_id, what, run_id, outcome } = data as EventData;
  const happened = [event, what ?? outcome, by ? `by ${by}` : undefined].filter(Boolean).join(' ');
  const id = memory_id ?? contradiction_id ?? run_id ?? '';
  const successor = superseded_by ? ` -> ${superseded_by}` : '';
  const words = memory_id && WITH_WORDS.includes(event) ? await gistOf(memory, memory_id) : null;
  const time = at.slice(0, 19).replace('T', ' ');
  return `${time}  ${happened}  ${id}${successor}${words === null ? '' : `: ${oneLine(words)}`}`;
}

/** Null where it is gone by now. */
async function gistOf(memory: MemoryClient, id: string): Promise<string | null> {
  try {
    return (await memory.getMemory({ id })).memory.gist;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
