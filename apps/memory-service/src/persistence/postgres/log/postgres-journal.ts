import { AnswerLostError, isDiskFault, pauseWithJitter } from '@agent-faculties/postgres-kit';
import { type Clock, UnavailableError } from '@agent-faculties/service-kit';
import { nextTurn } from '../../../domain/concurrency/next-turn.ts';
import type { VectorModel } from '../../../domain/embedding/vector-model.ts';
import type { Strengthening } from '../../../domain/memory/decision.ts';
import type { Change } from '../../../store/changes/change.ts';
import {
  type AppendOptions,
  type Journal,
  type JournalCut,
  StaleDecisionError,
} from '../../../store/changes/journal.ts';
import { changeToShortJson } from '../../journal/change-line.ts';
import { ApplyTurns, ChangeQueue, type PendingChange } from '../../journal/change-queue.ts';
import type { ReplicaMeters } from '../memory-database.ts';
import { type ChangeLog, LogForkError, type LogHead, type LogPosition } from './change-log.ts';
import { changeOfLine } from './change-of-line.ts';
import { DeletedWords } from './deleted-words.ts';
import { HeadLooks } from './head-looks.ts';
import { WaitingRecalls } from './waiting-recalls.ts';

/** How long a group whose answer was lost is sent again, before its requests are told that nobody knows. */
const GIVE_UP_MS = 20_000;

interface PendingBody extends PendingChange, AppendOptions {
  readonly body: string;
  readonly takesWords: boolean;
}

const ALWAYS: AppendOptions = { isStale: () => false };

export interface PostgresJournalOptions {
  readonly log: ChangeLog;
  /** Where the log stood when the indexes were filled. */
  readonly position: LogPosition;
  /** The model of the vectors in the changes; null without embeddings. */
  readonly model: VectorModel | null;
  /** How long versions are kept, milliseconds; 0: none are. */
  readonly keptMs: number;
  readonly clock: Clock;
  /** Prepares a change of another process; what it resolves to makes it. */
  readonly prepare: (change: Change) => Promise<() => unknown>;
  readonly meters: ReplicaMeters;
  readonly newToken: () => string;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Brings the indexes to the checkpoint; for a log that does not go on where this process is. */
  readonly readAnew: () => Promise<LogPosition>;
  /** Told of each look at the head. @returns false where the checkpoint has to be read anew. Absent: nobody asks */
  readonly seen?: ((head: LogHead) => Promise<boolean>) | undefined;
}

/**
 * A log in PostgreSQL that several processes write. A group of changes is one statement that succeeds only at the head at which it
 * was checked; where another process was quicker, its changes are applied, what no longer rests on the state is refused, and the rest
 * is sent again. The same statement may therefore be sent again when its answer was lost: only one of the two can succeed, and where
 * it was the first, the log has its token.
 */
export class PostgresJournal implements Journal {
  readonly bytes = 0;
  readonly #options: PostgresJournalOptions;
  readonly #queue = new ChangeQueue<PendingBody>((group) => this.#writeNoting(group));
  readonly #recalls = new WaitingRecalls((recalled) => this.#writeRecalls(recalled));
  #position: LogPosition;
  #closed = false;
  /** What the database last answered to whatever it was asked; null: it did. */
  #refusal: string | null = null;
  /** Why its disk takes no changes, which reads do not show; null: it does, as far as is known. */
  #diskFault: string | null = null;
  #checkpoint = 0;
  readonly #deleted: DeletedWords;
  readonly #looks = new HeadLooks(() => this.#noting(() => this.#lookAtHead()));

  constructor(options: PostgresJournalOptions) {
    this.#options = options;
    this.#position = options.position;
    this.#checkpoint = options.position.sequence;
    this.#deleted = new DeletedWords(options);
  }

  get sequence(): number {
    return this.#position.sequence;
  }

  get position(): LogPosition {
    return this.#position;
  }

  /** How many changes only the log holds, as far as is known. */
  get unsaved(): number {
    return Math.max(0, this.sequence - this.#checkpoint);
  }

  get refusal(): string | null {
    return this.#diskFault ?? this.#refusal;
  }

  /** Since when the rows hold words that were deleted for good, epoch milliseconds; null: they hold none, as far as is known. */
  get deletedSinceMs(): number | null {
    return this.#deleted.sinceMs;
  }

  async append(change: Change, apply: () => void, options = ALWAYS): Promise<void> {
    this.#refuseWhenClosed();
    const body = changeToShortJson(change, this.#options.model);
    const about = { body, size: body.length, takesWords: this.#deleted.areTakenBy(change) };
    await new Promise<void>((resolve, reject) => this.#queue.enqueue({ ...options, ...about, apply, resolve, reject }));
  }

  /** What is decided on what it reads is compared with the head when it is written, so that one look is enough. */
  async answering<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    return await this.#looks.answering(work);
  }

  async catchUp(): Promise<void> {
    await this.#looks.catchUp();
  }

  /** Has the request look again: it has read something else in the database, which may be younger than its look. */
  lookAgain(): void {
    this.#looks.lookAgain();
  }

  async #lookAtHead(): Promise<void> {
    const before = this.#position;
    const head = await this.#options.log.head();
    // Where only the last checkpoint was lost in a failover, the log is the same, and it is not what was left to that.
    const isSetBack = head.checkpoint < this.#checkpoint;
    if (!isSetBack) this.#checkpoint = head.checkpoint;
    this.#deleted.goneUpTo(head.checkpoint);
    const isForked = isSetBack || isBehind(head, before);
    if (isForked || !this.#hasApplied(head)) await this.#goTo(head, { isForked });
    this.#checkpoint = head.checkpoint;
    const { seen } = this.#options;
    if (!seen || (await seen(head))) return;
    await this.#goTo(head, { isForked: true });
    await seen(head);
  }

  /** Behind what this process is writing, which may be what moved the head. */
  async #goTo(head: LogPosition, { isForked }: { isForked: boolean }): Promise<void> {
    await this.#queue.between(async () => {
      if (isForked) await this.#readAnew();
      if (!this.#hasApplied(head)) {
        this.#options.meters.lagged(head.sequence - this.sequence);
        // Another process has written.
        this.#diskFault = null;
      }
      if (isForked || !this.#hasApplied(head)) await this.#follow([], null);
    });
  }

  /** Whether a look at the head would find nothing new. */
  isAt({ head, token, checkpoint }: { head: string; token: string; checkpoint: string }): boolean {
    if (this.#refusal !== null || Number(checkpoint) !== this.#checkpoint) return false;
    return Number(head) === this.sequence && token === this.#position.token;
  }

  /** Whether everything up to a head is applied. */
  #hasApplied(head: LogPosition): boolean {
    return this.sequence >= head.sequence;
  }

  strengthened(recalled: readonly Strengthening[]): void {
    this.#recalls.add(recalled);
  }

  /** Writes the recalls that are not written yet. */
  async flush(): Promise<void> {
    await this.#recalls.flush();
  }

  async #writeRecalls(recalled: readonly Strengthening[]): Promise<void> {
    const change: Change = { op: 'strengthened', recalled };
    const make = await this.#options.prepare(change);
    await this.append(change, make);
  }

  async cut<Captured>(capture: () => Captured): Promise<JournalCut<Captured>> {
    this.#refuseWhenClosed();
    return await this.#queue.between(async () => ({
      captured: capture(),
      sequence: this.sequence,
      discard: async () => {},
    }));
  }

  async close(): Promise<void> {
    await this.#recalls.close();
    this.#closed = true;
    await this.#queue.between(async () => {});
  }

  #refuseWhenClosed(): void {
    if (this.#closed) {
      throw new UnavailableError('The service is stopping: nothing was changed. Send it again once it is back.');
    }
  }

  async #writeNoting(group: readonly PendingBody[]): Promise<void> {
    for (const part of statementsOf(group)) {
      try {
        await this.#noting(() => this.#write(part));
        this.#diskFault = null;
      } catch (error) {
        if (isDiskFault(error)) this.#diskFault = (error as Error).message;
        for (const { reject } of part) reject(error);
      }
    }
  }

  /** Settles every change of the group, or throws for all that are left. */
  async #write(group: readonly PendingBody[]): Promise<void> {
    for (let left = group, conflicts = 0; ; conflicts++) {
      left = left.filter(({ isStale, reject }) => {
        const isRefused = isStale();
        if (isRefused) reject(new StaleDecisionError());
        return !isRefused;
      });
      if (left.length === 0) return;
      const token = this.#options.newToken();
      const { isWritten, lost } = await this.#send(left, token);
      if (isWritten) {
        await this.#applyOwn(left, token);
        return;
      }
      if (!lost) this.#options.meters.conflict();
      const before = this.#position;
      const found = await this.#follow(left, token).catch((error) => {
        // It may say that nothing was changed, which nobody knows.
        throw lost ?? error;
      });
      if (found === 'own') return;
      // What was written up to a checkpoint is no longer known by its token.
      if (found === 'anew' && lost) throw lost;
      // Nobody has written, so it was the archive that lacks what was to be taken.
      if (before === this.#position && left[0]?.archive) throw new StaleDecisionError();
      if (conflicts > 0) await pauseWithJitter(conflicts, this.#options.random);
    }
  }

  /** @returns whether the group is in the log now; if not, the head is another one, and `lost` says that it may have been this group */
  async #send(
    group: readonly PendingBody[],
    token: string,
  ): Promise<{ isWritten: boolean; lost: AnswerLostError | null }> {
    const { log, random } = this.#options;
    const bodies = group.map(({ body }) => body);
    const givenUp = AbortSignal.timeout(GIVE_UP_MS);
    for (let attempt = 1, lost: AnswerLostError | null = null; ; attempt++) {
      try {
        return {
          isWritten: await log.append(bodies, { after: this.#position, token, archive: group[0]?.archive }),
          lost,
        };
      } catch (error) {
        if (error instanceof AnswerLostError) lost = error;
        // Nothing of it was sent, or nobody can be asked any more; the next look at the log shows what happened.
        if (!(error instanceof UnavailableError) || lost === null || givenUp.aborted) throw lost ?? error;
        this.#options.meters.retried();
        await pauseWithJitter(attempt, random);
      }
    }
  }

  async #applyOwn(group: readonly PendingBody[], token: string): Promise<void> {
    const turns = new ApplyTurns();
    for (const pending of group) {
      if (turns.isFull(pending.size)) await nextTurn();
      this.#applyOne(pending, token);
    }
  }

  #applyOne({ takesWords, apply, resolve, reject }: PendingBody, token: string): void {
    this.#position = { sequence: this.sequence + 1, token };
    if (takesWords) this.#deleted.note(this.sequence);
    try {
      apply();
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  /**
   * Applies all that was written since. @param own what was sent under the token, and may be in the log after all
   * @returns 'anew' where the log did not go on here, so that the indexes were brought to the checkpoint
   */
  async #follow(own: readonly PendingBody[], ownToken: string | null): Promise<'own' | 'others' | 'anew'> {
    for (let read: LogPosition | null = null; ; ) {
      try {
        const isOwnThere = await this.#followFrom(own, ownToken);
        return read ? 'anew' : isOwnThere ? 'own' : 'others';
      } catch (error) {
        if (!(error instanceof LogForkError)) throw error;
        const position = await this.#readAnew();
        // While a checkpoint was read, others may have made the next one, however often. The same one again does not fit its log.
        if (read?.sequence === position.sequence && read.token === position.token)
          throw new Error('The log of the space does not continue its checkpoint.', { cause: error });
        read = position;
      }
    }
  }

  async #readAnew(): Promise<LogPosition> {
    this.#position = await this.#options.readAnew();
    this.#deleted.forget();
    return this.#position;
  }

  async #followFrom(own: readonly PendingBody[], ownToken: string | null): Promise<boolean> {
    const { log, prepare, model } = this.#options;
    const turns = new ApplyTurns();
    const waiting = [...own];
    for await (const { sequence, token, body } of log.after(this.#position)) {
      if (turns.isFull(body.length)) await nextTurn();
      const pending = token === ownToken ? waiting.shift() : undefined;
      if (pending) {
        this.#applyOne(pending, token);
        continue;
      }
      const change = changeOfLine(body, model);
      const make = await prepare(change);
      this.#position = { sequence, token };
      if (this.#deleted.areTakenBy(change)) this.#deleted.note(sequence);
      make();
    }
    return own.length > 0 && waiting.length === 0;
  }

  /** Notes why the database refuses, or that it does not any more. */
  async #noting<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.#refusal = null;
      return result;
    } catch (error) {
      if (error instanceof UnavailableError) this.#refusal = error.message;
      throw error;
    }
  }
}

/** A change that also changes the archive goes alone, so that it is decided on the state right before it. */
function statementsOf(group: readonly PendingBody[]): readonly (readonly PendingBody[])[] {
  const statements: PendingBody[][] = [];
  for (const pending of group) {
    const last = statements.at(-1);
    if (last && !pending.archive && !last[0]?.archive) last.push(pending);
    else statements.push([pending]);
  }
  return statements;
}

function isBehind(head: LogPosition, { sequence, token }: LogPosition): boolean {
  return head.sequence < sequence || (head.sequence === sequence && head.token !== token);
}
