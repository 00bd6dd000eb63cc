import { nextTurn } from '../concurrency/next-turn.ts';
import type { Memory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { LONGEST_CHAIN } from '../memory/supersession.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';

const LINKS = ['supersededBy', 'consolidatedInto'] as const;
/** The steps of a whole batch in one turn of the event loop: about 2 ms. */
const STEPS_PER_TURN = 2_000;

/**
 * Tells whether a memory of a batch would be its own successor, by the memories that the caller may see in the store and those
 * before it in the batch. Links to unknown ids are allowed: those memories may come later.
 * @param batch with null in place of rejected records
 */
export class Successors {
  readonly #store: Pick<MemoryStore, 'find'>;
  readonly #viewer: Viewer;
  readonly #linked = new Map<string, { memory: Memory; position: number }>();
  #steps = 0;
  /** The turn for which all searches of the batch wait. */
  #turn: Promise<void> = Promise.resolve();

  constructor(store: Pick<MemoryStore, 'find'>, viewer: Viewer, batch: readonly (Memory | null)[]) {
    this.#store = store;
    this.#viewer = viewer;
    for (const [position, memory] of batch.entries()) {
      if (memory && LINKS.some((link) => memory[link] !== null)) this.#linked.set(memory.id, { memory, position });
    }
  }

  async formCircle(memory: Memory, position: number): Promise<boolean> {
    for (const link of LINKS) {
      let next = memory[link];
      for (let steps = 0; next !== null && steps < LONGEST_CHAIN; steps++) {
        if (next === memory.id) return true;
        await this.#rest();
        const found = await this.#find(next, position);
        // Named by the id of one that it has absorbed.
        if (found?.id === memory.id) return true;
        next = found?.[link] ?? null;
      }
    }
    return false;
  }

  async #rest(): Promise<void> {
    if (++this.#steps % STEPS_PER_TURN === 0) this.#turn = nextTurn();
    await this.#turn;
  }

  async #find(id: string, position: number): Promise<Memory | null> {
    const stored = this.#before(id, position) ?? (await this.#store.find(id))?.memory;
    const memory = stored && (this.#before(stored.id, position) ?? stored);
    return memory && isVisibleTo(this.#viewer, memory) ? memory : null;
  }

  #before(id: string, position: number): Memory | undefined {
    const linked = this.#linked.get(id);
    return linked && linked.position < position ? linked.memory : undefined;
  }
}
