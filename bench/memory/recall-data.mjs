// Reads the data sets that recall is measured on into one form: stores, each with messages in order and questions with evidence.
import { readFileSync } from 'node:fs';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** LoCoMo dates sessions, not turns. */
const SECONDS_BETWEEN_TURNS = 20;
const CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open', 4: 'single-hop', 5: 'adversarial' };

/** @returns stores {name, messages: [{key, agent, body}], questions: [{query, kind, evidence: keys}]} */
export function readRecallData(path) {
  const data = JSON.parse(readFileSync(path, 'utf8'));
  return Array.isArray(data) ? data.map(conversation) : [team(data)];
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
  return Date.UTC(year, MONTHS.indexOf(month), day, (hour % 12) + (half === 'pm' ? 12 : 0), minute);
}

function team({ messages, questions }) {
  return {
    name: 'team',
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
