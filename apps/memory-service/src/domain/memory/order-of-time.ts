/** When something was said, and its id, which decides between two of the same millisecond. */
export interface Dated {
  readonly createdAt: number;
  readonly id: string;
}

/** Compares two memories by time, then id; negative where `a` comes first. Every engine uses this order. */
export function byTime(a: Dated, b: Dated): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : Number(a.id > b.id));
}

export function isBefore(a: Dated, b: Dated): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}
