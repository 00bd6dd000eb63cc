/** What a memory takes beside its text and its vectors: its fields, its places in the indexes. Measured: bench/memory/space-memory.mjs. */
const BYTES_OF_MEMORY = 1_100;
/** Bytes for each character of a text: in the text, in the postings of its words and in its reading. */
const BYTES_OF_CHARACTER = 3;
/** Vectors that are loaded are here and in the process that searches them; here many are only until those are all there. */
const COPIES_OF_VECTORS = 2;

/** What memories take for each byte of memories.json, and of memories.packed. */
const BYTES_OF_SAVED_BYTE = 1.6;
const BYTES_OF_PACKED_BYTE = 7.5;

/** The memory that a space takes, bytes, about. @param of.vectorBytes here and in the process that searches them */
export function spaceBytes(of: { memories: number; characters: number; vectorBytes: number }): number {
  const { memories, characters, vectorBytes } = of;
  return memories * BYTES_OF_MEMORY + characters * BYTES_OF_CHARACTER + vectorBytes;
}

/** The same from the sizes of what a save has written, for a space that is closed; of both files with the memories the packed one counts. */
export function spaceBytesWhenOpen({
  memoriesFile,
  packedFile,
  vectorsFile,
}: {
  memoriesFile: number;
  packedFile: number;
  vectorsFile: number;
}): number {
  const memories = packedFile > 0 ? packedFile * BYTES_OF_PACKED_BYTE : memoriesFile * BYTES_OF_SAVED_BYTE;
  return Math.round(memories) + vectorsFile * COPIES_OF_VECTORS;
}
