import { readFileSync } from 'node:fs';
import { type Embedder, openEmbedder } from '@agent-faculties/embeddings';
import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, say, startTestService } from '../start-service.ts';

interface Newcomer {
  readonly name: string;
  readonly facts: readonly (readonly [fact: string, question: string])[];
  readonly neverTold: readonly string[];
}

/** What four newcomers tell first, and ask next; ../data/README.md says how it was written. One constant was chosen with it in view, that for a value that is asked for. */
const { stores } = JSON.parse(readFileSync(new URL('../data/plain-questions.json', import.meta.url), 'utf8')) as {
  stores: Newcomer[];
};

const TOLD_AT = Date.UTC(2026, 6, 12, 9);

/** Floors, in questions: the figures of the day when this was written. A change may raise them and must not lower them. */
const FLOORS = { first: 92, shown: 88, silent: 30 };

describe('the plain questions of newcomers, embedding model accurate', () => {
  let embedder: Embedder;
  const reached = { first: 0, shown: 0, silent: 0 };

  beforeAll(async () => {
    embedder = await openEmbedder({ model: 'accurate', offline: true });
    for (const store of stores) await askAll(store);
  });

  afterAll(() => embedder.close());

  async function askAll({ facts, neverTold }: Newcomer): Promise<void> {
    const service = await startTestService({ embedder, clock: new ManualClock(TOLD_AT) });
    for (const [content] of facts) await say(service, 'agent', { content });
    for (const [fact, query] of facts) {
      const { memories, context } = await ask(service, 'agent', { query });
      if (memories[0]?.content === fact) reached.first++;
      if (context.includes(fact)) reached.shown++;
    }
    for (const query of neverTold) if ((await ask(service, 'agent', { query })).context === '') reached.silent++;
    await service.close();
  }

  test('find the fact first as often as ever', () => {
    expect(reached.first).toBeGreaterThanOrEqual(FLOORS.first);
  });

  test('have the fact in their context as often as ever', () => {
    expect(reached.shown).toBeGreaterThanOrEqual(FLOORS.shown);
  });

  test('stay without a context as often as ever where nobody told the answer', () => {
    expect(reached.silent).toBeGreaterThanOrEqual(FLOORS.silent);
  });
});
