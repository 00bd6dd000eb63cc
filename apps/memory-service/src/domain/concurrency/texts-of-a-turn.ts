/** How many memories, and about how many characters of their texts, one turn of the event loop reads: 5 ms, at most 10. */
export const TEXTS_OF_A_TURN = { memories: 2_000, characters: 500_000 };
