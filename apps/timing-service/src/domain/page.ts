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

export interface PageRequest {
  readonly limit: number;
  readonly after: ListPosition | null;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Where the next page starts; null at the end. */
  readonly next: ListPosition | null;
}
