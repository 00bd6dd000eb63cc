import { readFileSync } from 'node:fs';
import { type Embedder, openEmbedder } from '@agent-faculties/embeddings';
import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, say, startTestService, type TestService } from '../start-service.ts';

interface Message {
  readonly key: string;
  readonly agent_id: string;
  readonly content: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

interface Question {
  readonly query: string;
  readonly answers: readonly string[];
  readonly kind: string;
}

/** What an invented team told its agents; ../data/README.md says how it was written. No constant was chosen on it. */
const { messages, questions } = JSON.parse(
  readFileSync(new URL('../data/team-memories.json', import.meta.url), 'utf8'),
) as { messages: Message[]; questions: Question[] };

/** The moment of the questions: after the last message. */
const ASKED_AT = Date.UTC(2026, 6, 12, 9);

interface Figures {
  /** Answerable questions with an answer among the first k, by kind. */
  readonly [kind: string]: readonly [at1: number, at5: number, at10: number];
}

/** Floors, in questions: the figures of the day when this was written. A change may raise them and must not lower them. */
const FLOORS: Readonly<Record<string, { found: Figures; silent: number; stored: number }>> = {
  accurate: {
    found: { paraphrase: [3, 11, 15], keyword: [17, 20, 20], temporal: [7, 8, 8], person: [3, 6, 7] },
    silent: 18,
    stored: 45,
  },
  fast: {
    found: { paraphrase: [1, 6, 12], keyword: [16, 20, 20], temporal: [7, 8, 8], person: [3, 6, 7] },
    silent: 15,
    stored: 33,
  },
  none: {
    found: { paraphrase: [0, 2, 6], keyword: [16, 20, 20], temporal: [5, 8, 8], person: [3, 5, 7] },
    silent: 13,
    stored: 32,
  },
};

/** What the plainest search finds at 1, 5 and 10: messages by the number of words that they share with the question, older first. */
const BY_SHARED_WORDS = [1, 5, 10].map(
  (k) =>
    questions.filter(({ query, answers }) => {
      const asked = wordsOf(query);
      const shares = messages.map(({ key, content }) => {
        return { key, shared: [...wordsOf(content)].filter((word) => asked.has(word)).length };
      });
      const best = shares.sort((a, b) => b.shared - a.shared).slice(0, k);
      return best.some(({ key, shared }) => shared > 0 && answers.includes(key));
    }).length,
) as [number, number, number];

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

describe.each(Object.entries(FLOORS))("a team's memories, embedding model %s", (model, floor) => {
  let service: TestService;
  let embedder: Embedder | null;
  const keys = new Map<string, string>();
  const found: Record<string, [number, number, number]> = {};
  let silent = 0;
  let stored = 0;

  beforeAll(async () => {
    embedder = model === 'none' ? null : await openEmbedder({ model, offline: true });
    service = await startTestService({ embedder, clock: new ManualClock(ASKED_AT) });
    for (const { key, agent_id, ...message } of messages) {
      const { memory } = await say(service, agent_id, message);
      keys.set(memory.id, key);
    }
    for (const { query, answers, kind } of questions) {
      const { memories, context } = await ask(service, 'planner', { query, top_k: 10, max_context_chars: 20_000 });
      if (answers.length === 0) {
        if (context === '') silent++;
        continue;
      }
      const place = memories.findIndex(({ id }) => answers.includes(keys.get(id) as string));
      found[kind] ??= [0, 0, 0];
      const counts = found[kind];
      [1, 5, 10].forEach((k, i) => {
        if (place !== -1 && place < k) counts[i as 0 | 1 | 2]++;
      });
      if (place !== -1 && memories[place]?.relevance !== 'low') stored++;
    }
  });

  afterAll(async () => {
    await service.close();
    await embedder?.close();
  });

  test.each(Object.keys(floor.found))('%s questions find as many answers as ever', (kind) => {
    const reached = found[kind] as [number, number, number];
    for (const [i, least] of (floor.found[kind] as readonly number[]).entries()) {
      expect(reached[i]).toBeGreaterThanOrEqual(least);
    }
  });

  test('more answers are found than by counting the words that a message shares with the question', () => {
    for (const i of [0, 1, 2] as const) {
      const reached = Object.values(found).reduce((sum, counts) => sum + counts[i], 0);
      expect(reached).toBeGreaterThan(BY_SHARED_WORDS[i]);
    }
  });

  test('questions that nobody answered stay without a context as often as ever', () => {
    expect(silent).toBeGreaterThanOrEqual(floor.silent);
  });

  test('answers that were found are in the context as often as ever', () => {
    expect(stored).toBeGreaterThanOrEqual(floor.stored);
  });
});
