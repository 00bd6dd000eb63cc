import type { MemorySchemas } from '@agent-faculties/client';
import { clientsOf } from '../clients.ts';
import { defineCommand, type Invocation, UsageError } from '../command.ts';
import { given, plainNumber, readLines, refuseOptionsOf } from '../input.ts';
import { counted, said } from '../print.ts';

type Contradiction = MemorySchemas['schemas']['Contradiction'];
type List = { readonly total: number; readonly pending: number };
type Verdict = { winner: string } | { dismiss: true } | { reopen: true };

const OPTIONS = {
  threshold: { type: 'string', value: 'N', help: 'least score, 0 to 1 (default: 0.6)' },
  'same-agent': { type: 'boolean', help: 'also what one agent told of one speaker differently' },
  winner: { type: 'string', value: 'ID', help: 'resolve: the memory that holds' },
  dismiss: { type: 'boolean', help: 'resolve: both may stand' },
  reopen: { type: 'boolean', help: 'resolve: open it again' },
  note: { type: 'string', value: 'TEXT', help: 'resolve: why' },
} as const;

export const command = defineCommand({
  name: 'contradictions',
  summary: 'What agents disagree about; in a terminal one after the other, to decide',
  usage: '[options] | resolve ID (--winner ID | --dismiss | --reopen) [--note TEXT]',
  options: OPTIONS,
  run: async (invocation) => {
    const [what, id, ...rest] = invocation.positionals;
    if (what === undefined) return await review(invocation);
    if (what === 'resolve' && id !== undefined && rest.length === 0) return await resolve(invocation, id);
    throw new UsageError('Write contradictions, or contradictions resolve ID --winner ID.');
  },
});

type Call = Invocation<typeof OPTIONS>;

async function resolve(call: Call, id: string): Promise<number> {
  const { edge, json, values } = call;
  refuseOptionsOf('contradictions resolve', ['threshold', 'same-agent'], values);
  const verdicts: Verdict[] = [
    ...(values.winner === undefined ? [] : [{ winner: values.winner }]),
    ...(values.dismiss ? [{ dismiss: true as const }] : []),
    ...(values.reopen ? [{ reopen: true as const }] : []),
  ];
  const [verdict, another] = verdicts;
  if (!verdict || another) throw new UsageError('Say one of --winner ID, --dismiss and --reopen.');
  const answer = await clientsOf(call).memory.resolveContradiction({ id, ...verdict, ...given({ note: values.note }) });
  edge.out(json ? `${JSON.stringify(answer)}\n` : `${answer.contradiction.id} is ${answer.contradiction.state}.\n`);
  return 0;
}

async function review(call: Call): Promise<number> {
  const { edge, json, values } = call;
  refuseOptionsOf('contradictions without resolve ID', ['winner', 'dismiss', 'reopen', 'note'], values);
  const { memory } = clientsOf(call);
  const asked = given({ threshold: plainNumber(values.threshold, 'threshold') });
  const answer = await memory.listContradictions({ ...asked, ...given({ include_same_agent: values['same-agent'] }) });
  if (json) {
    edge.out(`${JSON.stringify(answer)}\n`);
    return 0;
  }
  const { contradictions } = answer;
  const all = values['same-agent']
    ? answer
    : await memory.listContradictions({ ...asked, include_same_agent: true, limit: 1 });
  edge.out(`${counts(answer, { ofAll: all.total, isOfAll: values['same-agent'] === true })}\n`);
  const isAsked = edge.isTerminal.stdin && edge.isTerminal.stdout;
  const answers = isAsked ? readLines(edge) : null;
  for (const contradiction of contradictions) {
    edge.out(`\n${described(contradiction)}`);
    if (!answers) continue;
    const verdict = await ask(contradiction, answers, edge.out);
    if (verdict === 'quit') break;
    if (verdict === 'skip') continue;
    const decided = await memory.resolveContradiction({ id: contradiction.id, ...verdict });
    edge.out(`${decided.contradiction.state === 'dismissed' ? 'Both may stand.' : 'Decided.'}\n`);
  }
  await answers?.return(undefined);
  return 0;
}

/** How many there are; those of one speaker are counted where they are not listed, so that nobody reads "none" for them. */
function counts({ total, pending }: List, { ofAll, isOfAll }: { ofAll: number; isOfAll: boolean }): string {
  const parts = [
    total > 0 ? `${counted(total, 'contradiction')}.` : `No contradictions${isOfAll ? '' : ' between speakers'}.`,
    ...(ofAll > total ? [`${ofAll - total} between memories of one speaker: --same-agent lists them too.`] : []),
    ...(pending > 0 ? [`${counted(pending, 'memory', 'memories')} still wait to be compared.`] : []),
  ];
  return parts.join(' ');
}

function described({ id, score, confidence, explanation, a, b }: Contradiction): string {
  return `${id}  ${score.toFixed(2)} (${confidence}): ${explanation}\n  a  ${said(a)}\n  b  ${said(b)}\n`;
}

/** Repeats the question until the answer is one of the choices; the end of the input ends the review. */
async function ask(
  { a, b }: Contradiction,
  answers: AsyncGenerator<string>,
  out: (text: string) => void,
): Promise<Verdict | 'skip' | 'quit'> {
  for (;;) {
    out('Which holds? a, b, d (both may stand), s (skip), q (quit): ');
    const { value, done } = await answers.next();
    const answer = done ? 'q' : value.trim().toLowerCase();
    if (answer === 'a') return { winner: a.memory_id };
    if (answer === 'b') return { winner: b.memory_id };
    if (answer === 'd') return { dismiss: true };
    if (answer === 's' || answer === '') return 'skip';
    if (answer === 'q') return 'quit';
  }
}
