// The limit for requests: Express with express.json() and an answer as large as that of the service. It stores nothing.
import { randomUUID } from 'node:crypto';
import express from 'express';

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());
app.post('/ingest', (req, res) => {
  const { content, session_id } = req.body;
  const now = new Date().toISOString();
  const memory = {
    id: randomUUID(),
    gist: content,
    content,
    tags: [],
    importance: 0.5,
    agent_id: 'default',
    session_id,
    scope: 'TEAM',
    kind: 'episodic',
    role: 'user',
    name: null,
    entities: [],
    created_at: now,
    updated_at: now,
    last_recalled_at: null,
    recall_count: 0,
    strength: 1,
    sources: [],
    consolidated_into: null,
    superseded_by: null,
    metadata: {},
  };
  res.json({ memory, duplicate: false });
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`bare listening on http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
