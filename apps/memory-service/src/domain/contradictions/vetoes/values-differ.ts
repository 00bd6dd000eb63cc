import { isBareVersion } from '../../text/values/differ.ts';
import type { Value } from '../../text/values/value.ts';
import type { Statement } from '../statements/statement.ts';

/** Both sides name values of the kind and unit, and none of them in common; beside a bare version all are of one unit. */
export function valuesDiffer(a: Statement, b: Statement, kind: Value['kind']): boolean {
  const mine = a.values.filter((value) => value.kind === kind);
  const theirs = b.values.filter((value) => value.kind === kind);
  const isBare = [...mine, ...theirs].some(isBareVersion);
  const unitOf = (value: Value) => (isBare ? '' : value.unit);
  const units = new Set(mine.map(unitOf));
  return [...units].some((unit) => {
    const others = theirs.filter((value) => unitOf(value) === unit);
    const own = new Set(mine.filter((value) => unitOf(value) === unit).map(({ value }) => value));
    return others.length > 0 && !others.some(({ value }) => own.has(value));
  });
}
