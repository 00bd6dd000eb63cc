import type { Caller } from '@agent-faculties/agent-identity';
import { SessionMap } from './session-map.ts';

/** Items of a session: a screen full, ten turns of two speakers, about what a model uses of a transcript at once. */
const MOST_ITEMS = 20;
/** Characters of a session: two context blocks, or twenty messages of 400 characters. */
const MOST_CHARACTERS = 8_000;
/** Sessions kept; 10,000 sessions of 20 ids take about 20 MB. */
const MOST_SESSIONS = 10_000;

interface Session {
  /** Characters of each memory's text by id, oldest first. */
  readonly items: Map<string, number>;
  characters: number;
}

/**
 * The memories that a session last dealt with: their ids, newest last, bounded by count and characters. It holds no text: a
 * reader looks each memory up and checks whether the caller may see it.
 * @complexity O(1) each, amortised
 */
export class WorkingMemory {
  readonly #mostItems: number;
  readonly #mostCharacters: number;
  readonly #sessions: SessionMap<Session>;
  /** Which sessions hold an id, so that forgetting one of many does not visit all sessions. */
  readonly #holders = new Map<string, Set<Session>>();

  constructor({ mostItems = MOST_ITEMS, mostCharacters = MOST_CHARACTERS, mostSessions = MOST_SESSIONS } = {}) {
    this.#mostItems = mostItems;
    this.#mostCharacters = mostCharacters;
    this.#sessions = new SessionMap({
      most: mostSessions,
      dropped: (session) => {
        for (const id of [...session.items.keys()]) this.#drop(session, id);
      },
    });
  }

  /** Adds a memory at the end, or moves it there; the newest stays, however long it is. @param item.characters of the text shown */
  note(caller: Caller, { id, characters }: { readonly id: string; readonly characters: number }): void {
    const session = this.#sessions.getOrCreate(caller, () => ({ items: new Map(), characters: 0 }));
    this.#drop(session, id);
    session.items.set(id, characters);
    session.characters += characters;
    const holders = this.#holders.get(id);
    if (holders) holders.add(session);
    else this.#holders.set(id, new Set([session]));
    for (const oldest of session.items.keys()) {
      const fits = session.items.size <= this.#mostItems && session.characters <= this.#mostCharacters;
      if (fits || oldest === id) break;
      this.#drop(session, oldest);
    }
  }

  /** Ids, newest last. */
  items(caller: Caller): string[] {
    return [...(this.#sessions.get(caller)?.items.keys() ?? [])];
  }

  /** Takes a memory out of every session. */
  forget(id: string): void {
    for (const session of [...(this.#holders.get(id) ?? [])]) this.#drop(session, id);
  }

  #drop(session: Session, id: string): void {
    const characters = session.items.get(id);
    if (characters === undefined) return;
    session.items.delete(id);
    session.characters -= characters;
    const holders = this.#holders.get(id);
    holders?.delete(session);
    if (holders?.size === 0) this.#holders.delete(id);
  }
}
