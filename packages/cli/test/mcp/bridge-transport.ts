import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Edge } from '../../src/command.ts';
import { run } from '../run-cli.ts';

/** A client of the SDK on one end, and the command `mcp` on the other, as over the two pipes of a process. */
export class BridgeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** All that was written to standard output. */
  readonly lines: string[] = [];
  /** Resolves when the command has ended. */
  ended: Promise<{ readonly code: number; readonly err: string }> = Promise.resolve({ code: 0, err: '' });
  readonly #argv: readonly string[];
  readonly #world: Partial<Edge>;
  readonly #input: Uint8Array[] = [];
  #wake = () => {};
  #isClosed = false;

  constructor(argv: readonly string[], world: Partial<Edge> = {}) {
    this.#argv = argv;
    this.#world = world;
  }

  async start(): Promise<void> {
    const out = (text: string) => {
      this.lines.push(text);
      this.onmessage?.(JSON.parse(text));
    };
    this.ended = run(this.#argv, { ...this.#world, out, stdin: this.#stdin() });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string): void {
    this.#input.push(new TextEncoder().encode(text));
    this.#wake();
  }

  /** Ends standard input, as a host does. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.ended;
    this.onclose?.();
  }

  async *#stdin(): AsyncGenerator<Uint8Array> {
    for (;;) {
      yield* this.#input.splice(0);
      if (this.#isClosed) return;
      if (this.#input.length === 0)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
