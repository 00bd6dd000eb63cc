// The processes that measure; each does one thing at a time.
import { startWorker } from '../lib/worker.mjs';

const start = (script) => startWorker(new URL(script, import.meta.url));

export function startWorkers() {
  const client = start('client.mjs');
  return {
    /** Loads a server; see client.mjs. @throws when a request failed */
    load: client.load,
    /** Starts a separate process for one request; its memory is free again afterwards. */
    once: async (script, job) => {
      const worker = start(script);
      const answer = await worker.ask(job);
      worker.end();
      return answer;
    },
    end: client.end,
  };
}
