import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST_NAMES } from '@agent-faculties/agent-hooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { SAMPLES } from '../../agent-hooks/test/payloads.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import { runHook } from './run-hook.ts';

const AWAY = { memory: 'http://127.0.0.1:9', timing: 'http://127.0.0.1:9' };
const SERVICES = ['memory', 'timing'] as const;
const HOSTS = HOST_NAMES.filter((host) => ['codex', 'gemini', 'copilot-cli'].includes(host));

// Each call starts a node, which takes a second on a busy machine.
jest.setTimeout(240_000);

let services: LiveServices;
let state: string;
beforeAll(async () => {
  services = await startLiveServices();
});
afterAll(() => services.close());
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'hook-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const live = () => ({ memory: services.memoryUrl, timing: services.timingUrl });
const ask = async (url: string) => (await fetch(url)).json() as Promise<Record<string, Record<string, unknown>[]>>;

test.each(HOSTS)('what %s said while both were away is there once, however often it is delivered', async (host) => {
  const samples = SAMPLES.filter((sample) => sample.host === host);
  for (const { event, payload } of samples) await runHook([host, event], payload, { ...AWAY, state });
  const folder = join(state, 'agent-faculties');
  const place = (service: string, url: string) => `hook-spool.${service}-${encodeURIComponent(url)}.`;
  const kept = SERVICES.map((service) => {
    const names = readdirSync(folder).filter((name) => name.startsWith(place(service, AWAY[service])));
    return [service, names.sort().map((name) => readFileSync(join(folder, name), 'utf8'))] as const;
  });
  expect(kept[1]?.[1].join('').trimEnd().split('\n')).toHaveLength(samples.length);
  for (let time = 0; time < 3; time++) {
    // As after a crash between delivering and forgetting; the services are back at another address, since these serve other tests too.
    for (const [service, lines] of kept)
      writeFileSync(join(folder, `${place(service, live()[service])}ndjson`), lines.join(''));
    await runHook([host], {}, { ...live(), state });
  }
  const { memories = [] } = await ask(`${services.memoryUrl}/memories?agent_id=${host}`);
  const { tasks = [] } = await ask(`${services.timingUrl}/tasks?agent_id=${host}`);
  const replies = host === 'copilot-cli' ? [] : ['Done: the deploy window is Tuesday.'];
  expect(memories.map(({ content }) => content).sort()).toEqual([...replies, 'What is the node version?']);
  expect(tasks.map(({ task_type, state: is }) => [task_type, is]).sort()).toEqual([
    ['exchange', 'ended'],
    ['node', 'ended'],
  ]);
});
