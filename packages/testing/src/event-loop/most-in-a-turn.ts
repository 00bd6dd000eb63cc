/** Runs work and tells how often it called `counted` in the busiest turn of the event loop. */
export async function mostInATurn(work: (counted: () => void) => Promise<unknown>): Promise<number> {
  let most = 0;
  let inTurn = 0;
  let isOver = false;
  const nextTurn = () => {
    inTurn = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  await work(() => {
    most = Math.max(most, ++inTurn);
  });
  isOver = true;
  return most;
}
