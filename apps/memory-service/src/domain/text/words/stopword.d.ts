declare module 'stopword' {
  /** Common English words. */
  export const eng: readonly string[];
}
