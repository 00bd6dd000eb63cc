/** Of an object. */
export interface JsonSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** One tool, in no provider's form. */
export interface FunctionTool {
  /** memory_recall, timing_expect ... */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ToolResult {
  /** For the model. */
  readonly text: string;
  /** The same as data; null for an error. */
  readonly data: unknown;
  readonly isError: boolean;
}

/** Calls a tool of this name. Throws for nothing but its signal. */
export type RunTool = (name: string, given: unknown, signal?: AbortSignal) => Promise<ToolResult>;

/** What runs the calls of a model. */
export interface ToolRunner {
  /** Whether it is one of its tools. */
  readonly has: (name: string) => boolean;
  readonly run: RunTool;
}
