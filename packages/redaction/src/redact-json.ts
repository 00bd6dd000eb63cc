import { type CredentialKind, credentialKindOf } from './credential-names.ts';
import { isSecretValue } from './credential-values.ts';
import { dropPrivate, maskOf, maskSecretsInSteps, type RedactionCounts } from './redact-text.ts';

export interface RedactOptions {
  /** Whether secrets are masked; `<private>` parts are taken out in any case. */
  readonly masks: boolean;
  /** Adds up what was found. */
  readonly counts: RedactionCounts;
  /** Called for each place with a secret: the names and indices on the path to it, and the types found. */
  readonly onFound?: (where: readonly string[], types: readonly string[]) => void;
  /** Whether a value holds no text, such as vectors in base64; it is left unchanged. */
  readonly isOpaque?: (where: readonly string[]) => boolean;
}

/**
 * A JSON value without secrets, as a new value where anything was found: texts and names of fields at every depth, and what
 * stands under the name of a credential. Yields at each text and each field, and within a long text, so that its driver can let other requests run; the
 * value must not be nested so deeply that recursion fails.
 */
export function* redactJson(value: unknown, options: RedactOptions): Generator<void, unknown> {
  if (isFamiliar(value, { valuesLeft: MOST_FAMILIAR_VALUES })) return value;
  return yield* redacted(value, [], options);
}

function* redacted(value: unknown, where: readonly string[], options: RedactOptions): Generator<void, unknown> {
  if (options.isOpaque?.(where)) return value;
  if (typeof value === 'string') {
    yield;
    return isKnownClean(value) ? value : yield* redactedText(value, where, options);
  }
  if (typeof value !== 'object' || value === null) return value;
  // An Error, a Date and the like are not JSON.
  if (!Array.isArray(value) && !isPlain(value)) return value;
  return Array.isArray(value)
    ? yield* redactedList(value, where, options)
    : yield* redactedObject(value, where, options);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function* redactedList(
  list: readonly unknown[],
  where: readonly string[],
  options: RedactOptions,
): Generator<void, unknown> {
  let changed = false;
  const items: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const place = [...where, String(index)];
    const flag: unknown = list[index - 1];
    const kind = isFlag(flag) ? credentialKindOf(flag.slice(2)) : null;
    const one = maskedByName(item, kind, place, options) ?? (yield* redacted(item, place, options));
    changed ||= one !== item;
    items.push(one);
  }
  return changed ? items : list;
}

function* redactedObject(object: object, where: readonly string[], options: RedactOptions): Generator<void, unknown> {
  const given = object as Readonly<Record<string, unknown>>;
  /** The fields so far, from the first one that changes. */
  let changed: Fields | null = null;
  const { name, key, value: ofName } = given;
  // As in a list of variables: { "name": "DB_PASSWORD", "value": "hunter2" }.
  const named = typeof ofName === 'string' ? [name, key].find((one) => typeof one === 'string') : undefined;
  for (const [index, field] of Object.keys(given).entries()) {
    yield;
    const value = given[field];
    const masked = isKnownClean(field) ? field : yield* redactedText(field, where, options);
    if (masked !== field) changed ??= new Fields(given, index);
    const label = changed?.distinct(masked) ?? masked;
    const place = [...where, label];
    const kind = kindOf(field === 'value' && typeof named === 'string' ? named : field);
    const one = maskedByName(value, kind, place, options) ?? (yield* redacted(value, place, options));
    if (one !== value) changed ??= new Fields(given, index);
    changed?.add(label, one);
  }
  return changed === null ? object : changed.object();
}

/** Fields of an object that differs from the given one. */
class Fields {
  readonly #fields: Map<string, unknown>;

  /** @param count of the first fields, which stay as they are */
  constructor(given: object, count: number) {
    this.#fields = new Map(Object.entries(given).slice(0, count));
  }

  add(name: string, value: unknown): void {
    this.#fields.set(name, value);
  }

  /** Two fields whose names are masked alike are still two. */
  distinct(name: string): string {
    let one = name;
    for (let number = 2; this.#fields.has(one); number++) one = `${name} ${number}`;
    return one;
  }

  object(): object {
    return Object.fromEntries(this.#fields);
  }
}

/** Texts in which nothing is, short ones alone: names of fields, agents and states come with every message. */
const clean = new Set<string>();
const MOST_CLEAN = 4_000;
/** Shorter than an identifier that a machine draws, which does not come again. */
const LONGEST_CLEAN = 24;

function isKnownClean(text: string): boolean {
  return text.length <= LONGEST_CLEAN && clean.has(text);
}

function rememberClean(text: string): void {
  if (text.length > LONGEST_CLEAN) return;
  if (clean.size >= MOST_CLEAN) clean.clear();
  clean.add(text);
}

/** A larger value is searched in steps. */
const MOST_FAMILIAR_VALUES = 50;
/** An identifier: no secret is known by digits and letters up to f alone. */
const HEXADECIMAL_ID = /^[0-9a-f]{32}$/;

/**
 * Whether there is nothing in a small value but texts in which nothing was found before, identifiers and what is no text, none of it
 * under the name of a credential: so it is with most requests and lines of a log, and a search would take ten times as long.
 */
function isFamiliar(value: unknown, budget: { valuesLeft: number }): boolean {
  if (typeof value === 'string') return isKnownClean(value) || HEXADECIMAL_ID.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (budget.valuesLeft-- <= 0 || isFlag(item) || !isFamiliar(item, budget)) return false;
    }
    return true;
  }
  if (!isPlain(value)) return true;
  const given = value as Readonly<Record<string, unknown>>;
  if (typeof given.value === 'string') return false;
  for (const field of Object.keys(given)) {
    if (budget.valuesLeft-- <= 0 || !isKnownClean(field) || kindOf(field) !== null) return false;
    if (!isFamiliar(given[field], budget)) return false;
  }
  return true;
}

/** As in the arguments of a command: ["--password", "hunter2"]. */
function isFlag(item: unknown): item is string {
  return typeof item === 'string' && item.startsWith('--');
}

/** A cache: names repeat from message to message. */
const kinds = new Map<string, CredentialKind | null>();
const MOST_KINDS = 1_000;

function kindOf(name: string): CredentialKind | null {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = credentialKindOf(name);
  if (kinds.size < MOST_KINDS && name.length <= 64) kinds.set(name, kind);
  return kind;
}

/** The mask for a value under the name of a credential; null where it is none, such as a state or a type. */
function maskedByName(
  value: unknown,
  kind: CredentialKind | null,
  where: readonly string[],
  { masks, counts, onFound }: RedactOptions,
): string | null {
  if (!masks || kind === null) return null;
  const isNumber =
    typeof value === 'number' && kind === 'password' && Number.isInteger(value) && Math.abs(value) >= 1_000;
  if (typeof value !== 'string' && !isNumber) return null;
  if (!isSecretValue(String(value), { kind, isQuoted: true, isEnvironment: false, isAlone: true })) return null;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  onFound?.(where, [kind]);
  return maskOf(kind);
}

function* redactedText(
  text: string,
  where: readonly string[],
  { masks, counts, onFound }: RedactOptions,
): Generator<void, string> {
  const rest = dropPrivate(text, counts);
  if (!masks) return rest;
  const found: RedactionCounts = new Map();
  const masked = yield* maskSecretsInSteps(rest, found);
  if (found.size === 0) {
    if (rest === text) rememberClean(text);
    return rest;
  }
  for (const [type, times] of found) counts.set(type, (counts.get(type) ?? 0) + times);
  onFound?.(where, [...found.keys()]);
  return masked;
}
