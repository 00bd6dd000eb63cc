/** Exit code of a command that could not do its work. */
export const EXIT_FAILED = 1;
/** Exit code of a command that was called with arguments or variables that do not fit. */
export const EXIT_USAGE = 2;
