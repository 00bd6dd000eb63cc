import { termsOf } from '../../src/domain/text/words/terms.ts';

export interface Counted {
  readonly ordinal: number;
  readonly agentId: string;
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly createdAt: number;
  readonly text: string;
  readonly speaker: string | null;
}

interface Shares {
  turn: number;
  window: number;
  thread: number;
}

const PAUSE = 30 * 60_000;

/**
 * Turn, window and thread shares, written down as the formulas of docs/benchmarks/recall.md read, over a list and without an index:
 * idf = ln(1 + (N - df + .5) / (df + .5));
 * turn = sum idf (.5 + 1.9 tf / (tf + .9 (.6 + .4 length / average))) sqrt(matched / asked) / (2.4 sum idf);
 * window and thread = sum idf 2.2 tf / (tf + 1.2 (1 - b + b length / average)) / (2.2 sum idf), b = .4 and .75.
 */
export function naiveShares(memories: readonly Counted[], words: readonly string[]): Map<number, Shares> {
  const asked = [...new Set(words.flatMap((word) => termsOf(word)))];
  const documents = memories.map((memory) => ({ memory, terms: termsOf(textOf(memory)) }));
  const tf = (terms: readonly string[], term: string) => terms.filter((other) => other === term).length;
  const idf = new Map(
    asked.map((term) => {
      const df = documents.filter(({ terms }) => terms.includes(term)).length;
      return [term, Math.log(1 + (documents.length - df + 0.5) / (df + 0.5))];
    }),
  );
  const weight = [...idf.values()].reduce((sum, value) => sum + value, 0);
  const mean = (lists: readonly (readonly string[])[]) =>
    lists.reduce((sum, { length }) => sum + length, 0) / lists.length;

  const threads = threadsOf(documents);
  const windows = threads.flatMap((thread) =>
    thread.map((document, place) => ({
      document,
      thread: thread.flatMap(({ terms }) => terms),
      window: thread.slice(Math.max(0, place - 2), place + 3).flatMap(({ terms }) => terms),
    })),
  );
  const averages = {
    turn: mean(documents.map(({ terms }) => terms)),
    window: mean(windows.map(({ window }) => window)),
    thread: mean(threads.map((thread) => thread.flatMap(({ terms }) => terms))),
  };
  const around = (terms: readonly string[], options: { b: number; average: number }) => {
    const length = 1.2 * (1 - options.b + (options.b * terms.length) / options.average);
    const sum = asked.reduce((total, term) => {
      return total + ((idf.get(term) as number) * 2.2 * tf(terms, term)) / (tf(terms, term) + length);
    }, 0);
    return sum / (2.2 * weight);
  };
  return new Map(
    windows.map(({ document: { memory, terms }, window, thread }) => {
      const matched = asked.filter((term) => terms.includes(term));
      const sum = matched.reduce((total, term) => {
        const count = tf(terms, term);
        return (
          total +
          (idf.get(term) as number) *
            (0.5 + (1.9 * count) / (count + 0.9 * (0.6 + (0.4 * terms.length) / averages.turn)))
        );
      }, 0);
      const turn = (sum * Math.sqrt(matched.length / asked.length)) / (2.4 * weight);
      return [
        memory.ordinal,
        {
          turn,
          window: around(window, { b: 0.4, average: averages.window }),
          thread: around(thread, { b: 0.75, average: averages.thread }),
        },
      ];
    }),
  );
}

interface Document {
  readonly memory: Counted;
  readonly terms: readonly string[];
}

function threadsOf(documents: readonly Document[]): Document[][] {
  const threads: Document[][] = [];
  const sorted = [...documents].sort(
    (a, b) => a.memory.createdAt - b.memory.createdAt || a.memory.ordinal - b.memory.ordinal,
  );
  for (const document of sorted) {
    const { agentId, project, sessionId, createdAt } = document.memory;
    const thread = threads.findLast(
      ([first]) =>
        first?.memory.agentId === agentId && first.memory.project === project && first.memory.sessionId === sessionId,
    );
    const last = thread?.at(-1)?.memory.createdAt ?? 0;
    if (thread && (sessionId !== null || createdAt - last <= PAUSE)) thread.push(document);
    else threads.push([document]);
  }
  return threads;
}

function textOf({ speaker, text, createdAt }: Counted): string {
  const date = new Date(createdAt);
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(date);
  return `${speaker ?? ''} ${text} ${date.toISOString().slice(0, 10)} ${words}`;
}
