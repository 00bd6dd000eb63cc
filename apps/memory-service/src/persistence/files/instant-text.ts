// Instants in files and in the rows of a database: `2026-11-21T09:30:00.123Z` outside, epoch milliseconds inside.

export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** undefined, which leaves the field out, for null. */
export function optionalInstantText(milliseconds: number | null): string | undefined {
  return milliseconds === null ? undefined : instantText(milliseconds);
}

/** null where the field is left out. */
export function optionalMilliseconds(text: unknown): number | null {
  return text === undefined ? null : Date.parse(text as string);
}
