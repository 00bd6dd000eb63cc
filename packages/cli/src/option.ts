/** An option of a command, as `parseArgs` of node:util takes it, and what --help says of it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What its value is, in capitals: `N`, `FILE`. */
  readonly value?: string;
  readonly help: string;
  /** The fields of a request that it fills, where they are not of its name. */
  readonly fields?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;
