/** @returns whether so many seconds have passed since this call */
export function secondsFromNow(seconds) {
  const end = performance.now() + seconds * 1_000;
  return () => performance.now() >= end;
}
