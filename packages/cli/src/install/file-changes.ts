import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError, type TomlTable } from 'smol-toml';
import { CommandError } from '../errors.ts';
import { type FileChange, MCP_NAMES, type Target } from './host-install.ts';
import { JsonText } from './json-edit.ts';

/** Recognises our own entries, including those of an older version. */
const OURS = /agent-faculties-hook|\/hooks\/(?:claude-code|codex|vscode|gemini|cursor|copilot-cli|opencode|cline)\b/;

function isOurs(entry: unknown): boolean {
  return OURS.test(JSON.stringify(entry) ?? '');
}

/** Hooks in the field `hooks` of a file, a list for each event. Entries that are not ours stay unchanged. */
export function hooksInJson(
  path: string,
  hooks: Readonly<Record<string, readonly object[]>>,
  fixed: Readonly<Record<string, unknown>> = {},
): FileChange {
  return {
    path,
    install: (text) => {
      const json = new JsonText(path, text);
      for (const [name, value] of Object.entries(fixed)) if (json.get([name]) === undefined) json.set([name], value);
      for (const [event, entries] of Object.entries(hooks)) {
        const known = ours(json, event).map(([, entry]) => entry);
        if (isDeepStrictEqual(known, entries)) continue;
        takeOut(json, event);
        for (const entry of entries) json.push(['hooks', event], entry);
      }
      return json.text;
    },
    uninstall: (text) => {
      if (text === '') return '';
      const json = new JsonText(path, text);
      for (const event of Object.keys((json.get(['hooks']) as object | undefined) ?? {})) {
        if (takeOut(json, event) > 0) json.prune(['hooks', event]);
      }
      const left = Object.entries((json.get([]) ?? {}) as object);
      return json.isEmpty || left.every(([name, value]) => isDeepStrictEqual(fixed[name], value)) ? '' : json.text;
    },
  };
}

function ours(json: JsonText, event: string): [number, unknown][] {
  const list = json.get(['hooks', event]);
  return Array.isArray(list) ? oursIn(list) : [];
}

function oursIn(list: readonly unknown[]): [number, unknown][] {
  return [...list.entries()].filter(([, entry]) => isOurs(entry));
}

function takeOut(json: JsonText, event: string): number {
  const found = ours(json, event).reverse();
  for (const [index, entry] of found) {
    const path = ['hooks', event, index];
    const { hooks: handlers } = entry as { readonly hooks?: unknown };
    if (Array.isArray(handlers) && !handlers.every(isOurs)) {
      // Those beside ours are the user's own.
      for (const [at] of oursIn(handlers).reverse()) json.set([...path, 'hooks', at], undefined);
    } else json.set(path, undefined);
  }
  return found.length;
}

/** The two MCP servers, under `field` of a file of JSON. */
export function serversInJson(
  path: string,
  field: string,
  server: (url: string) => object,
  target: Target,
): FileChange {
  const servers = {
    [MCP_NAMES.memory]: server(`${target.memoryUrl}/mcp`),
    [MCP_NAMES.timing]: server(`${target.timingUrl}/mcp`),
  };
  return {
    path,
    install: (text) => {
      const json = new JsonText(path, text);
      for (const [name, value] of Object.entries(servers)) {
        if (!isDeepStrictEqual(json.get([field, name]), value)) json.set([field, name], value);
      }
      return json.text;
    },
    uninstall: (text) => {
      if (text === '') return '';
      const json = new JsonText(path, text);
      let isChanged = false;
      for (const name of Object.keys(servers)) {
        if (json.get([field, name]) === undefined) continue;
        json.set([field, name], undefined);
        isChanged = true;
      }
      if (isChanged) json.prune([field]);
      return isChanged && json.isEmpty ? '' : json.text;
    },
  };
}

/** Two changes of one file, one after the other. */
export function together(first: FileChange, second: FileChange): FileChange {
  return {
    path: first.path,
    install: (text) => second.install(first.install(text)),
    uninstall: (text) => second.uninstall(first.uninstall(text)),
  };
}

/** A file that holds nothing but our content. */
export function ownFile(path: string, content: string, options: { readonly isProgram?: boolean } = {}): FileChange {
  return {
    path,
    install: (text) => {
      if (text === '' || OURS.test(text)) return content;
      throw new CommandError(`${path} exists and is not ours; nothing was changed: move it, then call this again.`);
    },
    uninstall: (text) => (text === '' || OURS.test(text) ? '' : text),
    ...options,
  };
}

const BEGIN = '# agent-faculties: begin';
const END = '# agent-faculties: end';

/**
 * Tables of TOML by their names, between two comments at the end of a file. One that the file has by itself is the user's own and stays
 * alone: with a second one the host could not read the file.
 */
export function markedTables(path: string, tables: Readonly<Record<string, readonly string[]>>): FileChange {
  const without = (text: string) => {
    const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
    if (from === -1 || to < from) return text;
    return text.slice(0, from).replace(/\n+$/, '\n') + text.slice(to + END.length).replace(/^\n/, '');
  };
  return {
    path,
    install: (text) => {
      const rest = without(text);
      const held = parsedToml(path, rest);
      const missing = Object.entries(tables).filter(([name]) => !hasTable(held, name));
      if (missing.length === 0) return rest;
      const gap = rest === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
      const added = missing.map(([name, lines]) => [`[${name}]`, ...lines].join('\n')).join('\n\n');
      const extended = `${rest}${gap}${[BEGIN, added, END].join('\n')}\n`;
      if (!(parseToml(extended) instanceof TomlError)) return extended;
      const group = missing[0]?.[0].split('.')[0];
      throw new CommandError(
        `${path} has ${group} in one line, which takes no further table; nothing was changed: write [${group}.NAME] tables, then call this again.`,
      );
    },
    uninstall: (text) => (without(text).trim() === '' ? '' : without(text)),
  };
}

/** @throws CommandError where a host could not read the file, whatever is added to it */
function parsedToml(path: string, text: string): TomlTable {
  const parsed = parseToml(text);
  if (!(parsed instanceof TomlError)) return parsed;
  const [reason] = parsed.message.replace('Invalid TOML document: ', '').split('\n');
  throw new CommandError(
    `${path} is no valid TOML at line ${parsed.line} (${reason}); nothing was changed: mend it, then call this again.`,
  );
}

function parseToml(text: string): TomlTable | TomlError {
  try {
    // TOML has integers of 64 bits, which are no numbers here.
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

/** Whether TOML has a table "a.b", however it is written: "[a.b]", "a.b.c = 1", "b = {…}" below "[a]", "a = { b = {…} }". */
function hasTable(toml: TomlTable, name: string): boolean {
  let inside: TomlTable | TomlTable[string] | undefined = toml;
  for (const part of name.split('.')) inside = (inside as TomlTable | undefined)?.[part];
  return inside !== undefined;
}
