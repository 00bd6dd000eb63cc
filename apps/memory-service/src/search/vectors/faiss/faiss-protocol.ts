/** What is asked of one index. */
export type IndexRequest =
  /** Vectors one behind the other, to train with. */
  | { readonly do: 'sample'; readonly values: Float32Array }
  /** Finds the centres of an IVF index from the sample; to be done before the first vector is added. */
  | { readonly do: 'train' }
  /** Vectors one behind the other, to the end of the index. */
  | { readonly do: 'add'; readonly values: Float32Array }
  /** The vectors of a flat index file, to the end of a flat index. */
  | { readonly do: 'load'; readonly path: string }
  | { readonly do: 'search'; readonly query: Float32Array; readonly count: number };

/**
 * What the process that runs FAISS is asked, of the index of a number. It works on one request after the other, in order,
 * whichever index they are for.
 */
export type FaissRequest = { readonly index: number } & (
  | IndexRequest
  | { readonly do: 'open'; readonly settings: FaissSettings }
  /** Gives its memory back. */
  | { readonly do: 'close' }
);

/** Its answer to a request; the first one, unasked, says that it is ready. */
export type FaissReply =
  | { readonly held: number; readonly positions?: Int32Array; readonly failure?: undefined }
  | { readonly failure: string };

/** What an index is made with. */
export interface FaissSettings {
  readonly dimension: number;
  /** Lists of an IVF index; 0 for a flat one. */
  readonly lists: number;
  /** Lists that a search looks into. */
  readonly probes: number;
}
