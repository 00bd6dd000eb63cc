import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { faultyServer, problem } from '../../client/test/faulty-server.ts';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import type { Edge } from '../src/command.ts';
import { run as runAnywhere } from './run-cli.ts';

let services: LiveServices;
let env: Record<string, string>;

beforeAll(async () => {
  services = await startLiveServices();
  env = { MEMORY_URL: services.memoryUrl, TIMING_URL: services.timingUrl, AGENT_ID: 'ann' };
});
afterAll(() => services.close());

const run = (more: Record<string, string> = {}, world: Partial<Edge> = {}, ...argv: string[]) =>
  runAnywhere(['doctor', ...argv], { env: { ...env, ...more }, version: '0.0.1', ...world });

describe('doctor', () => {
  test('says what is well, and what could be better', async () => {
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {5}settings {2}asks as ann$/m);
    expect(out).toMatch(/^ok {5}memory {4}version 0\.0\.0-test, up /m);
    expect(out).toMatch(/^ok {5}memory {4}embedding by agent-memory-static/m);
    expect(out).toMatch(/^warn {3}memory {4}finds contradictions by rules alone\n {17}\S/m);
    expect(out).toMatch(/^warn {3}memory {4}no nightly run is scheduled$/m);
    expect(out).toMatch(/^ok {5}timing {4}keeps its data in \/.*timing\.db$/m);
    expect(out).not.toContain('FAULT');
  });

  test('takes a space that has no memory yet for new', async () => {
    const { out } = await run({ AGENT_FACULTIES_SPACE: 'team-new' });
    expect(out).toMatch(/^ok {5}memory {4}nothing is stored in this space yet$/m);
    expect(out).not.toMatch(/keeps nothing on disk: .*\n {17}Start it with --data-dir|no nightly run/);
    const { out: status } = await runAnywhere(['status', '--space', 'team-new'], { env });
    expect(status).toMatch(/^memory .*; 0 memories; .*; nothing is stored in this space yet$/m);
  });

  test('says which hook of a host has called last, and which were refused', async () => {
    expect((await run()).out).toMatch(/^ok {5}memory {4}no hook of a host has called since it started$/m);
    const call = (host: string, body: object) =>
      fetch(`${services.memoryUrl}/hooks/${host}`, {
        method: 'POST',
        // As hooks do, it calls in the name of its host.
        headers: { 'Content-Type': 'application/json', 'X-Agent-ID': 'claude-code' },
        body: JSON.stringify(body),
      });
    await call('claude-code', { hook_event_name: 'SessionStart', session_id: 's', source: 'startup', cwd: '/x' });
    expect((await run()).out).toMatch(
      /^ok {5}memory {4}the last hook: claude-code session_started \(\w+\) at \S+Z; the slowest of 1 took \d+ ms$/m,
    );
  });

  test('gives the same as JSON', async () => {
    const { well, findings } = JSON.parse((await run({}, {}, '--json')).out);
    expect(well).toBe(true);
    expect(findings).toContainEqual({ about: 'settings', level: 'ok', finding: 'asks as ann', advice: null });
  });

  test.each<[string, Record<string, string>, Partial<Edge>, RegExp]>([
    ['an agent that is not named', { AGENT_ID: '' }, {}, /^warn .*default of the services\n +Set AGENT_ID/m],
    ['another version', {}, { version: '3.0.0' }, /^warn .*this program has version 3\.0\.0$/m],
    [
      'a clock that is off',
      {},
      { clock: { now: () => Date.UTC(2026, 10, 21, 10) } },
      /^warn .*its clock is 30 min behind this one$/m,
    ],
    [
      'a key in clear text',
      { MEMORY_URL: 'http://central.test:1', AGENT_FACULTIES_KEY: 'k' },
      {},
      /^warn .*key goes over the network in clear text$/m,
    ],
  ])('warns of %s', async (_, more, world, words) => {
    expect((await run(more, world)).out).toMatch(words);
  });

  test('says which service is away, and that addresses are exchanged or the same', async () => {
    const away = await run({ TIMING_URL: 'http://127.0.0.1:65535' });
    expect([away.code, away.out]).toEqual([
      1,
      expect.stringMatching(
        /^FAULT {2}timing .*cannot be reached.*\n +Start it with agent-faculties start, in a clone npm start, or set TIMING_URL\.$/m,
      ),
    ]);
    const exchanged = await run({ MEMORY_URL: services.timingUrl, TIMING_URL: services.memoryUrl });
    expect(
      exchanged.out.match(/^FAULT .*another service answers there\n +MEMORY_URL and TIMING_URL may be exchanged\.$/gm),
    ).toHaveLength(2);
    expect((await run({ TIMING_URL: services.memoryUrl })).out).toMatch(
      /^FAULT {2}settings {2}both services have the address/m,
    );
  });

  test('says that nothing can be written in all projects', async () => {
    const { code, out } = await run({ AGENT_FACULTIES_PROJECT: '*' });
    expect(code).toBe(0);
    expect(out).toMatch(/^warn {3}settings {2}the project is '\*', .*\n {17}Name one project/m);
    expect((await run({ AGENT_FACULTIES_PROJECT: 'web-shop' })).out).not.toContain('the project is');
  });

  test('says what an answer means that is none of a service', async () => {
    const server = await faultyServer();
    const asked = async (more: Record<string, string> = {}) => (await run({ MEMORY_URL: server.url, ...more })).out;
    server.will({ body: '<html>' });
    expect(await asked()).toMatch(
      /^FAULT {2}memory .*not as the service does.*\n +Something else listens there: set MEMORY_URL\.$/m,
    );
    server.will(problem(401, 'missing_identity'));
    expect(await asked()).toContain('Set AGENT_FACULTIES_KEY');
    expect(await asked({ AGENT_FACULTIES_KEY: 'k' })).toContain('The key is not valid');
    server.will(problem(421, 'misdirected_request'));
    expect(await asked()).toContain('--allowed-hosts');
    await server.close();
  });
});
