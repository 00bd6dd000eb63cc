/** Why a data directory cannot be used, in words for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}
