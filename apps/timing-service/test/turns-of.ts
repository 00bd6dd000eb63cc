/** In how many turns of the event loop a work is done. */
export async function turnsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let isRunning = true;
  const countTurns = (): void => {
    turns++;
    if (isRunning) setImmediate(countTurns);
  };
  countTurns();
  const result = await work();
  isRunning = false;
  return { result, turns };
}
