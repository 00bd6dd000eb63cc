// The limit: Express with express.json() and one prepared insert a request, with the same SQLite settings. It validates, pairs,
// logs and counts nothing.   node bench/timing/bare.mjs DB_PATH
import { randomUUID } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import express from 'express';

const db = new SqliteDatabase(process.argv[2]);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec(`CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, agent_id TEXT NOT NULL, event_type TEXT NOT NULL,
  task_type TEXT, timestamp_us INTEGER NOT NULL, metadata TEXT, correlation_id TEXT
)`);
const insert = db.prepare('INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());
const record = (eventType) => (req, res) => {
  const id = randomUUID().replaceAll('-', '');
  const { task_type, correlation_id = id } = req.body;
  insert.run(id, 'default', eventType, task_type, Date.now() * 1_000, null, correlation_id);
  res.json({ event: { id, event_type: eventType, task_type, correlation_id }, correlation_id });
};
app.post('/events/task-start', record('task_start'));
app.post('/events/task-end', record('task_end'));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`bare listening on http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
