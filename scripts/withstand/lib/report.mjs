// What was expected and whether it held; a script ends with 1 when anything did not.
const MAX_SHOWN = 10;

export function createReport(title) {
  console.log(`\n== ${title}`);
  const failures = [];
  return {
    note: (text) => console.log(`   ${text}`),
    /** Counts as a failure unless it holds. */
    check: (holds, text, detail = '') => {
      if (!holds) failures.push(text);
      console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}${holds || detail === '' ? '' : `\n       ${detail}`}`);
    },
    /** Holds when the list of faults is empty; shows the first of them. */
    checkNone: (faults, text) => {
      if (faults.length > 0) failures.push(text);
      console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${text}${faults.length === 0 ? '' : `: ${faults.length}`}`);
      for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`       ${fault}`);
    },
    finish: () => {
      if (failures.length > 0) process.exitCode = 1;
      console.log(failures.length === 0 ? `   ${title}: all held` : `   ${title}: ${failures.length} did not hold`);
    },
  };
}
