// The output of the scripts: one line per step, and known failures as sentences without a stack trace.

export function say(step, text) {
  console.log(`${step.padEnd(10)} ${text}`);
}

/** A failure that a person can mend. The message says what went wrong and what to do. */
export class KnownFailure extends Error {}

/** Runs a script's main function; a KnownFailure ends the process with its message and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof KnownFailure)) throw error;
    console.error(`\n${error.message}\n`);
    // What the script has started would keep it alive.
    process.exit(1);
  }
}
