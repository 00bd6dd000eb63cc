// The agent loop on a believable transcript: three agents and Dana build a feature over five days. Each message is stored;
// at eight moments an agent asks for what it needs and shows the context that it would put before its prompt.
//   npm run demo:memory        against a running memory-service (MEMORY_URL, else this machine's at MEMORY_PORT, default 7832)
// Every message has an idempotency key, so a second run stores nothing twice.
import { readFileSync } from 'node:fs';
import { commandLine } from '../lib/command-line.mjs';

const { MEMORY_URL, MEMORY_PORT = 7832 } = process.env;
const BASE_URL = (MEMORY_URL ?? `http://127.0.0.1:${MEMORY_PORT}`).replace(/\/+$/, '');
const BOLD = process.stdout.isTTY ? '\x1b[1m' : '';
const DIM = process.stdout.isTTY ? '\x1b[2m' : '';
const PLAIN = process.stdout.isTTY ? '\x1b[0m' : '';
/** Enough for three facts, so that the output stays readable. */
const CONTEXT_CHARACTERS = 700;

const { title, messages, moments } = JSON.parse(
  readFileSync(new URL('memory-transcript.json', import.meta.url), 'utf8'),
);

/** @returns {Promise<any>} the answer */
async function call(path, { agent, body }) {
  const response = await fetch(BASE_URL + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Agent-ID': agent },
    body: JSON.stringify(body),
  }).catch((error) => {
    throw new Error(`no memory-service answers at ${BASE_URL} (${error.cause?.code ?? error.message}): run npm start`);
  });
  const answer = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.detail}`);
  return answer;
}

async function store({ key, agent_id, role, name, content, session_id, timestamp }) {
  const body = { content, role, name, session_id, timestamp, idempotency_key: `demo-${key}` };
  const { duplicate } = await call('/ingest', { agent: agent_id, body });
  return duplicate;
}

async function ask({ agent_id, query }) {
  const body = { query, top_k: 3, max_context_chars: CONTEXT_CHARACTERS };
  const { context, took_ms } = await call('/recall', { agent: agent_id, body });
  console.log(`\n${BOLD}${agent_id} asks: ${query}${PLAIN} ${DIM}(${took_ms.toFixed(1)} ms)${PLAIN}`);
  console.log(context === '' ? 'Nothing that is remembered bears on it.' : context);
}

async function demo() {
  console.log(`${title}: ${messages.length} messages into ${BASE_URL}`);
  let known = 0;
  for (const message of messages) {
    if (await store(message)) known += 1;
    for (const moment of moments) if (moment.after === message.key) await ask(moment);
  }
  await ask({ agent_id: 'coder', query: 'Which colour does the marketing team want for the new logo?' });
  console.log(`\n${messages.length - known} messages stored, ${known} were there already.`);
}

commandLine(import.meta.url, {});
demo().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
