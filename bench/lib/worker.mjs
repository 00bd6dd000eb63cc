// A separate process that does one thing at a time, so that its work takes no time from what is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @param {URL} script a module that answers each message with one
 * @returns {{ ask: (job: object) => Promise<any>, load: (job: object) => Promise<any>, end: () => void }}
 * @throws when it ends before it answers
 */
export function startWorker(script) {
  const child = fork(fileURLToPath(script));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${fileURLToPath(script)} ended (${code})`);
  });
  ended.catch(() => {});
  const ask = async (job) => {
    child.send(job);
    const [answer] = await Promise.race([once(child, 'message'), ended]);
    return answer;
  };
  return {
    ask,
    /** As `ask`, for one that loads a server. @throws when a request failed */
    load: async (job) => {
      const answer = await ask(job);
      if (answer.faults > 0) throw new Error(`${answer.faults} requests failed: ${JSON.stringify(job)}`);
      return answer;
    },
    end: () => child.disconnect(),
  };
}
