import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { SessionContext } from '../cognition/priming.ts';
import { isVisibleTo } from '../memory/visibility.ts';
import type { RecallStore } from './recall-store.ts';

/** Whose session something happens in, when, and what that caller sees of the store. */
export function sessionContextOf(
  { store, clock }: { store: RecallStore; clock: Clock },
  caller: Caller,
): SessionContext {
  const sees = (ordinal: number) => {
    const stored = store.candidate(ordinal);
    return stored !== null && isVisibleTo(caller.agentId, stored.memory);
  };
  return { caller, now: clock.now(), sees };
}
