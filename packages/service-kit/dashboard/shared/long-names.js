/** How long the services take names. */
const MOST_CHARACTERS = 128;

/** An address may hold longer ones than the fields. @param {Readonly<Record<string, string | number | null | undefined>>} names by what they name @throws Error for the reader */
export function refuseLongNames(names) {
  for (const [what, name] of Object.entries(names)) {
    if ([...String(name ?? '')].length > MOST_CHARACTERS)
      throw new Error(`No ${what} has a name of more than ${MOST_CHARACTERS} characters: choose another one`);
  }
}
