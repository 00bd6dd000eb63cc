import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** What a power cut may leave of what was not synced. */
export interface Leftovers {
  /** Whether a name that was not synced is there as it is now, else as it was synced. */
  readonly name: (base: string) => boolean;
  /** Whether bytes that were not synced are there. */
  readonly bytes: () => boolean;
}

export const NOTHING_UNSYNCED: Leftovers = { name: () => false, bytes: () => false };
export const EVERYTHING: Leftovers = { name: () => true, bytes: () => true };

/** Every way in which names that were not synced may be there or not, without any bytes that were not. */
export function eachFate(names: readonly string[]): Leftovers[] {
  return Array.from({ length: 2 ** names.length }, (_, fate) => ({
    name: (base) => names.includes(base) && ((fate >> names.indexOf(base)) & 1) === 1,
    bytes: () => false,
  }));
}

type Method = 'write' | 'truncate' | 'sync' | 'datasync';

/**
 * Follows the syncs of a folder and its files through all file handles of this process, so that it can tell at any moment what
 * would be on the disk if the power went.
 */
export class PowerCut {
  readonly #directory: string;
  readonly #names = new Map<string, string>();
  readonly #bytes = new Map<string, Buffer>();
  readonly #undo: (() => void)[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param onStep called before and after each step that changes or syncs a file */
  static async watch(directory: string, onStep: () => Promise<void> = async () => {}): Promise<PowerCut> {
    const powerCut = new PowerCut(directory);
    powerCut.#noteNames();
    for (const name of readdirSync(directory)) powerCut.#noteBytes(name);
    const handle = await open(directory, 'r');
    const prototype = Object.getPrototypeOf(handle) as Record<Method, (this: FileHandle, ...args: never[]) => unknown>;
    await handle.close();
    let isStepping = false;
    for (const method of ['write', 'truncate', 'sync', 'datasync'] as const) {
      const original = prototype[method];
      const step = async () => {
        // Files that the callback of a step writes are no further steps.
        if (isStepping) return;
        isStepping = true;
        await onStep();
        isStepping = false;
      };
      prototype[method] = async function (this: FileHandle, ...args) {
        const key = keyOf(await this.stat({ bigint: true }));
        await step();
        const result = await original.apply(this, args);
        if (method.endsWith('sync') && !isStepping) powerCut.#noteSync(key);
        await step();
        return result;
      };
      powerCut.#undo.push(() => {
        prototype[method] = original;
      });
    }
    return powerCut;
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** Makes a folder as the disk might be found. The lock is left out: the machine has started anew. */
  materialize(target: string, leftovers: Leftovers): void {
    mkdirSync(target);
    const now = this.#currentNames();
    // A rename is on the disk as a whole or not at all, so both of its names have the same fate.
    const isCurrent = new Map<string, boolean>();
    for (const name of new Set([...this.#names.keys(), ...now.keys()])) {
      const base = baseOf(name);
      if (!isCurrent.has(base)) isCurrent.set(base, leftovers.name(base));
      const key = (isCurrent.get(base) ? now : this.#names).get(name);
      if (key === undefined || name.startsWith('lock')) continue;
      const current = [...now].find(([, other]) => other === key)?.[0];
      const bytes = current !== undefined && leftovers.bytes() ? readFileSync(join(this.#directory, current)) : null;
      writeFileSync(join(target, name), bytes ?? this.#bytes.get(key) ?? '');
    }
  }

  /** Names that a power cut may or may not bring back as they were. */
  unsyncedNames(): string[] {
    const now = this.#currentNames();
    const names = [...new Set([...this.#names.keys(), ...now.keys()])];
    return [...new Set(names.filter((name) => now.get(name) !== this.#names.get(name)).map(baseOf))];
  }

  #noteSync(key: string): void {
    if (key === keyOf(statSync(this.#directory, { bigint: true }))) this.#noteNames();
    const name = [...this.#currentNames()].find(([, other]) => other === key)?.[0];
    if (name !== undefined) this.#noteBytes(name);
  }

  #noteNames(): void {
    this.#names.clear();
    for (const [name, key] of this.#currentNames()) this.#names.set(name, key);
  }

  #noteBytes(name: string): void {
    const path = join(this.#directory, name);
    this.#bytes.set(keyOf(statSync(path, { bigint: true })), readFileSync(path));
  }

  #currentNames(): Map<string, string> {
    return new Map(
      readdirSync(this.#directory).map((name) => [
        name,
        keyOf(statSync(join(this.#directory, name), { bigint: true })),
      ]),
    );
  }
}

function baseOf(name: string): string {
  return name.replace(/\.(tmp|next)$/, '');
}

/** The system uses inode numbers again; the time of creation tells the files apart. */
function keyOf({ ino, birthtimeNs }: { ino: bigint; birthtimeNs: bigint }): string {
  return `${ino} ${birthtimeNs}`;
}
