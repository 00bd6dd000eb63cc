import { parentPort } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import type { CheckpointJob, CheckpointReply } from './checkpoint-thread.ts';
import { readLogIndex, sumLog } from './page-sums.ts';

// The thread that runs checkpoints.

parentPort?.on('message', ({ job, done }: { job: CheckpointJob; done: Int32Array }) => {
  const reply = attempted(job);
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
  parentPort?.postMessage(reply);
});

function attempted(job: CheckpointJob): CheckpointReply {
  try {
    return { summed: checkpoint(job) };
  } catch (error) {
    // Its class would be lost on the way.
    const { name, message, code } = error as Error & { code?: string };
    return { fault: { name, message, code } };
  }
}

/** Moves what is in the log now. The read transaction keeps the checkpoint from moving what comes meanwhile, which has no page sums yet. */
function checkpoint({ path, files, from, mark }: CheckpointJob) {
  // An open connection would keep the service from removing the log at its stop.
  return connected(path, (reader) => {
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    // No log begins anew while somebody reads this one.
    const summed = sumLog(files, from, { mark, upTo: readLogIndex(files.index).frames });
    connected(path, (mover) => mover.pragma('wal_checkpoint(PASSIVE)'));
    return summed;
  });
}

function connected<Result>(path: string, work: (client: SqliteDatabase.Database) => Result): Result {
  const client = new SqliteDatabase(path, { fileMustExist: true });
  try {
    return work(client);
  } finally {
    client.close();
  }
}
