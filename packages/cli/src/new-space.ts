import type { Settings } from './settings.ts';

interface Held {
  readonly memories: number;
  readonly persistence: { readonly data_dir: string | null };
}

/**
 * Whether nothing was ever stored in the space of the caller, or in that of the key: memory-service makes a space, with its folder and its
 * nightly run, for the first memory.
 */
export function isNewSpace({ space, key }: Pick<Settings, 'space' | 'key'>, { memories, persistence }: Held): boolean {
  const mayBeNew = space === null ? key !== null : space !== 'default';
  return mayBeNew && memories === 0 && persistence.data_dir === null;
}
