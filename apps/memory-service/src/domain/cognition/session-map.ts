import { type Caller, projectScope } from '@agent-faculties/agent-identity';

/**
 * A map of one value for each agent, session and project, which drops the least recently used. An agent without a session has a value of
 * its own, apart from those of its sessions.
 * @complexity O(1) each
 */
export class SessionMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #options: { readonly most: number; readonly dropped?: (value: Value) => void };

  /** @param options most: sessions kept at once; dropped: called with a value that is dropped */
  constructor(options: { readonly most: number; readonly dropped?: (value: Value) => void }) {
    this.#options = options;
  }

  get size(): number {
    return this.#values.size;
  }

  get(caller: Caller): Value | undefined {
    const key = keyOf(caller);
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  getOrCreate(caller: Caller, create: () => Value): Value {
    const found = this.get(caller);
    if (found !== undefined) return found;
    const value = create();
    this.#values.set(keyOf(caller), value);
    if (this.#values.size > this.#options.most) this.#dropOldest();
    return value;
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  #dropOldest(): void {
    for (const [key, value] of this.#values) {
      this.#values.delete(key);
      this.#options.dropped?.(value);
      return;
    }
  }
}

/** A key for agent, session, project and space: what an agent does in one project primes nothing in another. JSON separates the parts whatever characters they hold, and null from the text "null". */
function keyOf(caller: Caller): string {
  return JSON.stringify([caller.agentId, caller.sessionId, projectScope(caller), caller.space]);
}
