// Where a text can enter each service. Each takes a client, a text with a secret in it, and a number that tells places apart.

const json = (value) => JSON.stringify(value);
/** Names are short, and hold no line break. */
export const fitsName = (text) => text.length <= 90 && !/[\n<]/.test(text);
const id = (number) => number.toString(16).padStart(32, '0');
const said = (text, number) => `Note ${number}: ${text} for the deployment of Friday.`;

export const MEMORY_PLACES = {
  content: (client, text, n) => client.post('/ingest', { content: said(text, n) }),
  'content of PRIVATE': (client, text, n) => client.post('/ingest', { content: said(text, n), scope: 'PRIVATE' }),
  metadata: (client, text, n) => client.post('/ingest', { content: `Plain ${n}`, metadata: { deep: [{ env: text }] } }),
  'name of metadata': (client, text, n) => client.post('/ingest', { content: `Named ${n}`, metadata: { [text]: n } }),
  tag: (client, text, n) => client.post('/ingest', { content: `Tagged ${n}`, tags: [text] }),
  name: (client, text, n) => client.post('/ingest', { content: `Spoken ${n}`, name: text }),
  session: (client, text, n) => client.post('/ingest', { content: `In session ${n}`, session_id: text }),
  'agent id': (client, text, n) => client.post('/ingest', { content: `By agent ${n}`, agent_id: text }),
  'idempotency key': (client, text, n) => client.post('/ingest', { content: `Once ${n}`, idempotency_key: text }),
  gist: async (client, text, n) => {
    const { body } = await client.post('/ingest', { content: `To be edited ${n}` });
    return client.put(`/memory/${body.memory.id}`, { gist: said(text, n), tags: ['edited'] });
  },
  merge: (client, text, n) =>
    client.post(
      '/merge',
      `${json({
        id: id(n + 1_000_000),
        content: said(text, n),
        gist: said(text, n),
        entities: [{ name: text.slice(0, 200), type: 'identifier' }],
        created_at: '2026-01-02T03:04:05Z',
        metadata: { note: text },
      })}\n`,
    ),
  'merge as JSON': (client, text, n) =>
    client.post('/merge', {
      memories: [{ id: id(n + 2_000_000), content: said(text, n), created_at: '2026-01-02T03:04:05Z' }],
    }),
  'ingest and recall': (client, text, n) => client.post('/ingest_and_recall', { content: said(text, n) }),
  recall: (client, text, n) => client.post('/recall', { query: said(text, n) }),
  'query of a list': (client, text) => client.get(`/memories?q=${encodeURIComponent(text)}`),
  'unknown parameter': (client, text) => client.get(`/memories?access_token=${encodeURIComponent(text)}`),
  path: (client, text) => client.get(`/memory/${encodeURIComponent(text)}`),
  'unknown path': (client, text) => client.get(`/nothing/${encodeURIComponent(text)}`),
  'unknown field': (client, text, n) => client.post('/ingest', { content: `Odd ${n}`, [text]: text }),
  'wrong value': (client, text, n) => client.post('/ingest', { content: `Odd ${n}`, role: text, importance: text }),
  'no JSON': (client, text) => client.post('/merge', `{"content": "${text}\n`),
};

const NOW = '2026-01-02T03:04:05Z';

export const TIMING_PLACES = {
  'task type': async (client, text) => {
    const started = await client.post('/events/task-start', { task_type: text });
    const ended = await client.post('/events/task-end', { task_type: text });
    // Masked alike at its start and at its end, it is one task.
    if (ended.status !== 200) throw new Error(`The end of a task was answered ${ended.status}: ${ended.text}`);
    return { ...ended, text: started.text + ended.text };
  },
  metadata: (client, text, n) =>
    client.post('/events', { event_type: `deploy ${n}`, metadata: { deep: [{ env: text }] } }),
  'metadata as text': (client, text, n) => client.post('/events', { event_type: `deploy ${n}`, metadata: text }),
  'event type': (client, text) => client.post('/events', { event_type: text }),
  'correlation id': (client, text, n) =>
    client.post('/events/task-start', { task_type: `build ${n}`, correlation_id: text }),
  'agent id': (client, text, n) =>
    client.post(`/events?agent_id=${encodeURIComponent(text)}`, { event_type: `e ${n}` }),
  stopwatch: (client, text) => client.post(`/stopwatch/${encodeURIComponent(text)}/start`),
  import: (client, text, n) =>
    client.post(
      '/import',
      `${json({
        kind: 'event',
        id: `imported-${n}`,
        agent_id: 'importer',
        event_type: 'deploy',
        timestamp: NOW,
        metadata: { env: text },
      })}\n${json({
        kind: 'task',
        correlation_id: `imported-${n}`,
        agent_id: 'importer',
        task_type: fitsName(text) ? text : `type ${n}`,
        state: 'ended',
        outcome: 'ok',
        started_at: NOW,
        ended_at: NOW,
        metadata: text,
      })}\n`,
    ),
  statistics: (client, text) => client.get(`/stats/durations/${encodeURIComponent(text)}`),
  filter: (client, text) => client.get(`/events?task_type=${encodeURIComponent(text)}`),
  'unknown parameter': (client, text) => client.get(`/events?access_token=${encodeURIComponent(text)}`),
  'unknown path': (client, text) => client.get(`/nothing/${encodeURIComponent(text)}`),
  comparison: (client, text) =>
    client.post('/stats/compare-approaches', { approaches: [{ name: 'one', steps: [{ task_type: text }] }] }),
  'unknown field': (client, text) => client.post('/events', { event_type: 'odd', [text]: text }),
};

/** Where only a name fits. */
export const NAME_PLACES = new Set([
  'tag',
  'name',
  'session',
  'agent id',
  'idempotency key',
  'task type',
  'event type',
  'correlation id',
  'stopwatch',
  'statistics',
  'filter',
  'comparison',
  'path',
]);
