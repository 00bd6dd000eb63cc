/** Why a data directory cannot be used, in words for the operator. */
export class DataDirectoryError extends Error {}

export interface DataDirectoryOptions {
  readonly path: string;
  readonly process: { readonly pid: number; readonly hostname: string };
}

/** A folder that this process alone writes to, until it releases it. */
export interface DataDirectory {
  /** Its real path. */
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates the folder where it is missing, and locks it.
 * @throws DataDirectoryError when another process has it, or it cannot be written to
 */
export declare function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory>;
