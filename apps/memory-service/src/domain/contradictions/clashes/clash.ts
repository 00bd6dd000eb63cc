/** Why two statements contradict each other. */
export type Reason =
  | 'negation'
  | 'antonym'
  | 'number'
  | 'date'
  | 'version'
  | 'name'
  | 'exclusive_choice'
  | 'preference'
  | 'state';

/** Evidence for a contradiction in the words of two statements. */
export interface Clash {
  readonly reason: Reason;
  /** 0..1 */
  readonly strength: number;
  /** Positions of the clashing words on each side. */
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** The strength of a clash that a rule reads off a form of sentence, whatever a model says of it. */
export const SURE = 1;
