// Loaded into a service with --import: SIGWINCH, which other programs ignore, begins a profile of each of its threads, and the next
// one writes them to the folder PROFILE_FOLDER, as PID-THREAD.cpuprofile. PID-THREAD.state says what a thread does: "loaded",
// "profiling", "written". Child processes and worker threads of the service inherit the flag.
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

const SAMPLE_EVERY_US = 500;

const file = join(process.env.PROFILE_FOLDER, `${process.pid}-${threadId}`);
const state = (name) => writeFileSync(`${file}.state`, name);
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });

const orders = {
  start: () => session.post('Profiler.start', () => state('profiling')),
  stop: () =>
    session.post('Profiler.stop', (error, answer) => {
      if (error) throw error;
      writeFileSync(`${file}.cpuprofile`, JSON.stringify(answer.profile));
      state('written');
    }),
};

const channel = new BroadcastChannel('profile');
channel.onmessage = ({ data }) => orders[data]();
channel.unref();
if (isMainThread) {
  let next = 'start';
  process.on('SIGWINCH', () => {
    channel.postMessage(next);
    orders[next]();
    next = next === 'start' ? 'stop' : 'start';
  });
}
// A thread may begin while the others are profiled.
const ofProcess = isMainThread
  ? 'loaded'
  : readFileSync(join(process.env.PROFILE_FOLDER, `${process.pid}-0.state`), 'utf8');
if (ofProcess === 'profiling') orders.start();
else state('loaded');
