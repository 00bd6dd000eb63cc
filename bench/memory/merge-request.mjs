// The request of a merge: its lines are written to a file first, so that making them takes no processor time from the service.
import { createReadStream, createWriteStream } from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { textSource } from './texts.mjs';

const LINES_PER_PIECE = 500;

/** @param url of the service, which tells the model of its vectors */
export async function writeLines(file, url, { memories, corpus, withVectors }) {
  const { embedding } = /** @type {any} */ (await (await fetch(`${url}/health`)).json());
  const lines = pieces({ memories, corpus, embedding: withVectors ? embedding : null });
  await pipeline(Readable.from(lines), createWriteStream(file));
}

/** @returns {Promise<any>} the answer */
export async function merge(url, file, { space = 'default' } = {}) {
  const request = http.request(`${url}/merge`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', 'X-Space': space },
  });
  const answer = new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
  await pipeline(createReadStream(file), request);
  return await new Response(Readable.toWeb(await answer)).json();
}

/** Yields the lines, some hundred at a time. */
function* pieces({ memories, corpus, embedding }) {
  const { say } = textSource({ corpus, seed: 1 });
  const random = seededRandom(1);
  for (let start = 0; start < memories; start += LINES_PER_PIECE) {
    let piece = '';
    for (let number = start; number < Math.min(memories, start + LINES_PER_PIECE); number++) {
      piece += `${JSON.stringify(record(number, say(), { embedding, random }))}\n`;
    }
    yield piece;
  }
}

function record(number, content, { embedding, random }) {
  const said = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
  return {
    id: `0193a000000070008000${number.toString(16).padStart(12, '0')}`,
    content: `${content} [${number}]`,
    agent_id: `agent-${number % 4}`,
    session_id: `session-${Math.floor(number / 100)}`,
    created_at: said,
    updated_at: said,
    ...(embedding && { embedding_model: embedding.model, vectors: [vector(embedding.dimension, random)] }),
  };
}

function vector(dimension, random) {
  const values = Float32Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Buffer.from(values.map((value) => value / length).buffer).toString('base64');
}
