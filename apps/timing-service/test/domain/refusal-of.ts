import { ServiceError } from '@agent-faculties/service-kit';

/** The error class, code and message of a refusal; the class decides the status. */
export interface Refusal {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Runs work that must be refused; fails if it is not. */
export async function refusalOf(work: () => unknown): Promise<Refusal> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { name, code, message, extra } = error;
    return { name, code, message, ...(Object.keys(extra).length > 0 ? { extra } : {}) };
  }
  throw new Error('it was not refused');
}
