import type { Overlap } from '../statements/overlap.ts';
import type { Statement } from '../statements/statement.ts';
import type { Clash } from './clash.ts';

/** Each side names somebody whom the other does not. */
export function nameClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
  if (shared.length + Number(a.isOfUser && b.isOfUser) < 2) return null;
  const only = (one: Statement, other: Statement) =>
    [...one.names]
      .filter((stem) => !other.terms.has(stem))
      .flatMap((stem) => one.terms.get(stem) ?? [])
      .filter((at) => !isInValue(one, at));
  const [mine, theirs] = [only(a, b), only(b, a)];
  if (mine.length === 0 || theirs.length === 0) return null;
  return { reason: 'name', strength: 0.4, a: mine, b: theirs };
}

/** Whether a word is part of a value: TB in "2 TB" is no name. */
function isInValue({ values }: Statement, at: number): boolean {
  return values.some(({ kind, from, to }) => kind === 'number' && at >= from && at <= to);
}
