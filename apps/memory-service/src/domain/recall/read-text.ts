/** The results of reading a text, so that recall need not read it again. */
export interface ReadText {
  readonly text: string;
  /** The vector of its first chunk; null where it has none yet. */
  readonly vector: () => Promise<Float32Array | null>;
  /** Keys of the entities that it names and the caller knows. */
  readonly namedKeys: readonly string[];
}
