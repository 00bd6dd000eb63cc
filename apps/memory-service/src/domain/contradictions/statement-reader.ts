import { readInSteps } from '../concurrency/reading-steps.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import { type Statement, statementsInSteps, statementsOf } from './statements/statement.ts';

/** How many memories are remembered with their statements. */
const MOST_REMEMBERED = 5_000;

interface Read {
  readonly text: string;
  readonly statements: readonly Statement[];
}

/** Reads the statements of memories, and remembers them: a memory is a neighbour of many others. */
export class StatementReader {
  /** By id of the memory, with the text that they were read from. */
  readonly #known = new Map<string, Read>();

  /** Reads a memory in turns of the event loop, so that `of` has its statements at once. */
  async readAhead(memory: Memory): Promise<void> {
    const text = recallText(memory);
    if (this.#knownOf(memory, text) !== null) return;
    this.#remember(memory, { text, statements: await readInSteps(text, statementsInSteps(text, memory)) });
  }

  of(memory: Memory): readonly Statement[] {
    const text = recallText(memory);
    return this.#knownOf(memory, text) ?? this.#remember(memory, { text, statements: statementsOf(text, memory) });
  }

  #knownOf({ id }: Memory, text: string): readonly Statement[] | null {
    const known = this.#known.get(id);
    return known?.text === text ? known.statements : null;
  }

  #remember({ id }: Memory, read: Read): readonly Statement[] {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(id, read);
    return read.statements;
  }
}
