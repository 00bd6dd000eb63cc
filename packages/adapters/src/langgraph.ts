import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import { Collection, type CollectionClient, type Kept, type Scope } from './collection.ts';

export interface MemoryServiceStoreOptions {
  /** Tells this store from others of the same service. Default langgraph. */
  readonly collection?: string | undefined;
  /** Who may see the items. Default TEAM: every agent. */
  readonly scope?: Scope | undefined;
  /** Items of this project, which are no others'. Default: what the client sees. */
  readonly project?: string | undefined;
  /** Paths in a value whose texts are searched, such as "text", "chapters[*].title" or "names[0]"; "$", the default, is all of it. */
  readonly fields?: readonly string[] | undefined;
}

type Value = Record<string, unknown>;

/** Requests at once: enough to hide the way to the service, few enough to leave it to others. */
const AT_ONCE = 8;
const DEFAULT_LIMIT = 10;
/** The most that one recall answers; a filter sees no more of a search with a query. */
const MOST_RECALLED = 100;
/** Others may put and delete the same item meanwhile. */
const MOST_TRIES = 5;

/**
 * The long-term memory of LangGraph in memory-service: an item is a memory, which every agent recalls. Search with a query ranks as
 * recall does; without one the newest come first. A value has at most 64 KiB as JSON. What Python gave a time to live is there until then.
 */
export class MemoryServiceStore extends BaseStore {
  readonly #items: Collection;
  readonly #fields: readonly string[] | undefined;

  constructor(client: CollectionClient, options: MemoryServiceStoreOptions = {}) {
    super();
    const { collection: name = 'langgraph', scope = 'TEAM', project, fields } = options;
    this.#items = new Collection(client, { name, scope, project, root: '' });
    this.#fields = fields;
  }

  /** Reads see what was there before the batch; of several puts to one item the last counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) checkNamespace(operation);
    const results = await inGroups(operations, (operation) =>
      isPut(operation) ? undefined : this.#read(operation as Exclude<Operation, PutOperation>),
    );
    const puts = new Map(operations.filter(isPut).map((put) => [JSON.stringify([put.namespace, put.key]), put]));
    await inGroups([...puts.values()], (put) => this.#put(put));
    return results as OperationResults<Op>;
  }

  async #read(operation: Exclude<Operation, PutOperation>): Promise<Item | null | SearchItem[] | string[][]> {
    if ('namespacePrefix' in operation) return await this.#search(operation);
    if ('key' in operation) return await this.#get(operation);
    return await this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const kept = await this.#items.find([...namespace, key]);
    return kept && itemOf(kept);
  }

  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const place = [...namespace, key];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await this.#items.find(place);
      if (value === null) return kept ? await this.#items.remove(kept) : undefined;
      const item = { text: this.#textOf(value, index), extra: { value } };
      if (
        kept
          ? await this.#items.tryToReplace(kept, { ...item, expiresAt: null })
          : await this.#items.add(place, item.text, item.extra)
      )
        return;
    }
    throw new Error(`Others keep writing ${JSON.stringify(place)}: put it again.`);
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter = {}, limit = DEFAULT_LIMIT, offset = 0 } = operation;
    const fits = ({ value }: Item) => Object.entries(filter).every(([name, wanted]) => isMatch(value[name], wanted));
    const hasFilter = Object.keys(filter).length > 0;
    if (query) {
      const found = await this.#items.recall(query, namespacePrefix, hasFilter ? MOST_RECALLED : offset + limit);
      return found
        .map(({ kept, score }) => ({ ...itemOf(kept), score }))
        .filter(fits)
        .slice(offset, offset + limit);
    }
    const items: Item[] = [];
    for await (const kept of this.#items.under(namespacePrefix, hasFilter ? {} : { page: offset + limit })) {
      const item = itemOf(kept);
      if (fits(item)) items.push(item);
      // Before it looks for the next one, for which it may have to ask for another page.
      if (items.length >= offset + limit) break;
    }
    return items.slice(offset, offset + limit);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const prefix = matchConditions.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
    const wildcard = prefix.indexOf('*');
    const within = wildcard === -1 ? prefix : prefix.slice(0, wildcard);
    const found = new Map<string, string[]>();
    // What is put into a namespace lies within it and within those above, so that one tag finds all.
    for await (const { place } of this.#items.under(within)) {
      const namespace = place.slice(0, -1);
      if (!matchConditions.every((condition) => hasPath(namespace, condition))) continue;
      const shown = namespace.slice(0, maxDepth);
      found.set(JSON.stringify(shown), shown);
    }
    const byName = [...found.values()].sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1));
    return byName.slice(offset, offset + limit);
  }

  #textOf(value: Value, index: false | string[] | undefined): string {
    if (index === false) return '';
    const fields = index ?? this.#fields;
    return (fields ? fields.flatMap((field) => textsAt(value, pathOf(field))) : linesOf(value)).join('\n');
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return 'value' in operation;
}

function checkNamespace(operation: Operation): void {
  if ('namespacePrefix' in operation) {
    validateNamespace(operation.namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
  } else if ('namespace' in operation) validateNamespace(operation.namespace, { allowReservedRoot: true });
}

function itemOf({ place, extra, memory }: Kept): Item {
  return {
    namespace: place.slice(0, -1),
    key: place.at(-1) as string,
    value: extra.value as Value,
    createdAt: new Date(memory.created_at),
    updatedAt: new Date(memory.updated_at),
  };
}

/** Each text of a value under its name, as a person would note it: `food: pizza`. */
function linesOf(value: unknown, name = ''): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => linesOf(one, name));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([inner, one]) => linesOf(one, name ? `${name} ${inner}` : inner));
  }
  return [`${name}: ${value}`];
}

function pathOf(field: string): string[] {
  return field === '$' ? [] : field.split(/[.[\]]+/).filter((name) => name !== '');
}

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return typeof value === 'object' ? linesOf(value) : [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (name === '*') return Object.values(value).flatMap((one) => textsAt(one, rest));
  const inner = Array.isArray(value) ? value.at(Number(name)) : (value as Value)[name];
  return inner === undefined ? [] : textsAt(inner, rest);
}

const OPERATORS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: isEqual,
  $ne: (value, wanted) => !isEqual(value, wanted),
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => isEqual(value, one)),
  $nin: (value, wanted) => !(Array.isArray(wanted) && wanted.some((one) => isEqual(value, one))),
};

/** A filter is a value, or operators that all hold. @throws TypeError for an operator that there is not */
function isMatch(value: unknown, wanted: unknown): boolean {
  const isObject = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
  const operators = isObject ? Object.entries(wanted) : [];
  if (!operators.some(([name]) => name.startsWith('$'))) return isEqual(value, wanted);
  return operators.every(([name, limit]) => {
    const holds = OPERATORS[name];
    if (!holds) throw new TypeError(`There is no operator ${name}: there are ${Object.keys(OPERATORS).join(', ')}.`);
    return holds(value, limit);
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function hasPath(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((name, depth) => name === '*' || name === namespace[from + depth]);
}

async function inGroups<T, R>(all: readonly T[], work: (one: T) => R | Promise<R>): Promise<Awaited<R>[]> {
  const results: Awaited<R>[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}
