/** Work in steps of at most a few milliseconds: it yields between them, so that whoever drives it can let others have a turn. */
export type Steps<T> = Generator<void, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
