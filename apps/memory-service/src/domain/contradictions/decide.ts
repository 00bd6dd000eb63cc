import { ConflictError, InvalidInputError, NotFoundError } from '@agent-faculties/service-kit';
import type { Locks } from '../concurrency/keyed-lock.ts';
import { actOf, type ChangeAct } from '../memory/change-act.ts';
import { checkProject } from '../memory/check-project.ts';
import type { Act, Memory } from '../memory/memory.ts';
import { checkSuccession } from '../memory/supersession.ts';
import type { Viewer } from '../memory/visibility.ts';
import { type Contradiction, type Decision, isDoubtful, type Opinion } from './contradiction.ts';
import { type ContradictionDeps, type Disagreement, disagreementOf } from './list-contradictions.ts';

/** A verdict on a contradiction: one memory holds, both may stand, or it is open again. */
export type Verdict =
  | { readonly kind: 'winner'; readonly memoryId: string }
  | { readonly kind: 'dismiss' }
  | { readonly kind: 'reopen' };

export interface DecideDeps extends Pick<ContradictionDeps, 'clock' | 'store'> {
  /** Locks by memory id, which edits use too. */
  readonly locks: Locks;
}

/**
 * Keeps what somebody said about a doubtful pair; it replaces an earlier opinion.
 * @throws NotFoundError as decideContradiction; ConflictError where the pair is not doubtful, or was changed meanwhile
 */
export async function judgeContradiction(
  deps: DecideDeps,
  viewer: Viewer,
  { id, ...said }: { id: string } & Pick<Opinion, 'says' | 'judge' | 'note'>,
): Promise<Disagreement> {
  const { contradiction, a, b } = await readDisagreement(deps, viewer, id);
  if (!isDoubtful({ ...contradiction, opinion: null })) {
    throw new ConflictError(
      `Contradiction '${id}' is not doubtful: decide it by POST /contradictions/${id}/resolve, or take an id from GET /contradictions/doubtful.`,
      { code: 'not_doubtful' },
    );
  }
  const opinion = { ...said, agentId: viewer.agentId, at: Math.floor(deps.clock.now()) };
  const judged = { ...contradiction, opinion };
  if (!(await deps.store.decide(judged, { read: [a, b], changed: [] }))) throw changedMeanwhile();
  return { contradiction: judged, a, b };
}

/**
 * Decides about a contradiction, or takes a decision back. The winner supersedes the loser until another decision.
 * @throws NotFoundError when there is none that the caller sees both sides of; InvalidInputError for a winner that takes no part;
 *   ForbiddenError where it changes a memory that another project shares;
 *   ConflictError when the winner would supersede itself in the end, may not be named, or an edit came between
 */
export async function decideContradiction(
  deps: DecideDeps,
  viewer: Viewer,
  { id, verdict, note }: { id: string; verdict: Verdict; note: string | null },
): Promise<Disagreement> {
  const known = await readDisagreement(deps, viewer, id);
  const [first, second] = [known.a.id, known.b.id].sort() as [string, string];
  return await deps.locks.run(first, () =>
    deps.locks.run(second, async () => {
      const disagreement = await readDisagreement(deps, viewer, id);
      const decision = decisionOf(disagreement, verdict, {
        agentId: viewer.agentId,
        at: Math.floor(deps.clock.now()),
        note,
      });
      await checkDecision(deps, viewer, { ...disagreement, decision });
      const act = actOf('resolve', { agentId: viewer.agentId, at: Math.floor(deps.clock.now()), reason: note });
      return await keep(deps, viewer, { disagreement, decision, act });
    }),
  );
}

async function readDisagreement(deps: DecideDeps, viewer: Viewer, id: string): Promise<Disagreement> {
  const contradiction = await deps.store.contradiction(id);
  const disagreement = contradiction && (await disagreementOf(deps, viewer, contradiction));
  if (disagreement) return disagreement;
  throw new NotFoundError(
    `Contradiction '${id}' not found, or its memories have changed since: list the contradictions again, and take an id from there.`,
    {
      code: 'unknown_contradiction',
    },
  );
}

function decisionOf(
  { a, b }: Disagreement,
  verdict: Verdict,
  about: Pick<Decision, 'agentId' | 'at' | 'note'>,
): Decision | null {
  if (verdict.kind === 'reopen') return null;
  if (verdict.kind === 'dismiss') return { ...about, winner: null };
  if (verdict.memoryId === a.id || verdict.memoryId === b.id) return { ...about, winner: verdict.memoryId };
  throw InvalidInputError.at('body/winner', `takes no part in this contradiction: send '${a.id}' or '${b.id}'`);
}

async function checkDecision(
  { store }: DecideDeps,
  viewer: Viewer,
  { a, b, decision }: Disagreement & { decision: Decision | null },
): Promise<void> {
  if (!decision?.winner) return;
  const [winner, loser] = decision.winner === a.id ? [a, b] : [b, a];
  await checkSuccession(store, viewer, { winner, loser });
}

async function keep(
  { store, clock }: DecideDeps,
  viewer: Viewer,
  { disagreement, decision, act }: { disagreement: Disagreement; decision: Decision | null; act: ChangeAct },
) {
  const { contradiction, a, b } = disagreement;
  const decided: Contradiction = { ...contradiction, decision };
  const after = (memory: Memory, other: Memory): Memory => {
    const supersededBy = successorOf(memory, other, { before: contradiction.decision, after: decision });
    if (supersededBy === memory.supersededBy) return memory;
    const supersession = supersededBy === null || !decision ? null : supersessionBy(decision, contradiction.id);
    return {
      ...memory,
      supersededBy,
      supersession,
      updatedAt: Math.max(Math.floor(clock.now()), memory.updatedAt + 1),
    };
  };
  const [newA, newB] = [after(a, b), after(b, a)];
  const changed = [newA, newB].filter((memory) => memory !== a && memory !== b);
  // To take a decision back frees the loser, and that is a change of it.
  for (const memory of changed) checkProject(memory, viewer);
  if (!(await store.decide(decided, { read: [a, b], changed, act }))) {
    throw changedMeanwhile();
  }
  return { contradiction: decided, a: newA, b: newB };
}

function supersessionBy({ agentId, at, note }: Decision, contradictionId: string): Act {
  return { agentId, at, reason: note ?? `decided in contradiction ${contradictionId}` };
}

function changedMeanwhile(): ConflictError {
  return new ConflictError('One of the two memories was changed or deleted meanwhile: list the contradictions again.', {
    code: 'changed_meanwhile',
  });
}

/** The successor of a memory after the decision; a successor by another decision stays. */
function successorOf(
  memory: Memory,
  other: Memory,
  { before, after }: { before: Decision | null; after: Decision | null },
): string | null {
  if (after?.winner === other.id) return other.id;
  const wasLoser = before?.winner === other.id && memory.supersededBy === other.id;
  return wasLoser || (after?.winner === memory.id && memory.supersededBy === other.id) ? null : memory.supersededBy;
}
