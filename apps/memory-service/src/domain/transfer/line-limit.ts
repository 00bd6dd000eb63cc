/** The longest line of a transfer: two escaped texts of 200,000 characters, metadata, and the vectors of 64 chunks. */
export const LINE_LIMIT_BYTES = 4 * 1024 ** 2;
