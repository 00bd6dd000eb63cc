/** Makes something when it is asked for first, and gives the same from then on. */
export function lazily<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
