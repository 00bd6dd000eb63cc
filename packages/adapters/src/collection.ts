/// <reference lib="es2024.string" />

import type { CallOptions, MemoryClient, MemorySchemas } from '@agent-faculties/client';

type Memory = MemorySchemas['schemas']['Memory'];
type RecalledMemory = MemorySchemas['schemas']['RecalledMemory'];
export type Scope = MemorySchemas['schemas']['Scope'];

/** Where something is kept: the names of its folders from the outermost on, then its own. */
export type Place = readonly string[];

/** A memory that is kept at a place. */
export interface Kept {
  readonly place: Place;
  readonly text: string;
  /** What the adapter keeps beside the text, as JSON. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly memory: Memory;
  /** Names the version for a change; null where it was not read for one. */
  readonly etag: string | null;
  /** Secrets and private parts that the service left out when it was written. */
  readonly redacted: number;
  /** Whether the service left out what repeats a recalled context when it was written. */
  readonly isShortened: boolean;
}

type Change = Partial<Pick<Kept, 'place' | 'text' | 'extra'>> & {
  /** Null: it stays for ever. Absent: as long as before. */
  readonly expiresAt?: null;
};

export interface CollectionOptions {
  /** Tells this collection from others; at most 32 letters, digits, dashes. */
  readonly name: string;
  readonly scope: Scope;
  /** Only what belongs to this project; absent: whatever the client sees. */
  readonly project?: string | undefined;
  /** What stands before the names in the first line of a text. */
  readonly root: '/' | '';
}

/** The operations that a collection is made of. */
export type CollectionClient = Pick<
  MemoryClient,
  'ingest' | 'listMemories' | 'getMemory' | 'updateMemory' | 'deleteMemory' | 'recall'
>;

/** Above what consolidation ever prunes by default (0.2): what is put at a place is meant to stay. */
const IMPORTANCE = 0.6;
const MOST_TAG_CHARACTERS = 128;
/** A memory has at most 64 tags: that of the collection, one a folder, its own. */
const MOST_FOLDERS = 60;
/** Memories in a page of a list. */
const FEW = 10;
const MANY = 1_000;

/**
 * Memories at places, as files are: at one place there is one memory, which is found by its tag. Its text begins with its place, so
 * that recall shows where it stands, and so that two texts alike at two places stay two memories. Collections of one name are the
 * same one, whatever language wrote them.
 */
export class Collection {
  readonly #client: CollectionClient;
  readonly #options: CollectionOptions;
  readonly #call: CallOptions;

  constructor(client: CollectionClient, options: CollectionOptions) {
    if (!/^[a-zA-Z0-9-]{1,32}$/.test(options.name)) {
      throw new TypeError(`The collection '${options.name}' must have 1 to 32 letters, digits and dashes.`);
    }
    this.#client = client;
    this.#options = options;
    this.#call = options.project === undefined ? {} : { project: options.project };
  }

  /** What is kept at a place; null where nothing is. */
  async find(place: Place): Promise<Kept | null> {
    let oldest: Kept | null = null;
    for await (const kept of this.#tagged(this.#tagOf(place), FEW)) {
      // Two agents may just be adding there: the older memory is going to stay.
      if (isSame(kept.place, place) && !(oldest && oldest.memory.id < kept.memory.id)) oldest = kept;
    }
    return oldest;
  }

  /** As `find`, with the version for a change. */
  async read(place: Place): Promise<Kept | null> {
    const found = await this.find(place);
    if (!found) return null;
    try {
      const { data, response } = await this.#client.getMemory({ id: found.memory.id }, this.#call).withResponse();
      const kept = this.#keptOf(data.memory);
      return kept && isSame(kept.place, place) ? { ...kept, etag: response.headers.get('ETag') } : null;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }

  /** Whether there is a folder, which is as long as something is kept in it. */
  async hasFolder(folder: Place): Promise<boolean> {
    for await (const { place } of this.#tagged(this.#folderTag(folder), FEW)) {
      if (isWithin(place, folder)) return true;
    }
    return false;
  }

  /** All that is kept in a folder and in those within it, the newest first; `page`: how many are asked for at once, at most 1,000. */
  async *under(folder: Place, { page = MANY } = {}): AsyncGenerator<Kept> {
    const seen = new Set<string>();
    for await (const kept of this.#tagged(this.#folderTag(folder), Math.max(1, Math.min(page, MANY)))) {
      const path = JSON.stringify(kept.place);
      if (seen.has(path) || !isWithin(kept.place, folder)) continue;
      seen.add(path);
      yield kept;
    }
  }

  /** What is kept in a folder and answers a question, best first; at most 100. */
  async recall(query: string, folder: Place, most: number): Promise<{ kept: Kept; score: number }[]> {
    const { memories } = await this.#client.recall(
      {
        query,
        tags: [this.#folderTag(folder)],
        kinds: ['episodic'],
        top_k: Math.min(100, most),
        max_context_chars: 0,
      },
      this.#call,
    );
    return (memories as RecalledMemory[]).flatMap((memory) => {
      const kept = this.#keptOf(memory);
      return kept && isWithin(kept.place, folder) ? [{ kept, score: memory.score }] : [];
    });
  }

  /** Keeps a text at a place where nothing is; null when something is there by now. */
  async add(place: Place, text: string, extra: Readonly<Record<string, unknown>> = {}): Promise<Kept | null> {
    const { body, metadata } = this.#written(place, text, extra);
    const { memory, redacted } = await this.#ingest(place, { content: body, metadata });
    const kept = this.#keptOf(memory);
    if (!kept || !isSame(kept.place, place)) throw new Error(`memory-service keeps nothing at ${this.#pathOf(place)}.`);
    const oldest = await this.find(place);
    if (oldest && oldest.memory.id !== memory.id) {
      await this.#client.deleteMemory({ id: memory.id }, this.#call);
      return null;
    }
    const left = { redacted, isShortened: isShortened(kept, text) };
    if (memory.gist === memory.content) return { ...kept, ...left };
    // A long text was summed up: whatever is changed of the memory later, its gist is the text.
    const whole = await this.#client.updateMemory({ id: memory.id, gist: memory.content }, this.#call);
    return { ...(this.#keptOf(whole.memory) as Kept), ...left };
  }

  /**
   * Changes the text, the place, or what stands beside the text; with an ETag only if it is still the version that was read.
   * @throws PreconditionFailedError of the client
   */
  async replace(
    before: Kept,
    { place = before.place, text = before.text, extra = before.extra, expiresAt }: Change,
  ): Promise<Kept> {
    const { body, metadata } = this.#written(place, text, extra);
    const call = this.#client.updateMemory(
      {
        id: before.memory.id,
        gist: body,
        metadata,
        ...(expiresAt === null && before.memory.expires_at !== null && { expires_at: null }),
        ...(!isSame(place, before.place) && { tags: this.#tagsOf(place) }),
        ...(before.etag !== null && { 'If-Match': before.etag }),
      },
      this.#call,
    );
    const { data, response } = await call.withResponse();
    const kept = this.#keptOf(data.memory) as Kept;
    const left = { redacted: countOf(data.redacted), isShortened: isShortened(kept, text) };
    return { ...kept, ...left, etag: response.headers.get('ETag') };
  }

  /** As `replace`, whatever the version; false where it was deleted meanwhile. */
  async tryToReplace(before: Kept, change: Omit<Change, 'place'>): Promise<boolean> {
    try {
      await this.replace({ ...before, etag: null }, change);
      return true;
    } catch (error) {
      if (statusOf(error) === 404) return false;
      throw error;
    }
  }

  async remove({ memory }: Kept): Promise<void> {
    try {
      await this.#client.deleteMemory({ id: memory.id }, this.#call);
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  }

  async #ingest(place: Place, message: { content: string; metadata: Record<string, unknown> }) {
    const { memory, redacted } = await this.#client.ingest(
      {
        ...message,
        role: 'assistant',
        scope: this.#options.scope,
        tags: this.#tagsOf(place),
        importance: IMPORTANCE,
        // A session of its own: nothing that was said around it belongs to it.
        session_id: this.#tagOf(place),
      },
      this.#call,
    );
    return { memory: memory as Memory, redacted: countOf(redacted) };
  }

  async *#tagged(tag: string, limit: number): AsyncGenerator<Kept> {
    for await (const memory of this.#client.listMemories({ tag, kind: 'episodic', limit }, this.#call)) {
      const kept = this.#keptOf(memory);
      if (kept) yield kept;
    }
  }

  #written(place: Place, text: string, extra: Readonly<Record<string, unknown>>) {
    const whole = `${this.#headingOf(place)}\n${text}`;
    const body = whole.trimEnd();
    // The service keeps no blanks at the end of a text.
    const metadata = { ...extra, collection: this.#options.name, place, ending: whole.slice(body.length) };
    return { body, metadata };
  }

  #keptOf(memory: Memory): Kept | null {
    const { collection, place, ending, ...extra } = memory.metadata as Record<string, unknown>;
    if (collection !== this.#options.name || !isPlace(place)) return null;
    if (this.#options.project !== undefined && memory.project !== this.#options.project) return null;
    const written = memory.updated_at === memory.created_at ? memory.content : memory.gist;
    const heading = this.#headingOf(place);
    const whole = `${written}${typeof ending === 'string' ? ending : ''}`;
    // Who corrected the memory by other means may have left its place out.
    const hasHeading = whole === heading || whole.startsWith(`${heading}\n`);
    const text = hasHeading ? whole.slice(heading.length + 1) : written;
    return { place, text, extra, memory, etag: null, redacted: 0, isShortened: false };
  }

  #pathOf(place: Place): string {
    return `${this.#options.root}${place.join('/')}`;
  }

  /** Consolidation makes one memory of two whose words are the same but for case and signs: a mark keeps such places apart. */
  #headingOf(place: Place): string {
    const path = this.#pathOf(place).replace(/[\r\n]/g, ' ');
    return /^\/?[a-z][a-z0-9_]*(?:[-./][a-z0-9_]+)*$/.test(path) ? path : `${path} (${fnv1a(path)})`;
  }

  #tagsOf(place: Place): string[] {
    if (place.length > MOST_FOLDERS) {
      throw new RangeError(`${this.#pathOf(place)} lies too deep: there may be ${MOST_FOLDERS} names.`);
    }
    const folders = place.map((_, depth) => this.#folderTag(place.slice(0, depth)));
    return [...new Set([...folders, this.#tagOf(place)])];
  }

  #tagOf(place: Place): string {
    return short(place.length === 0 ? this.#options.name : `${this.#options.name}:${place.join('/')}`);
  }

  #folderTag(folder: Place): string {
    return folder.length === 0 ? this.#tagOf(folder) : short(`${this.#options.name}:${folder.join('/')}/`);
  }
}

/** As a tag or a session is written: no control characters, no blanks at the end, and a long one by its beginning and a mark. */
function short(tag: string): string {
  const clean = tag
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those that a tag must not hold
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
    .replace(/\s$/, '?');
  const characters = [...clean];
  if (characters.length <= MOST_TAG_CHARACTERS) return clean;
  const mark = `~${fnv1a(clean)}`;
  return characters.slice(0, MOST_TAG_CHARACTERS - mark.length).join('') + mark;
}

/** FNV-1a of 32 bits over UTF-8 as eight digits; http://www.isthe.com/chongo/tech/comp/fnv. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function isPlace(value: unknown): value is Place {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
}

function isSame(a: Place, b: Place): boolean {
  return a.length === b.length && a.every((name, depth) => name === b[depth]);
}

function isWithin(place: Place, folder: Place): boolean {
  return place.length > folder.length && isSame(place.slice(0, folder.length), folder);
}

/** A mask may be shorter than what it stands for, and counts as `redacted`. */
function isShortened(kept: Pick<Kept, 'text'>, written: string): boolean {
  return kept.text.length < written.length;
}

function countOf(redacted: readonly { count: number }[] | undefined): number {
  return (redacted ?? []).reduce((sum, { count }) => sum + count, 0);
}

/** Of an error of the client; it is not imported, so that this package depends on nothing. */
export function statusOf(error: unknown): number | undefined {
  return (error as { status?: number } | null)?.status;
}
