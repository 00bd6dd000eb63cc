/** The examples of one README: a TypeScript program, and files that it reads. */
export interface ReadmeProgram {
  /** Null where the README has no example. */
  readonly source: string | null;
  /** By name: blocks of another language whose fence names a file, such as ```yaml openapi.yaml. */
  readonly files: ReadonlyMap<string, string>;
}

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;
/** `expression; // => value`, also behind `const name = `. */
const CHECKED = /^(\s*)(?:const (\w+)[^=]* = )?(.+); \/\/ => (.+)$/;
/** `expression; // throws NameOfError` */
const THROWING = /^(\s*)(.+); \/\/ throws (\w+)$/;

/** What the program calls. Numbers are held to three decimals, as an example shows them. */
const PRELUDE = `import { deepStrictEqual, throws } from 'node:assert/strict';
const rounded = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_key, one) =>
  one === undefined ? '(undefined)' : typeof one === 'number' ? Math.round(one * 1000) / 1000
    : one instanceof Map || one instanceof Float64Array ? [...one] : one));
const holds = (actual: unknown, expected: unknown) => deepStrictEqual(rounded(actual), rounded(expected));
const fails = (work: () => unknown, name: string) => throws(work, { name });
`;

/** All blocks of TypeScript, one after the other; a comment with an arrow becomes a check. */
export function readmeProgram(markdown: string): ReadmeProgram {
  const blocks = [...markdown.matchAll(FENCE)].map(([, language, file, text = '']) => ({ language, file, text }));
  const examples = blocks.filter(({ language, file }) => language === 'ts' && file === undefined);
  const named = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]));
  const lines = examples.flatMap(({ text }) => text.split('\n')).map(checkedLine);
  return { source: examples.length === 0 ? null : PRELUDE + lines.join('\n'), files: new Map(named) };
}

function checkedLine(line: string): string {
  const [, throwingIndent, throwing, error] = THROWING.exec(line) ?? [];
  if (throwing !== undefined) return `${throwingIndent}fails(() => ${throwing}, '${error}');`;
  const [, indent, name, expression, value] = CHECKED.exec(line) ?? [];
  if (expression === undefined) return line;
  if (name === undefined) return `${indent}holds(${expression}, ${value});`;
  return `${indent}const ${name} = ${expression}; holds(${name}, ${value});`;
}
