/**
 * A position in a list that is sorted newest first by (time, sequence). A page holds what lies below it, so paging neither skips nor
 * repeats what was there when it began; new entries land above it, imported old ones where they belong.
 */
export interface ListPosition {
  readonly timeUs: number;
  readonly sequence: number;
}

/** A page with more metadata than this ends early: parsing and sending 64 MiB would block all requests for a second. */
export const PAGE_BYTES = 1024 * 1024;

export interface PageRequest<Position = ListPosition> {
  readonly limit: number;
  readonly after: Position | null;
}

export interface Page<Item, Position = ListPosition> {
  readonly items: Item[];
  /** Where the next page starts; null at the end. */
  readonly next: Position | null;
}

/** In a sorted list of names, the last name of a page is its position. */
export type NamePageRequest = PageRequest<string>;
export type NamePage = Page<string, string>;

/** @param names one more than the limit, where there are more */
export function namePage(names: readonly string[], limit: number): NamePage {
  const items = names.slice(0, limit);
  return { items, next: names.length > limit ? (items.at(-1) as string) : null };
}
