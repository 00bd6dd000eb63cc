/** Of a memory on its way: two texts of 200,000 characters, escaped, with metadata and the vectors of 64 chunks. */
export const LINE_LIMIT_BYTES = 4 * 1024 ** 2;
