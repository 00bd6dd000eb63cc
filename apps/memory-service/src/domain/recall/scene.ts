import type { Caller } from '@agent-faculties/agent-identity';
import type { Clock } from '@agent-faculties/service-kit';
import type { Scene } from '../cognition/priming.ts';
import { isVisibleTo } from '../visibility.ts';
import type { RecallStore } from './recall-store.ts';

/** Whose session something happens in, when, and what that caller sees of the store. */
export function sceneOf({ store, clock }: { store: RecallStore; clock: Clock }, caller: Caller): Scene {
  const sees = (ordinal: number) => {
    const kept = store.candidate(ordinal);
    return kept !== null && isVisibleTo(caller.agentId, kept.memory);
  };
  return { caller, now: clock.now(), sees };
}
