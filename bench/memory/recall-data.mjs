// Reads the data sets of recall into one form: stores with messages in order and questions with evidence.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** LoCoMo dates sessions, not turns. */
const SECONDS_BETWEEN_TURNS = 20;
const CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open', 4: 'single-hop', 5: 'adversarial' };

/** Most characters of a message; one message of BEAM has more. */
const LONGEST_MESSAGE = 200_000;
const DAY_MS = 86_400_000;

/**
 * @param path a LoCoMo file, a file or folder of a team's messages and questions, a file or folder of several such stores, or a
 *   folder of BEAM chats
 * @returns stores {name, messages: [{key, agent, body}], questions: [{query, kind, evidence: keys}]}; a question may have
 *   agent and now (who asks when), current and stale (keys of the present value and of older ones), and both (two lists of
 *   keys, each of which has to be found)
 */
export function readRecallData(path) {
  if (statSync(path).isDirectory()) {
    const folders = [path, ...readdirSync(path).map((name) => join(path, name))];
    const stores = folders.filter((folder) => existsSync(join(folder, 'messages.jsonl')));
    return stores.length > 0 ? stores.map(told) : chats(path);
  }
  const data = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(data)) return data.map(conversation);
  return (data.stores ?? [data]).map(team);
}

/** One LoCoMo conversation; every turn belongs to one agent, and `name` says who spoke. */
function conversation({ sample_id, conversation: talk, qa }) {
  const numbers = Object.keys(talk)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const messages = numbers.flatMap((number) => {
    const startedAt = instantOf(talk[`session_${number}_date_time`]);
    return talk[`session_${number}`].map((turn, i) => ({
      key: turn.dia_id,
      agent: 'assistant',
      body: {
        content: turn.blip_caption ? `${turn.text} [${turn.blip_caption}]` : turn.text,
        name: turn.speaker,
        session_id: `session-${number}`,
        timestamp: new Date(startedAt + i * SECONDS_BETWEEN_TURNS * 1_000).toISOString(),
      },
    }));
  });
  const known = new Set(messages.map(({ key }) => key));
  const questions = qa.map(({ question, category, evidence }) => ({
    query: question,
    kind: CATEGORIES[category],
    evidence: repaired(evidence).filter((key) => known.has(key)),
  }));
  return { name: sample_id, messages, questions: questions.filter(({ evidence }) => evidence.length > 0) };
}

/** Some ids are malformed: "D8:6; D9:17", "D:11:26". */
function repaired(evidence) {
  const ids = evidence.flatMap((text) => [...text.matchAll(/D:?(\d+):(\d+)/g)].map(([, a, b]) => `D${a}:${b}`));
  return [...new Set(ids)];
}

/** '1:56 pm on 8 May, 2023' */
function instantOf(text) {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  return Date.UTC(
    Number(year),
    MONTHS.indexOf(month),
    Number(day),
    (Number(hour) % 12) + (half === 'pm' ? 12 : 0),
    Number(minute),
  );
}

function team({ name = 'team', messages, questions }) {
  return {
    name,
    messages: messages.map(({ key, agent_id, timestamp, ...rest }, i) => ({
      key: key ?? `#${i}`,
      agent: agent_id,
      body: { content: rest.content, role: rest.role, name: rest.name, session_id: rest.session_id, timestamp },
    })),
    questions: questions
      .map(({ query, kind, answer, answers }) => ({ query, kind, evidence: answers ?? [answer] }))
      .filter(({ evidence }) => evidence.length > 0),
  };
}

/** Messages and questions as JSON Lines; a store to look for contradictions in has no questions. */
function told(folder) {
  const lines = (name) => {
    const file = join(folder, name);
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
  };
  return {
    name: basename(folder),
    messages: lines('messages.jsonl').map(({ id, agent, session, role, name, scope, timestamp, content }) => ({
      key: id,
      agent,
      body: { content, role, scope, session_id: session, timestamp, ...(name && { name }) },
    })),
    questions: lines('questions.jsonl').map(({ query, category, agent, asked_at, gold, current, stale }) => ({
      query,
      kind: category === 'private' ? `private, ${gold.length > 0 ? 'owner' : 'other'}` : category,
      agent,
      now: asked_at,
      evidence: gold,
      ...(current?.length > 0 && { current, stale }),
    })),
  };
}

/** BEAM: numbered folders, each with a chat and its questions. A batch of a chat is a session; only its first message has a date. */
function chats(folder) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'chat.json')));
  return names.sort((a, b) => Number(a) - Number(b)).map((name) => chat(join(folder, name), name));
}

function chat(folder, name) {
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const messages = read('chat.json').flatMap(({ turns }, batch) => {
    const all = turns.flat();
    const { time_anchor: date } = all.find(({ time_anchor }) => time_anchor);
    const startedAt = Date.parse(`${date.replaceAll('-', ' ')} UTC`);
    return all.map(({ id, role, content }, i) => ({
      key: `${id}`,
      agent: 'assistant',
      body: {
        // The mark that the generator of BEAM puts at the end of a turn.
        content: content.replace(/\s*->->[\s\d,.-]*$/, '').slice(0, LONGEST_MESSAGE),
        role,
        session_id: `batch-${batch}`,
        timestamp: new Date(startedAt + i * SECONDS_BETWEEN_TURNS * 1_000).toISOString(),
      },
    }));
  });
  const now = new Date(Math.max(...messages.map(({ body }) => Date.parse(body.timestamp))) + DAY_MS).toISOString();
  const keys = (ids) => [...new Set([ids ?? []].flat(3).map(String))];
  const questions = Object.entries(read('probing_questions.json')).flatMap(([kind, list]) =>
    list.map(({ question, source_chat_ids: sources = /** @type {any} */ ([]) }) => ({
      query: question,
      kind,
      now,
      evidence: kind === 'abstention' ? [] : keys(Array.isArray(sources) ? sources : Object.values(sources)),
      ...(sources.updated_info && { current: keys(sources.updated_info), stale: keys(sources.original_info) }),
      ...(sources.first_statement && { both: [keys(sources.first_statement), keys(sources.second_statement)] }),
    })),
  );
  return { name, messages, questions };
}
