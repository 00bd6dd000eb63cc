/** A part of a text that is a secret. */
export interface Found {
  readonly type: string;
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}
