import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, fastEmbedder, startTestService, type TestService } from '../start-service.ts';
import { mergingInto, ndjson, reasons, wire } from './merging.ts';

let remote: TestService;
beforeEach(async () => {
  remote = await startTestService();
});
afterEach(() => remote.close());
afterAll(closeFastEmbedder);

const { exportAll, stream } = mergingInto(() => remote);

describe('vectors', () => {
  const text = 'A short text, though of more than six words.';
  const unit = async () => (await (await fastEmbedder()).embed([text]))[0] as Float32Array;
  const base64 = (vector: Float32Array) =>
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  const post = async (body: Record<string, unknown>) => await supertest(remote.app).post('/merge').send(body);

  test('of this model are used as they are', async () => {
    const model = (await fastEmbedder()).modelId;
    const memories = [wire(1, { content: text, gist: text }), wire(2)];
    const { body } = await post({ memories, embedding_model: model, vectors: [[base64(await unit())], null] });
    expect(body.report).toMatchObject({ added: 2, without_vectors: 1 });
    const [line] = (await exportAll('ann', '?vectors=true')).text.split('\n');
    expect(JSON.parse(line as string)).toMatchObject({ embedding_model: model, vectors: [base64(await unit())] });
  });

  test('of another model, or of another number of pieces, are made again', async () => {
    const model = (await fastEmbedder()).modelId;
    const vector = base64(await unit());
    const lines = ndjson(
      wire(1, { embedding_model: 'other@1', vectors: [vector] }),
      wire(2, { embedding_model: model, vectors: [vector, vector] }),
      wire(3, { vectors: null }),
    );
    expect((await stream(lines)).body.report).toMatchObject({ added: 3, without_vectors: 3, rejected: [] });
  });

  test('that are none are rejected with their record', async () => {
    const embedding_model = (await fastEmbedder()).modelId;
    const long = (await unit()).map((value) => 2 * value);
    const broken = (await unit()).map((value, i) => (i === 3 ? Number.NaN : value));
    const { report } = (
      await stream(
        ndjson(
          wire(1, { embedding_model, vectors: ['AAAA'] }),
          wire(2, { embedding_model, vectors: [base64(long)] }),
          wire(3, { embedding_model, vectors: [base64(broken)] }),
          wire(4, { embedding_model, vectors: 'AAAA' }),
          wire(5, { vectors: ['AAAA'] }),
          wire(6, { embedding_model, vectors: [7] }),
        ),
      )
    ).body;
    expect(reasons(report)).toEqual([
      [0, 'vectors must each be base64 of 240 32-bit floats, little-endian'],
      [1, 'vectors must each be of length 1'],
      [2, 'vectors must each be of length 1'],
      [3, 'vectors must be a list, one for each chunk of the text'],
      [4, 'embedding_model must name the model of the vectors'],
      [5, 'vectors must each be base64 of 240 32-bit floats, little-endian'],
    ]);
  });

  test('must be as many lists as there are memories', async () => {
    const answer = await post({ memories: [wire(1)], embedding_model: 'x', vectors: [] });
    expect([answer.status, answer.body.code, answer.body.errors[0].where]).toEqual([
      422,
      'invalid_input',
      'body/vectors',
    ]);
  });
});
