/** Whose texts are gone through in one turn of the event loop: so many memories and about so many characters, which take 5 ms and up to 10. */
export const TEXTS_OF_A_TURN = { memories: 2_000, characters: 500_000 };
