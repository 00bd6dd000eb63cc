import { type Embedder, EmbedderBusyError, EmbeddingFailedError } from '@agent-faculties/embeddings';
import { UnavailableError } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { textEmbedding } from '../../../src/domain/embedding/text-embedding.ts';

const log = { warn: () => {} } as never;

/** Of a model that judges answers and fails on every text so. */
function failing(error: Error) {
  const embed: Embedder['embed'] = () => Promise.reject(error);
  return textEmbedding({ embedder: { kind: 'contextual', judgesAnswers: true, embed } as Embedder, log });
}

test('a note of a user has the vector of what the user would say', async () => {
  const told: string[] = [];
  const embed: Embedder['embed'] = async (texts) => {
    told.push(...texts);
    return [];
  };
  const embedding = textEmbedding({ embedder: { kind: 'contextual', embed } as Embedder, log });
  await embedding.vectorsOf('User prefers tabs.');
  await embedding.vectorOfQuestion('User prefers tabs?');
  expect(told).toEqual(['I prefer tabs.', 'User prefers tabs?']);
});

describe('a question', () => {
  test('is refused where too many texts wait, but not for the vector that only judges its answers', async () => {
    const embedding = failing(new EmbedderBusyError('2048 texts wait'));
    await expect(embedding.vectorOfQuestion('Who owns billing?')).rejects.toThrow(UnavailableError);
    expect(await embedding.answerableVectorOf('Who owns billing?')).toBeNull();
  });

  test('has no vector where the model fails on it', async () => {
    const embedding = failing(new EmbeddingFailedError('no'));
    expect(await embedding.vectorOfQuestion('Who owns billing?')).toBeNull();
    expect(await embedding.answerableVectorOf('Who owns billing?')).toBeNull();
  });
});
