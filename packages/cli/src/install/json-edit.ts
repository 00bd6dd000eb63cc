import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser';
import { CommandError } from '../errors.ts';

/** A JSON file of a host, perhaps with comments. An edit leaves everything else in the file unchanged. */
export class JsonText {
  readonly #file: string;
  readonly #format: { insertSpaces: boolean; tabSize: number };
  text: string;

  /** @param text '' for a file that does not exist. @throws CommandError when it is not a JSON object */
  constructor(file: string, text: string) {
    this.#file = file;
    this.text = text.trim() === '' ? '{}\n' : text;
    this.#format = { insertSpaces: !/^\t/m.test(text), tabSize: /^( +)"/m.exec(text)?.[1]?.length ?? 2 };
    this.#parsed();
  }

  get(path: JSONPath): unknown {
    return path.reduce<unknown>((value, name) => {
      const inside = value as Record<string | number, unknown> | null | undefined;
      return typeof inside === 'object' && inside !== null ? inside[name] : undefined;
    }, this.#parsed());
  }

  /** Sets the value at the path; undefined removes it. */
  set(path: JSONPath, value: unknown): void {
    this.#change(path, value, {});
  }

  /** Appends an element to a list, which it creates if needed. @throws CommandError when something else stands there */
  push(path: JSONPath, value: unknown): void {
    const list = this.get(path);
    if (list === undefined) this.set(path, [value]);
    else if (Array.isArray(list)) this.#change([...path, list.length], value, { isArrayInsertion: true });
    else throw this.#fault(`${path.join('.')} in ${this.#file} is not a list`);
  }

  /** Removes empty values, from the path upwards. */
  prune(path: JSONPath): void {
    for (let at = path; at.length > 0; at = at.slice(0, -1)) {
      const value = this.get(at);
      if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return;
      this.set(at, undefined);
    }
  }

  /** Whether the file holds neither a value nor a comment. */
  get isEmpty(): boolean {
    return this.text.replace(/\s/g, '') === '{}';
  }

  #change(path: JSONPath, value: unknown, options: { isArrayInsertion?: boolean }): void {
    for (const [depth, name] of path.entries()) {
      const parent = this.get(path.slice(0, depth));
      const fits = typeof name === 'number' ? Array.isArray(parent) : isJsonObject(parent);
      if (parent === undefined || fits) continue;
      const where = path.slice(0, depth).join('.');
      throw this.#fault(`${where} in ${this.#file} is not a JSON object`);
    }
    const edits =
      (value === undefined && this.#withoutLast(path)) ||
      modify(this.text, path, value, { formattingOptions: this.#format, ...options });
    this.text = applyEdits(this.text, edits);
  }

  /**
   * The edit that takes the last of several elements out of a list; null where the path names something else. `modify` removes all up
   * to one character before the bracket: the comments behind the element, or too little where the bracket follows it at once.
   */
  #withoutLast(path: JSONPath): Edit[] | null {
    const tree = parseTree(this.text, [], { allowTrailingComma: true });
    const list = tree && findNodeAtLocation(tree, path.slice(0, -1));
    const [previous, last] = list?.type === 'array' ? (list.children ?? []).slice(-2) : [];
    if (!previous || !last || path.at(-1) !== (list?.children?.length ?? 0) - 1) return null;
    const offset = previous.offset + previous.length;
    return [{ offset, length: last.offset + last.length - offset, content: '' }];
  }

  #parsed(): unknown {
    const faults: ParseError[] = [];
    const value: unknown = parse(this.text, faults, { allowTrailingComma: true });
    if (faults.length === 0 && isJsonObject(value)) return value;
    throw this.#fault(`${this.#file} is not a JSON object`);
  }

  #fault(what: string): CommandError {
    return new CommandError(`${what}; nothing was changed: mend it, then call this again.`);
  }
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
