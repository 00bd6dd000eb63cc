/** What a memory takes beside its text and its vectors: its fields, its places in the indexes. Measured: bench/memory/space-memory.mjs. */
const BYTES_OF_MEMORY = 1_100;
/** What a character takes: in the text, in the postings of its words and in what was read of it. */
const BYTES_OF_CHARACTER = 3;
/** Vectors are here and in the process that searches them. */
const COPIES_OF_VECTORS = 2;

/** A file of memories.json has so many bytes for each byte that its memories take. */
const BYTES_OF_SAVED_BYTE = 1.6;

/** The memory that a space takes, bytes, about. */
export function spaceBytes(of: { memories: number; characters: number; vectorBytes: number }): number {
  const { memories, characters, vectorBytes } = of;
  return memories * BYTES_OF_MEMORY + characters * BYTES_OF_CHARACTER + vectorBytes * COPIES_OF_VECTORS;
}

/** The same from the sizes of what a save has written, for a space that is closed. */
export function spaceBytesWhenOpen({
  memoriesFile,
  vectorsFile,
}: {
  memoriesFile: number;
  vectorsFile: number;
}): number {
  return Math.round(memoriesFile * BYTES_OF_SAVED_BYTE) + vectorsFile * COPIES_OF_VECTORS;
}
