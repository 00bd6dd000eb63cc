/** Exit code of a command that failed. */
export const EXIT_FAILED = 1;
/** Exit code of a command with invalid arguments or variables. */
export const EXIT_USAGE = 2;
