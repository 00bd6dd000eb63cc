// The processes that measure; each does one thing at a time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export function startWorkers() {
  const client = start('client.mjs');
  return {
    /** Loads a server; see client.mjs. @throws when a request failed */
    load: async (job) => {
      const answer = await client.ask(job);
      if (answer.faults > 0) throw new Error(`${answer.faults} requests failed: ${JSON.stringify(job)}`);
      return answer;
    },
    /** Starts a separate process for one request; its memory is free again afterwards. */
    once: async (script, job) => {
      const worker = start(script);
      const answer = await worker.ask(job);
      worker.end();
      return answer;
    },
    end: () => client.end(),
  };
}

function start(script) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended (${code})`);
  });
  ended.catch(() => {});
  return {
    ask: async (job) => {
      child.send(job);
      const [answer] = await Promise.race([once(child, 'message'), ended]);
      return answer;
    },
    end: () => child.disconnect(),
  };
}
