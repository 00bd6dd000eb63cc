import { type Memory, recallText } from './memory.ts';
import { isSameValidity } from './validity.ts';
import { audienceKey } from './visibility.ts';

/** Whether memories derived from this one no longer hold. */
export function saysOtherwise(memory: Memory, before: Memory): boolean {
  return (
    recallText(memory) !== recallText(before) ||
    audienceKey(memory) !== audienceKey(before) ||
    !isSameValidity(memory, before) ||
    memory.tags.length !== before.tags.length ||
    memory.tags.some((tag, i) => tag !== before.tags[i])
  );
}
