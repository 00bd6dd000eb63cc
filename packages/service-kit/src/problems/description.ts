import type { Fault } from './errors.ts';
import type { ProblemCode } from './problem-codes.ts';

/** What an error says, before it becomes a problem document. */
export interface Description {
  /** Decides status and title. */
  readonly kind: ProblemCode;
  readonly detail: string;
  readonly code?: string;
  readonly faults?: readonly Fault[];
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}
