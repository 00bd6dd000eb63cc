/** What a command gets in place of its process. */
export interface RecordedEdge {
  readonly version: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly exit: (code: number) => never;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: (bytes: Uint8Array) => Promise<void>;
  readonly isTerminal: { readonly input: boolean; readonly output: boolean };
}

export interface RecordedCommand {
  /** What it returned, or exited with. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What it wrote to its output. */
  readonly bytes: Buffer;
}

export interface CommandCall {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Iterable<Uint8Array>;
  /** A terminal at both ends. */
  readonly isTerminal?: boolean;
  /** Called with each chunk of output before it is taken. */
  readonly onChunk?: (bytes: Uint8Array) => void;
}

class Exit extends Error {}

/** Runs a command on an edge that keeps what it says. */
export async function recordCommand(
  command: (edge: RecordedEdge) => number | Promise<number>,
  { argv = [], env = {}, input = [], isTerminal = false, onChunk = () => {} }: CommandCall = {},
): Promise<RecordedCommand> {
  const said = { code: -1, out: '', err: '' };
  const chunks: Uint8Array[] = [];
  try {
    said.code = await command({
      version: '0.0.0-test',
      argv,
      env,
      exit: (code) => {
        said.code = code;
        throw new Exit();
      },
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
      input: (async function* () {
        yield* input;
      })(),
      output: async (bytes) => {
        onChunk(bytes);
        chunks.push(Buffer.from(bytes));
      },
      isTerminal: { input: isTerminal, output: isTerminal },
    });
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  return { ...said, bytes: Buffer.concat(chunks) };
}
