import type { Caller } from '@agent-faculties/agent-identity';
import type { ProcessState } from '../../cognition/process-state.ts';
import { retention } from '../../cognition/retention.ts';
import type { TextEmbedding } from '../../embedding/text-embedding.ts';
import { recallText } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';
import { byTime } from '../../memory/order-of-time.ts';
import type { Candidate, Evidence, Retrieved } from '../evidence/evidence.ts';
import {
  FUSION_WEIGHTS,
  fuse,
  type ScoreParts,
  scorer,
  shareOfBest,
  shownScore,
  type Weights,
} from '../evidence/fusion.ts';
import { scoreAt } from '../evidence/top-scores.ts';
import type { Question } from '../question/question.ts';
import { asRelevantReplies } from '../relevance/as-relevant-replies.ts';
import { byCircumstance } from '../relevance/by-circumstance.ts';
import { byNamedThing } from '../relevance/by-named-thing.ts';
import { BEST_LOOKED_AT, moreRelevant, type Relevance, relevanceJudge } from '../relevance/relevance.ts';
import { LAST_PLACE_MOVED_FROM, newerFirst, type Placed } from '../replacement/newer-first.ts';
import type { Ranked } from '../replacement/pair.ts';
import { asRelevantSuccessors } from '../succession/as-relevant-successors.ts';
import { behindSuccessors } from '../succession/behind-successors.ts';
import { endedBehindValid } from '../succession/ended-behind-valid.ts';
import { BOOST_LIMIT, boosted, boostsFor, type Leanings, withinReach } from './boosts.ts';
import { echoPenalties } from './echo-penalties.ts';
import { asShownMentions, type Mentions, mentionLifts } from './mention-lifts.ts';
import { misfitPenalties } from './misfit-penalties.ts';
import { numberLifts } from './number-lifts.ts';
import { type Replies, replyLifts } from './reply-lifts.ts';
import { type Adding, type Why, whyOf } from './why.ts';

export interface RecalledMemory {
  readonly stored: StoredMemory;
  /** Keys of the entities that connect it with other memories. */
  readonly entityKeys: readonly string[];
  /** 0..1 */
  readonly score: number;
  readonly relevance: Relevance;
  readonly why: Why | null;
}

interface RankingDeps extends Pick<ProcessState, 'priming'> {
  readonly embedding: Pick<TextEmbedding, 'kind'>;
}

interface Ranking {
  readonly caller: Caller;
  readonly question: Question;
  readonly retrieved: Retrieved;
  /** The question's vector that lies near what answers it; null where there is none, or the query asks nothing. */
  readonly answerable: Float32Array | null;
  /** Whether it is about somebody of whom the store has never heard. */
  readonly isAboutStrangers: boolean;
  readonly topK: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the question is about what held at another moment. */
  readonly isPast: boolean;
  /** Whether answers say why. */
  readonly explains: boolean;
}

/**
 * The candidates that may be among the best `topK`, with fused and boosted scores and relevance, best first; null where one that was
 * left out may be among them.
 */
export async function rank({ priming, embedding }: RankingDeps, ranking: Ranking): Promise<RecalledMemory[] | null> {
  const { caller, question, retrieved, topK, now, isPast } = ranking;
  const model = retrieved.hasVectors ? embedding.kind : 'none';
  const scoring = scoringOf(ranking, model);
  const places = Math.max(topK, LAST_PLACE_MOVED_FROM);
  if (scoring.leftOut + BOOST_LIMIT >= scoreAt(scoring.scores, Math.max(places, BEST_LOOKED_AT))) return null;
  const reaching = withinReach(scoring.scores, places);
  const keys = reaching.map((index) => (retrieved.candidates[index] as Candidate).entityKeys);
  const primed = await priming.levelsOf(keys, { caller, now });
  const answering = { ...ranking, ...scoring };
  const ranked = reaching.map((index, place) => answerOf({ index, priming: primed[place] as number }, answering));
  ranked.sort((a, b) => b.fused - a.fused || byTime(a.recalled.stored.memory, b.recalled.stored.memory));
  // What replaces one of the best comes from further behind than an answer of few places reaches.
  const ordered = newerFirst(question, ranked, { likeness: retrieved.likeness, model })
    .slice(0, withinReach(scoring.scores, topK).length)
    .map((placed) => recalledAt(placed, scoring.weights));
  // A question about the past finds only what held then: all of it holds, and nothing moves behind. Else a successor is as relevant as what
  // it came for before the places behind what holds are chosen by relevance, and in the end what is superseded stands behind its successor.
  return isPast ? ordered : behindSuccessors(endedBehindValid(asRelevantSuccessors(ordered), now));
}

/** What the evidence says of each candidate. Lists and functions go by the index of the candidate. */
interface Scoring {
  readonly weights: Weights;
  /** Fused scores with their lifts, without boosts. */
  readonly scores: readonly number[];
  /** What is taken off for a crowd, in the scores already. */
  readonly crowding: ArrayLike<number>;
  /** The most that a candidate which was left out may score. */
  readonly leftOut: number;
  /**
   * What a candidate gains as a reply, as a later mention or by a number, and loses where it asks the same or does not fit the
   * circumstance that is asked for.
   */
  readonly lifts: ArrayLike<number>;
  readonly mentions: Mentions;
  /** The thread of each of those that may be the verdict on one of the best. */
  readonly verdicts: Replies['verdicts'];
  /** What a candidate gains as a reply or a later mention, in the lifts already. */
  readonly led: ArrayLike<number>;
  readonly relevanceOf: (index: number) => Relevance;
  readonly partsOf: (evidence: Evidence) => ScoreParts;
}

function scoringOf(
  {
    question,
    retrieved,
    answerable,
    isAboutStrangers,
    isPast,
  }: Pick<Ranking, 'question' | 'retrieved' | 'answerable' | 'isAboutStrangers' | 'isPast'>,
  model: keyof typeof FUSION_WEIGHTS,
): Scoring {
  const weights = FUSION_WEIGHTS[model];
  const { candidates } = retrieved;
  const { scores: fused, crowding, leftOut } = fuse(question, retrieved, weights);
  const misfitting = misfitPenalties(question, candidates, { isPast });
  const echoing = echoPenalties(question, candidates);
  const numbered = numberLifts(question, candidates);
  const mentions = mentionLifts(question, retrieved, { scores: fused, model });
  const replies = replyLifts(question, candidates, fused);
  const led = replies.lifts.map(
    (lift, index) => Math.max(lift, mentions.lifts[index] as number) + (replies.verdictLifts[index] as number),
  );
  const lifts = led.map(
    (lift, index) => lift + (misfitting[index] as number) + (echoing[index] as number) + (numbered[index] as number),
  );
  const scores = fused.map((score, index) => score + (lifts[index] as number));
  // Each judge changes what the ones before it say: what repeats the question is no answer, a reply is as relevant as what it replies to with
  // the thing that this names, and where a circumstance alone is asked for it has the last word.
  const byEvidence = relevanceJudge({ question, retrieved, answerable, isAboutStrangers }, scores, model);
  const ofThing = byNamedThing(question, {
    candidates,
    judged: (index) => (echoing[index] === 0 ? byEvidence(index) : 'low'),
  });
  const ofReplies = asRelevantReplies(candidates, { scores, judged: ofThing });
  const judged = asShownMentions(mentions, ofReplies);
  return {
    weights,
    scores,
    crowding,
    leftOut,
    lifts,
    mentions,
    verdicts: replies.verdicts,
    led,
    relevanceOf: byCircumstance(question, { candidates, judged, isPast }),
    partsOf: scorer({ question, retrieved, weights }),
  };
}

interface RankedAnswer extends Ranked {
  readonly recalled: Omit<RecalledMemory, 'why'>;
  /** Null where answers need not say why. */
  readonly adding: Adding | null;
}

type Answering = Pick<Ranking, 'retrieved' | 'now' | 'explains'> & Scoring;

function answerOf(
  { index, priming }: { readonly index: number } & Pick<Leanings, 'priming'>,
  {
    retrieved,
    weights,
    scores,
    crowding,
    lifts,
    mentions,
    verdicts,
    led,
    relevanceOf,
    partsOf,
    now,
    explains,
  }: Answering,
): RankedAnswer {
  const candidate = retrieved.candidates[index] as Candidate;
  const { stored, evidence, entityKeys } = candidate;
  const { importance, createdAt } = stored.memory;
  const leanings = { retention: retention(stored.strength, { createdAt, now }), importance, priming };
  const fused = boosted(scores[index] as number, leanings);
  const adding = explains
    ? {
        parts: partsOf(evidence),
        lift: lifts[index] as number,
        crowding: crowding[index] as number,
        boosts: boostsFor(leanings),
        update: 0,
      }
    : null;
  const recalled = { stored, entityKeys, score: shownScore(fused, weights), relevance: relevanceOf(index) };
  return {
    candidate,
    fused,
    unlifted: fused - (led[index] as number),
    text: recallText(stored.memory),
    takesUp: mentions.takenUp.get(index) ?? null,
    verdictIn: verdicts.get(index) ?? null,
    recalled,
    adding,
  };
}

/** The answer in its place; one that was moved has the score of the one that it stands before, and is at least as relevant. */
function recalledAt(
  { answer: { recalled, fused, adding }, movedBefore }: Placed<RankedAnswer>,
  weights: Weights,
): RecalledMemory {
  const why = (update: number) => adding && whyOf({ ...adding, update }, (part) => shareOfBest(part, weights));
  if (movedBefore === null) return { ...recalled, why: why(0) };
  const older = movedBefore.recalled;
  const asRelevant = moreRelevant(recalled.relevance, older.relevance);
  return { ...recalled, relevance: asRelevant, score: older.score, why: why(movedBefore.fused - fused) };
}
