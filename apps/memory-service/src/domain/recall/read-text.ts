/** What is known of a text that was read before, so that recall does not read it again. */
export interface ReadText {
  readonly text: string;
  /** Of its first chunk; null where it has none yet. */
  readonly vector: Float32Array | null;
  /** Keys of the entities that it names and the caller knows. */
  readonly namedKeys: readonly string[];
}
