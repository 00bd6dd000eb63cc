import { type Embedder, EmbedderBusyError, EmbeddingFailedError, type TextRole } from '@agent-faculties/embeddings';
import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import { readingStep } from '../concurrency/reading-steps.ts';
import { asUserSays } from '../text/speaker/of-the-user.ts';
import { splitIntoChunks } from './chunks.ts';
import { type VectorModel, vectorModelOf } from './vector-model.ts';

/**
 * The kind of embedding model: one that reads words in their context, one that adds up fixed word vectors, or none. It decides
 * how much weight the other evidence gets.
 */
export type ModelKind = Embedder['kind'] | 'none';

/** Makes the vectors of texts, where there is a model. */
export interface TextEmbedding {
  /** null: there is no model; recall works by words and names alone. */
  readonly model: VectorModel | null;
  readonly kind: ModelKind;
  /** Whether the model takes texts now; true without a model. */
  isReady(): boolean;
  /** One vector for each chunk of the text, in order; none without a model, or when it fails on the text. @throws UnavailableError */
  vectorsOf(text: string): Promise<Float32Array[]>;
  /** The vector of the beginning of a question, to compare with those of texts; null where there is none. @throws UnavailableError */
  vectorOfQuestion(question: string): Promise<Float32Array | null>;
  /** Another one, near texts that answer the question and not near all of its subject; null where the model has none, or no room for it now. */
  answerableVectorOf(question: string): Promise<Float32Array | null>;
}

/** Recall by words and entities alone. */
export const NO_EMBEDDING: TextEmbedding = {
  model: null,
  kind: 'none',
  isReady: () => true,
  vectorsOf: async () => [],
  vectorOfQuestion: async () => null,
  answerableVectorOf: async () => null,
};

/** For a store without vectors, which never asks for one. */
export function withoutVectors(embedding: TextEmbedding): TextEmbedding {
  return { ...NO_EMBEDDING, model: embedding.model, kind: embedding.kind, isReady: embedding.isReady };
}

export function textEmbedding({ embedder, log }: { embedder: Embedder; log: Logger }): TextEmbedding {
  const embed = async (texts: readonly string[], role: TextRole): Promise<Float32Array[]> => {
    try {
      return await embedder.embed(texts, role);
    } catch (error) {
      if (error instanceof EmbedderBusyError) {
        throw new UnavailableError('The embedding model has too many texts waiting: send it again in a moment.', {
          code: 'embedding_busy',
          cause: error,
        });
      }
      if (!(error instanceof EmbeddingFailedError)) throw error;
      // Words still find a memory without a vector; a refused memory would be lost.
      log.warn({ err: error }, 'no vector for a text: the embedding model failed on it');
      return [];
    }
  };
  const ofBeginning = async (question: string, role: TextRole) => {
    const [first = ''] = await readingStep(question, () => splitIntoChunks(question));
    return (await embed([first], role))[0] ?? null;
  };
  return {
    model: vectorModelOf(embedder),
    kind: embedder.kind,
    isReady: () => embedder.isReady(),
    vectorsOf: async (text) => await embed(await readingStep(text, () => splitIntoChunks(asUserSays(text))), 'stored'),
    vectorOfQuestion: (question) => ofBeginning(question, 'question'),
    answerableVectorOf: async (question) => {
      if (!embedder.judgesAnswers) return null;
      return await ofBeginning(question, 'answerable').catch(nullWhereUnavailable);
    },
  };
}

/** What can be done without is no reason to refuse a request. */
function nullWhereUnavailable(error: unknown): null {
  if (error instanceof UnavailableError) return null;
  throw error;
}
