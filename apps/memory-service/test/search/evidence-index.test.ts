import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scope } from '../../src/domain/memory/memory.ts';
import type { Viewer } from '../../src/domain/memory/visibility.ts';
import type { Weigh } from '../../src/domain/recall/evidence/evidence.ts';
import { readQuestion } from '../../src/domain/recall/question/question.ts';
import { termsOf } from '../../src/domain/text/words/terms.ts';
import { EvidenceIndex } from '../../src/search/evidence-index.ts';
import type { FoundEvidence } from '../../src/search/evidence-measure.ts';
import type { Chosen, FindRequest } from '../../src/search/evidence-search.ts';
import type { IndexedMemory } from '../../src/search/lexical/text-reading.ts';
import { VectorMatrix } from '../../src/search/vectors/vector-matrix.ts';
import { anyProject } from '../sample-memory.ts';
import { type Counted, naiveShares } from './naive-shares.ts';

const NOW = Date.UTC(2026, 2, 18);
const WORDS = ['ant', 'bee', 'cow', 'dog', 'eel', 'fox'];
const DIMENSION = 4;
/** Candidates from each ranking by words, beside those of vectors. */
const BEST_BY_WORDS = 100;

interface Said extends IndexedMemory {
  readonly vector: readonly number[];
}

const said: fc.Arbitrary<Said> = fc.record({
  agentId: fc.constantFrom('ann', 'bob'),
  project: fc.constantFrom(null, 'shop', 'till'),
  sessionId: fc.constantFrom('s', 't', null),
  scope: fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE'),
  createdAt: fc.nat({ max: 6 }).map((tens) => NOW - tens * 600_000),
  text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  speaker: fc.constantFrom(null, 'Carla', 'Dan'),
  role: fc.constantFrom('user', 'assistant', null),
  tags: fc.constant([]),
  vector: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMENSION, maxLength: DIMENSION }),
});
const store = fc.array(said, { minLength: 1, maxLength: 25 });
const asked = fc.uniqueArray(fc.constantFrom(...WORDS, 'unheard', 'Carla', 'Dan'), { minLength: 1, maxLength: 5 });
const direction = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMENSION, maxLength: DIMENSION });

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values.some((value) => value !== 0) ? values : [1, 0, 0, 0], (value) => value / length);
}

/** An index of these memories; their ordinals are their places. */
function indexOf(memories: readonly Said[], ordinals = memories.map((_, place) => place)) {
  const matrix = new VectorMatrix({ dimension: DIMENSION, maximumRows: 1_000 });
  const index = new EvidenceIndex({ vectors: matrix });
  memories.forEach((memory, place) => {
    index.add(ordinals[place] as number, memory, { first: matrix.append(unit(memory.vector)), count: 1 });
  });
  return { index, matrix };
}

function find(index: EvidenceIndex, words: readonly string[], request: Partial<FindRequest> = {}) {
  const viewer = request.viewer ?? anyProject('ann');
  const question = readQuestion(words.join(' '), { speakers: index.knownSpeakers(viewer), now: NOW });
  const { evidence, ...found } = index.search.find(question, {
    viewer,
    vector: null,
    vectorRows: [],
    entityHits: new Map(),
    limit: 100,
    ...request,
  });
  return { ...found, candidates: [...evidence].sort((a, b) => a.ordinal - b.ordinal) };
}

/** Written down apart from the code under test. */
const isVisible = (to: Viewer) => (memory: Pick<Said, 'scope' | 'agentId' | 'project'>) =>
  (memory.scope !== 'PRIVATE' || memory.agentId === to.agentId) &&
  (to.project === null || memory.scope === 'SHARED' || [null, to.project].includes(memory.project));
const viewers = fc.record({ agentId: fc.constantFrom('ann', 'eve'), project: fc.constantFrom(null, 'shop', 'web') });

describe('evidence', () => {
  test('shares of turn, window and thread are those of their formulas over what the viewer sees', () => {
    fc.assert(
      fc.property(store, asked, viewers, (memories, words, viewer) => {
        const { index } = indexOf(memories);
        const { candidates, bestTurn } = find(index, words, { viewer });
        const visible: Counted[] = memories
          .map((memory, ordinal) => ({ ...memory, ordinal }))
          .filter(isVisible(viewer));
        const expected = naiveShares(visible, words);
        expect(candidates.map(({ ordinal }) => ordinal)).toEqual(visible.map(({ ordinal }) => ordinal));
        for (const evidence of candidates) {
          const { turn, window, thread } = expected.get(evidence.ordinal) as {
            turn: number;
            window: number;
            thread: number;
          };
          expect(evidence.turn).toBeCloseTo(turn, 5);
          expect(evidence.window).toBeCloseTo(window, 5);
          expect(evidence.thread).toBeCloseTo(thread, 5);
        }
        expect(bestTurn).toBeCloseTo(Math.max(0, ...[...expected.values()].map(({ turn }) => turn)), 5);
      }),
      { numRuns: 100 },
    );
  });

  test('are the same, to the last digit, as if what the viewer does not see were not there', () => {
    fc.assert(
      fc.property(store, asked, direction, viewers, (memories, words, towards, viewer) => {
        const ordinals = memories.map((_, ordinal) => ordinal);
        const seen = ordinals.filter((ordinal) => isVisible(viewer)(memories[ordinal] as Said));
        const all = indexOf(memories);
        const fewer = indexOf(
          seen.map((ordinal) => memories[ordinal] as Said),
          seen,
        );
        const answers = [all, fewer].map(({ index, matrix }) => {
          const vectorRows = Array.from({ length: matrix.length }, (_, row) => row);
          const { candidates, bestTurn, speakerShare } = find(index, words, {
            viewer,
            vector: unit(towards),
            vectorRows,
          });
          return { bestTurn, speakerShare, candidates: candidates.map(({ row: _, ...evidence }) => evidence) };
        });
        expect(answers[0]).toEqual(answers[1]);
      }),
      { numRuns: 100 },
    );
  });

  test('are the same, to the last digit, when words were measured ahead, whatever came between', () => {
    const between = fc.constantFrom('nothing', 'another question', 'an addition', 'a removal');
    fc.assert(
      fc.property(store, asked, direction, between, (memories, words, towards, what) => {
        const answers = [true, false].map((isAhead) => {
          const { index, matrix } = indexOf(memories);
          const question = readQuestion(words.join(' '), {
            speakers: index.knownSpeakers(anyProject('ann')),
            now: NOW,
          });
          if (isAhead) index.search.measureAhead(question, anyProject('ann'));
          if (what === 'another question') find(index, ['ant', 'unheard']);
          if (what === 'an addition') index.add(memories.length, memories[0] as Said, null);
          if (what === 'a removal') index.remove(0);
          const vectorRows = Array.from({ length: matrix.length }, (_, row) => row);
          const request = {
            viewer: anyProject('ann'),
            vector: unit(towards),
            vectorRows,
            entityHits: new Map(),
            limit: 100,
          };
          const { evidence: candidates, bestTurn } = index.search.find(question, request);
          return { candidates, bestTurn };
        });
        expect(answers[0]).toEqual(answers[1]);
      }),
      { numRuns: 200 },
    );
  });

  test('are read from no row of vectors but those that are named before', () => {
    const asking = fc.array(said, { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(
        asking,
        asked,
        direction,
        fc.boolean(),
        fc.boolean(),
        (memories, words, towards, isAlone, isAgain) => {
          const matrix = new VectorMatrix({ dimension: DIMENSION, maximumRows: 1_000 });
          const index = new EvidenceIndex({ vectors: matrix });
          for (const [ordinal, memory] of memories.entries()) {
            // Half of them are questions of two chunks.
            const vectors = [unit(memory.vector), unit([...memory.vector].reverse())].slice(ordinal % 2);
            const [first] = vectors.map((vector) => matrix.append(vector)) as [number];
            const text = ordinal % 2 === 0 ? `${memory.text}?` : memory.text;
            index.add(ordinal, { ...memory, text }, { first, count: vectors.length });
          }
          const question = readQuestion(words.join(' '), {
            speakers: index.knownSpeakers(anyProject('ann')),
            now: NOW,
          });
          const request = {
            viewer: anyProject('ann'),
            vector: unit(towards),
            vectorRows: Array.from({ length: Math.min(3, matrix.length) }, (_, row) => row),
            entityHits: new Map(),
            // Neighbours of candidates that are none themselves.
            accepts: (ordinal: number) => ordinal % 4 === 1,
            limit: 2,
          };
          // Threads are measured once.
          if (isAgain) index.search.find(question, request);
          const read = new Set<number>();
          const note = (row: number) => {
            read.add(row);
            return row;
          };
          const noting = {
            dot: (query: Float32Array, row: number) => matrix.dot(query, note(row)),
            dots: (query: Float32Array, rows: ArrayLike<number>, products: Float64Array) =>
              matrix.dots(query, Array.from(rows, note), products),
            dotRows: (a: number, b: number) => matrix.dotRows(note(a), note(b)),
            row: (row: number) => matrix.row(note(row)),
          };
          const chosen = isAlone ? index.search.chooseAlone(question, request) : index.search.choose(question, request);
          const named = isAlone ? index.search.rowsAlone(chosen) : index.search.rowsOf(chosen as Chosen<FindRequest>);
          if (isAlone) {
            expect(index.search.closest(chosen, noting)).toEqual(index.search.closest(chosen));
          } else {
            const { evidence, likeness, likenesses } = index.search.found(chosen as Chosen<FindRequest>, noting);
            const withVector = evidence.filter(({ row }) => row >= 0);
            expect([...likenesses(withVector)]).toEqual(
              withVector.flatMap((a) => withVector.map((b) => (a === b ? -Infinity : likeness(a, b)))),
            );
            expect(evidence).toEqual(index.search.find(question, request).evidence);
          }
          expect([...read].filter((row) => !named.has(row))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are the same after edits and deletions as in an index that was never changed', () => {
    const change = fc.record({ at: fc.nat({ max: 24 }), to: fc.option(said) });
    fc.assert(
      fc.property(store, fc.array(change, { maxLength: 12 }), asked, direction, (memories, changes, words, towards) => {
        const { index, matrix } = indexOf(memories);
        const left = new Map(memories.entries());
        for (const { at, to } of changes) {
          if (!left.has(at)) continue;
          index.remove(at);
          left.delete(at);
          if (!to) continue;
          index.add(at, to, { first: matrix.append(unit(to.vector)), count: 1 });
          left.set(at, to);
        }
        const ordinals = [...left.keys()].sort((a, b) => a - b);
        const fresh = indexOf(
          ordinals.map((ordinal) => left.get(ordinal) as Said),
          ordinals,
        );
        const answers = [index, fresh.index].map((either) =>
          find(either, words, { vector: unit(towards) }).candidates.map(({ row: _, ...evidence }) => evidence),
        );
        expect(answers[0]).toEqual(answers[1]);
      }),
      { numRuns: 100 },
    );
  });

  test('cosines are those of the vectors, alone and mixed with the neighbours', () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 8 }), direction, (memories, towards) => {
        const thread = memories.map((memory, place) => ({
          ...memory,
          agentId: 'ann',
          project: null,
          sessionId: 's',
          createdAt: NOW + place,
        }));
        const { candidates } = find(indexOf(thread).index, ['ant'], { vector: unit(towards) });
        const question = unit(towards);
        const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
          Array.from(a).reduce((sum, value, axis) => sum + value * (b[axis] as number), 0);
        for (const { ordinal, cosine, mixedCosine } of candidates) {
          const at = (place: number) => (thread[place] ? unit(thread[place].vector) : new Float32Array(DIMENSION));
          const mixed = Array.from(at(ordinal), (value, axis) => {
            return value + 0.4 * (at(ordinal - 1)[axis] as number) + 0.2 * (at(ordinal + 1)[axis] as number);
          });
          expect(cosine).toBeCloseTo(dot(question, at(ordinal)), 5);
          expect(mixedCosine).toBeCloseTo(dot(question, mixed) / Math.hypot(...mixed), 4);
        }
      }),
    );
  });

  test('a thread is coherent by how much closer neighbours are than all pairs', () => {
    fc.assert(
      fc.property(fc.array(direction, { minLength: 1, maxLength: 12 }), (vectors) => {
        const thread = vectors.map((vector, place) => thing({ createdAt: NOW + place, vector }));
        const units = vectors.map(unit);
        const cosine = (a: number, b: number) =>
          (units[a] as Float32Array).reduce(
            (sum, value, axis) => sum + value * ((units[b] as Float32Array)[axis] as number),
            0,
          );
        const pairs = units.flatMap((_, a) => units.slice(a + 1).map((__, b) => cosine(a, a + 1 + b)));
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
        const neighbours = units.slice(1).map((_, place) => cosine(place, place + 1));
        const expected = units.length < 3 ? 0 : Math.min(Math.max((mean(neighbours) - mean(pairs)) / 0.06, 0), 1);
        const { candidates } = find(indexOf(thread).index, ['ant'], { vector: unit([1, 2, 3, 1]) });
        for (const { coherence } of candidates) expect(coherence).toBeCloseTo(expected, 3);
      }),
    );
  });

  test('a memory in pieces counts by the best of them', () => {
    const matrix = new VectorMatrix({ dimension: DIMENSION, maximumRows: 10 });
    const index = new EvidenceIndex({ vectors: matrix });
    const chunks = [unit([0, 1, 0, 0]), unit([3, 4, 0, 0]), unit([0, 0, 1, 0])];
    index.add(0, thing({}), {
      first: matrix.append(Float32Array.from(chunks.flatMap((chunk) => [...chunk]))),
      count: 3,
    });
    const [evidence] = find(index, ['unheard'], { vector: unit([1, 0, 0, 0]), vectorRows: [2] }).candidates;
    expect(evidence).toMatchObject({ ordinal: 0, cosine: expect.closeTo(0.6, 5), mixedCosine: expect.closeTo(0.6, 5) });
  });

  test('know who was asked for, what was asked just before, and what form the text has', () => {
    const memories = [
      thing({ speaker: 'Carla', text: 'When does the fox come?', createdAt: NOW }),
      thing({ speaker: 'Dan', text: 'Yesterday, and the dog last week', createdAt: NOW + 1 }),
    ];
    const { candidates } = find(indexOf(memories).index, ['Did Dan see the fox']);
    expect(candidates).toEqual([
      expect.objectContaining({ speaker: -1, isQuestion: true, tellsTime: false, askedBeforeTurn: 0, words: 5 }),
      expect.objectContaining({ speaker: 1, isQuestion: false, tellsTime: true, words: 6 }),
    ]);
    const [before, after] = candidates as [FoundEvidence, FoundEvidence];
    expect([before.saidBefore, before.saidAfter]).toEqual([null, NOW + 1]);
    expect([after.saidBefore, after.saidAfter]).toEqual([NOW, null]);
    expect(after.askedBeforeTurn).toBe(before.turn);
    expect(before.turn).toBeGreaterThan(0);
  });

  test('know what an agent noted of its user, and what was told outside of any session', () => {
    const of = (text: string, sessionId: string | null) =>
      find(indexOf([thing({ role: 'assistant', text, sessionId })]).index, ['fox']).candidates[0];
    expect(of('User likes the fox.', null)).toMatchObject({ role: 'assistant', isOfUser: true, isNote: true });
    expect(of('The fox is here.', 'monday')).toMatchObject({ role: 'assistant', isOfUser: false, isNote: false });
  });

  test('know whether all telling words stand in a memory, in another form of their verb too, or in the two before it', () => {
    const texts = ['We sell the old fox', 'The dog stays', 'No, both', 'So be it', 'And off'];
    const asked = 'How many of the fox did we sell';
    const evidence = (question: string, said = texts) => {
      const memories = said.map((text, place) => thing({ text, createdAt: NOW + place }));
      const { candidates } = find(indexOf(memories).index, [question], { vectorRows: [0, 1, 2, 3, 4] });
      return candidates.map(({ covers, coversWithBefore }) => ({ covers, coversWithBefore }));
    };
    const withBefore = (question: string, said = texts) =>
      evidence(question, said).map(({ coversWithBefore }) => coversWithBefore);
    expect(evidence(asked).map(({ covers }) => covers)).toEqual([true, false, false, false, false]);
    expect(withBefore(asked)).toEqual([true, true, true, false, false]);
    expect(evidence('How many of the fox did we buy')[0]).toEqual({ covers: false, coversWithBefore: false });
    // No reply tells who did it, and none asks or is long.
    expect(withBefore('Who sold the fox')).toEqual([true, false, false, false, false]);
    const noReplies = [...texts.slice(0, 1), 'The dog stays?', `No, both${' of it'.repeat(6)}`];
    expect(withBefore(asked, noReplies)).toEqual([true, false, false]);
  });

  test('know what the agent that was asked for told of others: as its own where it says nothing itself', () => {
    const told = [
      thing({ speaker: 'Dan', agentId: 'ops', text: 'The pool is full' }),
      thing({ speaker: 'Eve', agentId: 'data', text: 'The pool is cold' }),
    ];
    const asked = 'What did ops say about the pool';
    const evidence = (memories: readonly Said[]) =>
      find(indexOf(memories).index, [asked]).candidates.map(({ speaker, covers }) => ({ speaker, covers }));
    expect(evidence(told)).toEqual([
      { speaker: 1, covers: true },
      { speaker: -1, covers: false },
    ]);
    const own = thing({ speaker: null, agentId: 'ops', text: 'The pool was cleaned' });
    expect(evidence([...told, own])).toEqual([
      { speaker: 0, covers: true },
      { speaker: -1, covers: false },
      { speaker: 1, covers: true },
    ]);
    const all = find(indexOf([...told, own]).index, ['What did ops say yesterday']).candidates;
    expect(all.map(({ speaker }) => speaker)).toEqual([1, -1, 1]);
  });

  test('know whether all that is asked stands in the memory, or all but the name of who said it', () => {
    const memories = [
      thing({ speaker: 'Dan', text: 'I pet the fox', createdAt: NOW }),
      thing({ speaker: 'Carla', text: 'I pet the fox', createdAt: NOW + 1 }),
      thing({ speaker: 'Carla', text: 'Dan petted a fox', createdAt: NOW + 2 }),
      thing({ speaker: 'Dan', text: 'the dog is red', createdAt: NOW + 3 }),
    ];
    const { candidates } = find(indexOf(memories).index, ['Does Dan pet the fox?']);
    expect(candidates.map(({ covers }) => covers)).toEqual([true, false, true, false]);
  });

  test('of a common word only counts for what rarer words brought in, once those have brought in thousands', () => {
    const index = new EvidenceIndex({ vectors: null });
    const both = 10_050;
    const all = 10_250;
    for (let ordinal = 0; ordinal < all; ordinal++) {
      index.add(ordinal, thing({ text: ordinal < both ? 'cow ant' : 'ant', sessionId: `${ordinal}` }), null);
    }
    const { candidates } = find(index, ['cow', 'ant'], { limit: all });
    const dateTerms = termsOf('2026-03-18 Wednesday 18 March 2026').length;
    const average = dateTerms + 1 + both / all;
    const whole = 0.5 + 1.9 / (1 + 0.9 * (0.6 + (0.4 * (dateTerms + 2)) / average));
    expect(candidates).toHaveLength(all);
    const shares = candidates.map(({ turn }) => turn);
    for (const share of [Math.min(...shares.slice(0, both)), Math.max(...shares.slice(0, both))]) {
      expect(share).toBeCloseTo(whole / 2.4, 5);
    }
    expect(new Set(shares.slice(both))).toEqual(new Set([0]));
    expect(find(index, ['ant'], { limit: all }).candidates.filter(({ turn }) => turn > 0)).toHaveLength(all);
  });
});

describe('candidates', () => {
  test('are as many as were asked for whenever so many visible memories are accepted', () => {
    fc.assert(
      fc.property(
        store,
        asked,
        fc.integer({ min: 1, max: 30 }),
        fc.nat({ max: 7 }),
        (memories, words, limit, modulus) => {
          const accepts = (ordinal: number) => ordinal % (modulus + 1) === 0;
          const { candidates } = find(indexOf(memories).index, words, { limit, accepts });
          const fitting = memories.filter(
            (memory, ordinal) => isVisible(anyProject('ann'))(memory) && accepts(ordinal),
          );
          expect(candidates.length).toBeGreaterThanOrEqual(Math.min(limit, fitting.length));
          for (const { ordinal } of candidates) {
            expect(accepts(ordinal) && isVisible(anyProject('ann'))(memories[ordinal] as Said)).toBe(true);
          }
          expect(new Set(candidates.map(({ ordinal }) => ordinal)).size).toBe(candidates.length);
        },
      ),
    );
  });

  test('hold what only vectors, only words or only entities bring, and the neighbours', () => {
    const memories = Array.from({ length: 40 }, (_, place) =>
      thing({ text: place === 5 ? 'walrus' : 'nothing', createdAt: NOW + place, sessionId: place < 30 ? 's' : 't' }),
    );
    const { index } = indexOf(memories);
    const request = { limit: 1, vector: unit([1, 0, 0, 0]), vectorRows: [20], entityHits: new Map([[35, 0.5]]) };
    const { candidates } = find(index, ['walrus'], request);
    expect(candidates.map(({ ordinal }) => ordinal)).toEqual([2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 34, 35, 36]);
    expect(candidates.find(({ ordinal }) => ordinal === 35)?.entity).toBe(0.5);
  });

  test('hold the best by turn, window and thread together, of however many', () => {
    const many = fc.array(said, { minLength: 150, maxLength: 300 });
    fc.assert(
      fc.property(many, asked, (memories, words) => {
        const { index } = indexOf(memories);
        const vector = unit([1, 2, 3, 1]);
        const contextOf = ({ turn, window, thread }: FoundEvidence) => turn + 1.4 * window + 0.6 * thread;
        const all = find(index, words, { vector, limit: memories.length }).candidates.filter(
          ({ window }) => window > 0,
        );
        const least = all.map(contextOf).sort((a, b) => b - a)[BEST_BY_WORDS] ?? 0;
        const found = new Set(
          find(index, words, { vector, vectorRows: [0], limit: 1 }).candidates.map(({ ordinal }) => ordinal),
        );
        const best = all.filter((one) => contextOf(one) > least).map(({ ordinal }) => ordinal);
        expect(best.filter((ordinal) => !found.has(ordinal))).toEqual([]);
      }),
      // A failing store of hundreds takes minutes to shrink.
      { numRuns: 20, endOnFailure: true },
    );
  });

  test('are, of equal ones, those that were told first, in whichever order they were indexed', () => {
    const equal = Array.from({ length: 2 * BEST_BY_WORDS }, (_, place) => thing({ sessionId: `s-${place}` }));
    const ordinals = equal.map((_, place) => equal.length - 1 - place);
    const { index } = indexOf(equal, ordinals);
    const first = ordinals.toReversed().slice(0, BEST_BY_WORDS);
    // A row that belongs to nobody: with vectors, fewer are taken by their words.
    const byWords = find(index, ['ant'], { vector: unit([1, 1, 0, 0]), vectorRows: [999], limit: 1 });
    expect(byWords.candidates.map(({ ordinal }) => ordinal)).toEqual(first);
    const linked = find(index, ['unheard'], { entityHits: new Map(ordinals.map((one) => [one, 1])), limit: 1 });
    expect(linked.candidates.map(({ ordinal }) => ordinal)).toEqual(first);
  });

  test('hold what names the day that is asked about, as far as the viewer sees it, and know it', () => {
    // NOW is a Wednesday.
    const telling = fc.constantFrom(
      ['the walrus comes on Friday', true],
      ['the walrus comes on 20 March', true],
      ['walruses come every Friday', true],
      ['the walrus comes this week', true],
      ['the walrus came on Friday', false],
      ['the walrus comes tomorrow', false],
      ['the walrus comes', false],
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(said, telling), { maxLength: 20 }), viewers, (memories, viewer) => {
        const told = memories.map(([memory, [text]]) => ({ ...memory, text: text as string, createdAt: NOW }));
        const { index } = indexOf(told);
        const { candidates } = find(index, ['What is on on Friday?'], { viewer, limit: 1 });
        const expected = told.flatMap((memory, ordinal) =>
          isVisible(viewer)(memory) && memories[ordinal]?.[1][1] === true ? [ordinal] : [],
        );
        expect(candidates.flatMap(({ ordinal, namesDay }) => (namesDay ? [ordinal] : []))).toEqual(expected);
      }),
    );
  });

  test('name a day of their own question, whatever was asked before', () => {
    const { index } = indexOf([thing({ text: 'the walrus comes on Friday', createdAt: NOW })]);
    const named = ['What is on on Friday?', 'What is on tomorrow?', 'Who is the walrus?'].map((question) =>
      find(index, [question], { limit: 1 }).candidates.map(({ namesDay }) => namesDay),
    );
    expect(named).toEqual([[true], [false], [false]]);
  });

  test('hold the newest hundred of what names the day, and of a question that names none no such memory', () => {
    const memories = Array.from({ length: 150 }, (_, place) =>
      thing({ text: 'we sail on Friday', sessionId: null, createdAt: NOW - ((place * 7) % 150) * 1_000 }),
    );
    const { index } = indexOf(memories);
    const newest = memories.flatMap(({ createdAt }, place) => (createdAt > NOW - 100_000 ? [place] : []));
    const { candidates } = find(index, ['What is on in 2 days?'], { limit: 1 });
    const found = candidates.flatMap(({ ordinal, namesDay }) => (namesDay ? [ordinal] : []));
    expect(found).toEqual(expect.arrayContaining(newest));
    // Neighbours come with them.
    expect(found.length).toBeLessThanOrEqual(102);
    expect(find(index, ['unheard'], { limit: 1 }).candidates).toHaveLength(1);
  });

  test('that cannot be among the best are left out, but for what follows the best in its thread', () => {
    const texts = ['The fox is old', 'Yes', ...Array.from({ length: 20 }, (_, place) => `The dog ${place}`)];
    const memories = texts.map((text, place) => thing({ text, createdAt: NOW + place }));
    const { candidates } = find(indexOf(memories).index, ['fox'], { limit: texts.length, weigh: keepingTheBest });
    expect(candidates.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
  });

  test('hold what was said later of what the best names, however far behind it is', () => {
    const texts = ['The fox is old', 'Rex sleeps', ...Array.from({ length: 20 }, (_, place) => `The dog ${place}`)];
    const memories = texts.map((text, place) => thing({ text, sessionId: `${place}`, createdAt: NOW + place }));
    const namedLater = (ordinal: number) => (ordinal === 0 ? [1] : []);
    for (const request of [
      { limit: 1 },
      { limit: 1, vectorRows: [0] },
      { limit: texts.length, weigh: keepingTheBest },
    ]) {
      const { candidates } = find(indexOf(memories).index, ['fox'], { ...request, namedLater });
      expect(candidates.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    }
  });

  test('hold what was said later of several near memories, however many rows one of them or one out of sight has', () => {
    const texts = ['A secret', 'A long story', 'The fox is old', 'The hen is old', 'Rex sleeps'];
    const memories = texts.map((text, place) =>
      thing({
        text,
        sessionId: `${place}`,
        createdAt: NOW + place,
        ...(place === 0 && { agentId: 'bob', scope: 'PRIVATE' }),
      }),
    );
    const { index } = indexOf(memories);
    for (const ordinal of memories.keys()) index.setRows(ordinal, { first: 3 * ordinal, count: 3 });
    const asked: number[] = [];
    const namedLater = (ordinal: number) => {
      asked.push(ordinal);
      return ordinal === 3 ? [4] : [];
    };
    const vectorRows = [0, 1, 2, 3, 4, 5, 6, 9];
    const { candidates } = find(index, ['unheard'], { viewer: anyProject('ann'), vectorRows, limit: 1, namedLater });
    expect(candidates.map(({ ordinal }) => ordinal)).toContain(4);
    expect(asked).not.toContain(0);
  });

  test('take up what an earlier one tells by words that three memories have at most', () => {
    const texts = [
      'The wren and the fox are old',
      'A wren left',
      'The fox left',
      'A fox is 7',
      'A fox is 8',
      'The wren',
    ];
    const said = [1, 2, 3, 4, 5, 0];
    const memories = texts.map((text, place) =>
      thing({ text, sessionId: `${place}`, createdAt: NOW + (said[place] as number) }),
    );
    const namedLater = (ordinal: number) => (ordinal === 0 ? [2] : []);
    const { candidates, laterMentions } = find(indexOf(memories).index, ['old'], { namedLater });
    const mentions = laterMentions(candidates[0] as FoundEvidence);
    const shared = mentions.map(({ isNamed, words }) => ({ isNamed, words }));
    expect(shared).toEqual(
      expect.arrayContaining([
        { isNamed: false, words: 1 },
        { isNamed: true, words: 0 },
      ]),
    );
    expect(shared).toHaveLength(2);
    expect(laterMentions(candidates[2] as FoundEvidence)).toEqual([]);
  });

  test('take up an earlier one whatever somebody else tells in private before that is asked for', () => {
    const texts = ['The wren is old', 'A wren left', 'My wren'];
    const { index } = indexOf(texts.map((text, place) => thing({ text, createdAt: NOW + place })));
    const { candidates, laterMentions } = find(index, ['old']);
    const mentions = () => laterMentions(candidates[0] as FoundEvidence);
    const before = mentions();
    expect(before).toHaveLength(2);
    index.add(3, thing({ text: 'A wren', agentId: 'eve', scope: 'PRIVATE', createdAt: NOW + 3 }), null);
    expect(mentions()).toEqual(before);
  });

  test('bear rows that belong to nobody any more', () => {
    const { index } = indexOf([thing({}), thing({})]);
    index.setRows(0, null);
    index.remove(1);
    index.remove(7);
    const { candidates } = find(index, ['unheard'], { vector: unit([1, 0, 0, 0]), vectorRows: [0, 1, 99] });
    expect(candidates).toEqual([expect.objectContaining({ ordinal: 0, row: -1, cosine: 0, mixedCosine: 0 })]);
  });
});

/** Keeps the one with most of the words, and what is beside it. */
const keepingTheBest: Weigh = () => ({
  score: ({ turn }) => turn,
  figures: [],
  places: 1,
  margin: 0,
  replied: 1,
  mentioned: 1,
});

function thing(fields: Partial<Said>): Said {
  return {
    agentId: 'ann',
    sessionId: 's',
    scope: 'TEAM',
    project: null,
    createdAt: NOW,
    text: 'ant',
    speaker: null,
    role: null,
    tags: [],
    vector: [1, 1, 0, 0],
    ...fields,
  };
}
