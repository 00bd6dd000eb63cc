import { describe, expect, test } from '@jest/globals';
import {
  type IdentitySources,
  projectScope,
  readCaller,
  requireOneAgent,
  requireOneProject,
  requireVisibleNames,
} from '../src/index.ts';

const read = (sources: Partial<IdentitySources>) =>
  readCaller({ headers: {}, ...sources }, { defaultAgentId: 'default' });

describe('readCaller', () => {
  test('takes the default agent, no session and no project when nothing is named', () => {
    expect(read({})).toEqual({ agentId: 'default', sessionId: null, project: null, space: 'default' });
  });

  test('prefers the query to the body and the body to the header', () => {
    const query = { agent_id: 'from-query', session_id: 'q', project: 'query-project' };
    const body = { agent_id: 'from-body', session_id: 'b', project: 'body-project' };
    const headers = { 'x-agent-id': 'from-header', 'x-session-id': 'h', 'x-project': 'header-project' };
    expect(read({ query, body, headers })).toEqual({
      agentId: 'from-query',
      sessionId: 'q',
      project: 'query-project',
      space: 'default',
    });
    expect(read({ body, headers })).toEqual({
      agentId: 'from-body',
      sessionId: 'b',
      project: 'body-project',
      space: 'default',
    });
    expect(read({ headers })).toEqual({
      agentId: 'from-header',
      sessionId: 'h',
      project: 'header-project',
      space: 'default',
    });
  });

  test('reads agent, session and project from different places', () => {
    const body = { project: 'p' };
    expect(read({ query: { agent_id: 'a' }, body, headers: { 'x-session-id': 's' } })).toEqual({
      agentId: 'a',
      sessionId: 's',
      project: 'p',
      space: 'default',
    });
  });

  test('takes an empty string for absent', () => {
    expect(read({ query: { agent_id: '' }, headers: { 'x-agent-id': 'a' } }).agentId).toBe('a');
    expect(read({ query: { agent_id: '', session_id: '' } })).toEqual({
      agentId: 'default',
      sessionId: null,
      project: null,
      space: 'default',
    });
    expect(read({ body: { project: null }, query: { project: '' }, headers: { 'x-project': 'p' } }).project).toBe('p');
  });

  test('refuses a blank at either end, also one that HTTP does not leave out of a header', () => {
    for (const sources of [
      { query: { project: ' shop' } },
      { body: { project: 'shop\n' } },
      { headers: { 'x-project': Buffer.from('shop\u2003', 'utf8').toString('latin1') } },
    ]) {
      expect(() => read(sources)).toThrow(/^(?:query|body|header) (?:X-P|p)roject (?:contains|begins or ends)/);
    }
  });

  test.each([['a string'], [['a', 'b']], [null], [42], [Object.create({ agent_id: 'inherited' })]])(
    'finds no agent in a body that is no object with that field: %p',
    (body) => {
      expect(read({ body }).agentId).toBe('default');
    },
  );

  test('returns * as it is', () => {
    expect(read({ query: { agent_id: '*' } }).agentId).toBe('*');
    expect(read({ query: { project: '*' } }).project).toBe('*');
  });

  test('understands UTF-8 in a header, whose bytes arrive as latin1', () => {
    const onTheWire = Buffer.from('агент', 'utf8').toString('latin1');
    expect(read({ headers: { 'x-agent-id': onTheWire } }).agentId).toBe('агент');
  });

  test('keeps latin1 in a header that is no UTF-8', () => {
    expect(read({ headers: { 'x-agent-id': 'caf\u00e9' } }).agentId).toBe('café');
  });

  test('refuses a repeated parameter', () => {
    expect(() => read({ query: { agent_id: ['a', 'b'] } })).toThrow(
      'query agent_id is given more than once: send it once.',
    );
  });

  test('refuses what is not text', () => {
    expect(() => read({ body: { session_id: 7 } })).toThrow('body session_id is not text: send a string.');
    expect(() => read({ body: { project: ['p'] } })).toThrow('body project is given more than once: send it once.');
  });

  test('reads the space from the query or the header, and from no body', () => {
    const headers = { 'x-space': 'team-a' };
    expect(read({ headers }).space).toBe('team-a');
    expect(read({ headers, query: { space: 'team-b' } }).space).toBe('team-b');
    expect(read({ headers, query: { space: '' } }).space).toBe('team-a');
    expect(read({ body: { space: 'team-a' } }).space).toBe('default');
    expect(() => read({ headers, query: { space: '*' } })).toThrow('query space is no name of a space');
  });

  test('refuses an invalid id rather than looking further', () => {
    expect(() => read({ query: { agent_id: 'x'.repeat(129) }, headers: { 'x-agent-id': 'a' } })).toThrow(
      'query agent_id is too long',
    );
  });
});

describe('requireOneAgent', () => {
  test('returns a caller that is one agent', () => {
    const caller = { agentId: 'a', sessionId: null, project: null, space: 'default' };
    expect(requireOneAgent(caller)).toBe(caller);
  });

  test('refuses * and says what to do', () => {
    expect(() => requireOneAgent({ agentId: '*', sessionId: null, project: null, space: 'default' })).toThrow(
      "'*' means all agents and is only understood by operations that read for all of them: name one agent in agent_id or X-Agent-ID.",
    );
  });
});

describe('requireOneProject', () => {
  test.each([['web-shop'], [null]])('returns a caller in the project %j', (project) => {
    const caller = { agentId: 'a', sessionId: null, project, space: 'default' };
    expect(requireOneProject(caller)).toBe(caller);
  });

  test('refuses * and says what to do', () => {
    expect(() => requireOneProject({ agentId: 'a', sessionId: null, project: '*', space: 'default' })).toThrow(
      "'*' means all projects and is only understood by operations that read: name one project in project or X-Project, or none.",
    );
  });
});

describe('requireVisibleNames', () => {
  const caller = { agentId: 'a', sessionId: null, project: null, space: 'default' };
  test.each(['web shop', 'агент-日本', '👩‍💻-agent', '❤️', '🏳️‍🌈', '1️⃣', 'می‌خواهم', 'क्‍ष', '*'])(
    'takes %s as it is',
    (name) => {
      expect(requireVisibleNames({ ...caller, agentId: name, project: name })).toMatchObject({ project: name });
    },
  );

  test.each([
    ['200B', 'sh\u200bop'],
    ['2028', 'sh\u2028op'],
    ['2029', 'sh\u2029op'],
    ['200D', 'sh\u200dop'],
    ['200F', 'shop\u200f'],
    ['202E', '\u202eshop'],
    ['2066', 'a\u2066b'],
    ['00AD', 'sh\u00adop'],
    ['FEFF', '\ufeffshop'],
    ['FE0F', 'a\ufe0f'],
    ['3164', '\u3164'],
    ['E0041', 'a\u{e0041}'],
  ])('refuses U+%s and names it', (code, name) => {
    const message = `contains the invisible character U+${code}: send the name without it.`;
    expect(() => requireVisibleNames({ ...caller, project: name })).toThrow(`project ${message}`);
    expect(() => requireVisibleNames({ ...caller, agentId: name })).toThrow(`agent_id ${message}`);
  });
});

describe('projectScope', () => {
  test.each([
    ['web-shop', 'web-shop'],
    ['*', null],
    [null, null],
  ])('of a caller in %j is %j', (project, scope) => {
    expect(projectScope({ agentId: 'a', sessionId: null, project, space: 'default' })).toBe(scope);
  });
});
