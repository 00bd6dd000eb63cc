import { type Clock, type IdSource, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { ChangeFeed } from '../../../src/domain/change-feed.ts';
import type { RecordDeps } from '../../../src/domain/record.ts';
import type { Engine, SpaceStores } from '../../../src/domain/space.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';
import { everyName } from './every-name.ts';
import { exportedItems } from './exported-items.ts';

const ALL = { agentId: null, project: null };
const KINDS = { events: 'event', tasks: 'task', stopwatches: 'stopwatch' } as const;

/** The stores of one space at one replica, and what the use cases need beside them. */
export interface ReplicaStores extends SpaceStores {
  readonly record: RecordDeps;
}

/** The stores of a space that nobody else uses, under a clock that stands at STARTED_MS until it is moved. */
export interface ContractStores extends ReplicaStores {
  readonly clock: ManualClock;
  /** The same space at another replica; where one process has the file, at the same one. */
  readonly other: ReplicaStores;
  /** What is stored of a kind; names, where the kind is one of names. */
  count(kind: keyof typeof KINDS | 'agents' | 'task_types'): Promise<number>;
}

export type OpenStores = () => Promise<ContractStores>;

let spaces = 0;

/** @param replicas over one database */
export function contractStores([one, two]: readonly [Engine, Engine]): OpenStores {
  return async () => {
    const name = `space-${++spaces}`;
    const clock = new ManualClock(STARTED_MS);
    const ids = timeOrderedIds(clock);
    const stores = replicaStores((await one.open(name)).stores, clock, ids);
    const { events, transfer } = stores;
    return {
      ...stores,
      clock,
      other: replicaStores((await two.open(name)).stores, clock, ids),
      count: async (kind) => {
        if (kind === 'agents') return (await everyName((page) => events.agents(page))).length;
        if (kind === 'task_types') return (await events.taskTypes(ALL)).length;
        return (await exportedItems(transfer, ALL)).filter((item) => item.kind === KINDS[kind]).length;
      },
    };
  };
}

export function replicaStores(stores: SpaceStores, clock: Clock, ids: IdSource): ReplicaStores {
  const { events, tasks } = stores;
  return { ...stores, record: { clock, ids, events, tasks, feed: new ChangeFeed() } };
}
