import type { Memory, Strength } from '../../domain/memory/memory.ts';
import { type NumberedTerms, TermDictionary } from '../../search/lexical/term-dictionary.ts';
import type { TextReading } from '../../search/lexical/text-reading.ts';
import type { StoredComparison } from '../../store/indexes/comparisons.ts';
import type { PackedMemory } from '../../store/records/packed-memories.ts';
import type { SnapshotRecord } from '../../store/records/snapshot-records.ts';
import { comparisonFromWire } from '../files/contradiction-line.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { memoryFromWire, type WireObject } from '../files/memory-line.ts';
import { DOUBLE_BYTES, PackedReader } from '../files/packed-bytes.ts';
import { Block, ID_BYTES, KNOWN_OTHERS, KnownNames, kindIn, listOf, PART, roleIn, scopeIn } from './packed-memory.ts';

/** Strengths that are looked up, so that alike ones are one object. */
const MOST_STRENGTHS = 1_000;

/** A reading whose terms are looked up where somebody wants their texts. */
class NumberedReading implements TextReading {
  readonly flags: number;
  readonly words: number;
  readonly numbered: NumberedTerms;

  constructor({ flags, words, numbered }: { flags: number; words: number; numbered: NumberedTerms }) {
    this.flags = flags;
    this.words = words;
    this.numbered = numbered;
  }

  get terms(): readonly string[] {
    const { entries, dictionary } = this.numbered;
    return entries.map((entry) => dictionary.terms[entry] as string);
  }
}

/** A record as it is read: where nothing speaks against it, its memory stays packed until somebody asks for it. */
export class ReadRecord implements SnapshotRecord {
  /** Null where the memory was unpacked at once. */
  readonly packed: PackedMemory | null;
  readonly strength: Readonly<Strength>;
  readonly rows: SnapshotRecord['rows'];
  readonly comparison: StoredComparison | undefined;
  readonly reading: TextReading | undefined;
  #memory: Memory | null;

  constructor(memory: Memory | PackedMemory, rest: Omit<SnapshotRecord, 'memory'>) {
    const isPacked = 'block' in memory;
    this.packed = isPacked ? memory : null;
    this.#memory = isPacked ? null : memory;
    this.strength = rest.strength;
    this.rows = rest.rows;
    this.comparison = rest.comparison;
    this.reading = rest.reading;
  }

  get memory(): Memory {
    const { packed } = this;
    this.#memory ??= (packed as PackedMemory).block.unpack((packed as PackedMemory).offset);
    return this.#memory;
  }
}

function ofNewerVersion(): DataDirectoryError {
  return new DataDirectoryError(
    'memories.packed was written by a newer version of memory-service: start that version, or restore a backup. Nothing was changed.',
  );
}

/** Reads the records of one file, as `RecordPacker` writes them; it must get each of them, in order. */
export class RecordUnpacker {
  readonly #known = new KnownNames();
  readonly #terms = new TermDictionary();
  #row = 0;
  /** By stability, of what was never recalled. */
  readonly #strengths = new Map<number, Readonly<Strength>>();
  /** Without contradictions, as most are: one for all that the same has compared. */
  #compared: StoredComparison = { by: null, found: [] };
  readonly #hasReadings: boolean;
  #reader = new PackedReader(Buffer.alloc(0));
  #block = new Block(Buffer.alloc(0), this.#known);

  /** @param options.hasReadings false: they are left out, because they were made by other rules */
  constructor({ hasReadings }: { hasReadings: boolean }) {
    this.#hasReadings = hasReadings;
  }

  /** @param bytes of the next records; they must stay as they are */
  begin(bytes: Buffer): void {
    this.#reader = new PackedReader(bytes);
    this.#block = new Block(bytes, this.#known);
  }

  unpack(): ReadRecord {
    const reader = this.#reader;
    const offset = reader.offset;
    const parts = reader.byte();
    const others = reader.byte();
    // What such a bit announces would be taken for something else, and so would all after it.
    if (others & ~KNOWN_OTHERS) throw ofNewerVersion();
    const memory =
      parts & PART.line
        ? memoryFromWire(JSON.parse(reader.text()) as WireObject)
        : this.#packed(reader, { parts, others, offset });
    const strength = this.#unpackStrength(reader, others);
    const rows = this.#unpackRows(reader.varint());
    const comparison = others & PART.compared ? this.#unpackComparison(reader, others) : undefined;
    const reading = others & PART.reading ? this.#unpackReading(reader) : undefined;
    return new ReadRecord(memory, { strength, rows, comparison, reading: this.#hasReadings ? reading : undefined });
  }

  /** Reads of a memory what the indexes need; all of one that is better unpacked at once. */
  #packed(
    reader: PackedReader,
    { parts, others, offset }: { parts: number; others: number; offset: number },
  ): PackedMemory | Memory {
    const known = this.#known;
    if (others & PART.otherId) reader.skipText();
    else reader.skip(ID_BYTES);
    let characters = reader.skipText();
    if (parts & PART.content) characters += reader.skipText();
    for (let tags = reader.varint(); tags > 0; tags--) known.noteName(reader);
    reader.skip(DOUBLE_BYTES);
    const agentId = known.noteName(reader) as string;
    const sessionId = known.noteName(reader);
    const project = known.noteName(reader);
    const name = known.noteName(reader);
    const marks = reader.byte();
    const named = { numbers: known.entityNumbers(reader), names: known.entityNames };
    const createdAt = reader.double();
    if (parts & PART.updated) reader.skip(DOUBLE_BYTES);
    const idempotencyKey = parts & PART.key ? reader.text() : null;
    if (parts & PART.metadata) reader.skipText();
    if (parts & PART.superseded) reader.skipText();
    if (parts & PART.consolidated) reader.skipText();
    const kind = kindIn(marks);
    if (kind !== 'episodic' || parts & (PART.superseded | PART.consolidated) || !(others & PART.reading))
      return this.#block.unpack(offset);
    return {
      agentId,
      sessionId,
      scope: scopeIn(marks),
      project,
      kind,
      role: roleIn(marks),
      name,
      named,
      createdAt,
      idempotencyKey,
      supersededBy: null,
      consolidatedInto: null,
      characters,
      block: this.#block,
      offset,
    };
  }

  #unpackStrength(reader: PackedReader, others: number): Readonly<Strength> {
    const lastRecalledAt = others & PART.recalled ? reader.double() : null;
    const strength = { lastRecalledAt, recallCount: reader.varint(), stabilityDays: reader.double() };
    if (!(others & PART.recalledBy)) return lastRecalledAt === null ? this.#shared(strength) : strength;
    const recalledBy = listOf(reader.varint(), () => ({
      agentId: this.#known.noteName(reader) as string,
      at: reader.double(),
    }));
    return { ...strength, recalledBy };
  }

  /** What was never recalled has one of few strengths. */
  #shared(strength: Strength): Readonly<Strength> {
    const known = this.#strengths.get(strength.stabilityDays);
    if (known?.recallCount === strength.recallCount) return known;
    if (this.#strengths.size < MOST_STRENGTHS) this.#strengths.set(strength.stabilityDays, Object.freeze(strength));
    return strength;
  }

  /** Rows are numbered in the order of the records. */
  #unpackRows(countAndOne: number): SnapshotRecord['rows'] {
    if (countAndOne === 0) return null;
    const first = this.#row;
    this.#row += countAndOne - 1;
    return { first, count: countAndOne - 1 };
  }

  #unpackComparison(reader: PackedReader, others: number): StoredComparison {
    const by = this.#known.noteName(reader);
    if (!(others & PART.found)) {
      if (this.#compared.by !== by) this.#compared = { by, found: [] };
      return this.#compared;
    }
    return comparisonFromWire(JSON.parse(reader.text()) as WireObject) as StoredComparison;
  }

  #unpackReading(reader: PackedReader): TextReading {
    const flags = reader.byte();
    const words = reader.varint();
    const entries: number[] = new Array(reader.varint());
    const dictionary = this.#terms;
    for (let index = 0; index < entries.length; index++) {
      const number = reader.varint();
      entries[index] = number === 1 ? dictionary.terms.push(reader.text()) - 1 : number - 2;
    }
    return new NumberedReading({ flags, words, numbered: { entries, dictionary } });
  }
}
