import { describe, expect, test } from '@jest/globals';
import {
  ForeignAgentError,
  ForeignProjectError,
  ForeignSpaceError,
  type IdentitySources,
  InvalidIdentityError,
  MissingIdentityError,
  readTrustedCaller,
  type TrustedOptions,
} from '../src/index.ts';

const NOBODY: TrustedOptions = { mayName: () => false };

const read = (sources: Partial<IdentitySources>, options = NOBODY) =>
  readTrustedCaller({ headers: { 'x-agent-id': 'ann' }, ...sources }, options);

describe('readTrustedCaller', () => {
  test('takes the agent from the header', () => {
    expect(read({})).toEqual({ agentId: 'ann', sessionId: null, project: null, space: 'default' });
  });

  test.each([[{}], [{ 'x-agent-id': '' }]])('refuses a request without the header: %j', (headers) => {
    expect(() => read({ headers, query: { agent_id: 'ann' } })).toThrow(MissingIdentityError);
  });

  test.each<[string, Partial<IdentitySources>]>([
    ['query', { query: { agent_id: 'bob' } }],
    ['body', { body: { agent_id: 'bob' } }],
    ['body', { query: { agent_id: 'ann' }, body: { agent_id: 'bob' } }],
    ['query', { query: { agent_id: '*' } }],
    ['query', { query: { agent_id: 'Ann' } }],
  ])('refuses another agent in the %s: %j', (place, sources) => {
    expect(() => read(sources)).toThrow(new ForeignAgentError(`${place} agent_id`, { agentId: 'ann' }));
  });

  test('takes the same agent, and what is empty, for no claim', () => {
    expect(read({ query: { agent_id: 'ann' }, body: { agent_id: '' } }).agentId).toBe('ann');
    expect(read({ query: { agent_id: '' }, body: { agent_id: null } }).agentId).toBe('ann');
  });

  test('asks whether another agent may be named, with the role of X-Role', () => {
    const asked: unknown[] = [];
    const mayName: TrustedOptions['mayName'] = (named) => {
      asked.push(named);
      return named.role === 'team-admin';
    };
    const headers = { 'x-agent-id': 'ann', 'x-role': 'team-admin' };
    expect(read({ headers, query: { agent_id: '*' } }, { mayName }).agentId).toBe('*');
    expect(() => read({ query: { agent_id: 'bob' } }, { mayName })).toThrow(ForeignAgentError);
    expect(asked).toEqual([
      { agentId: '*', role: 'team-admin' },
      { agentId: 'bob', role: null },
    ]);
  });

  test('refuses all agents as the one who asks', () => {
    expect(() => read({ headers: { 'x-agent-id': '*' } })).toThrow(InvalidIdentityError);
  });

  test('takes the session from wherever it stands: it belongs to the agent', () => {
    expect(read({ body: { session_id: 's' } }).sessionId).toBe('s');
    expect(read({ headers: { 'x-agent-id': 'ann', 'x-session-id': 'h' } }).sessionId).toBe('h');
  });
});

describe('readTrustedCaller, of a key that is for certain projects', () => {
  const readOf = (allowed: string, sources: Partial<IdentitySources> = {}) =>
    read({ ...sources, headers: { 'x-agent-id': 'ann', 'x-allowed-projects': allowed, ...sources.headers } });

  test('a key for no project in particular names any, all or none', () => {
    expect(read({ query: { project: 'shop' } }).project).toBe('shop');
    expect(read({ query: { project: '*' } }).project).toBe('*');
    expect(read({}).project).toBeNull();
  });

  test('is in its only project without naming it', () => {
    expect(readOf('shop').project).toBe('shop');
    expect(readOf('shop', { query: { project: 'shop' }, body: { project: '' } }).project).toBe('shop');
  });

  test.each<[Partial<IdentitySources>]>([
    [{ query: { project: 'blog' } }],
    [{ body: { project: 'blog' } }],
    [{ headers: { 'x-project': 'blog' } }],
    [{ query: { project: 'shop' }, body: { project: 'blog' }, headers: { 'x-project': 'shop' } }],
  ])('names one of its projects: %j', (sources) => {
    expect(['shop', 'blog']).toContain(readOf('shop,blog', sources).project);
  });

  test.each<[string, Partial<IdentitySources>]>([
    ['query', { query: { project: 'other' } }],
    ['body', { body: { project: 'other' } }],
    ['header', { headers: { 'x-project': 'other' } }],
    ['query', { query: { project: '*' } }],
    ['query', { query: { project: 'Shop' } }],
    ['query', { query: { project: 'shop,blog' } }],
    ['body', { query: { project: 'shop' }, body: { project: 'other' } }],
    ['header', { query: { project: 'shop' }, headers: { 'x-project': 'other' } }],
  ])('refuses another project in the %s: %j', (place, sources) => {
    const name = place === 'header' ? 'X-Project' : 'project';
    expect(() => readOf('shop,blog', sources)).toThrow(ForeignProjectError);
    expect(() => readOf('shop,blog', sources)).toThrow(
      `${place} ${name} names another project: your key is for 'shop', 'blog', name one of these.`,
    );
  });

  test('names one where there are several: none would be all', () => {
    expect(() => readOf('shop,blog')).toThrow(
      "header X-Project is missing: your key is for 'shop', 'blog', name one of these.",
    );
  });
});

describe('readTrustedCaller, of a key in a space', () => {
  const inSpace = (space: string, query = {}) =>
    read({ headers: { 'x-agent-id': 'ann', 'x-space': space }, query }).space;

  test('is in it, whether or not the query says so', () => {
    expect(inSpace('team-a')).toBe('team-a');
    expect(inSpace('team-a', { space: 'team-a' })).toBe('team-a');
    expect(inSpace('team-a', { space: '' })).toBe('team-a');
  });

  test.each([
    ['team-a', 'team-b'],
    ['team-a', 'default'],
    ['', 'team-b'],
  ])('of %j is in no other: %j', (own, space) => {
    expect(() => inSpace(own, { space })).toThrow(new ForeignSpaceError('query space', { space: own || 'default' }));
  });

  test('refuses a name that is none', () => {
    expect(() => inSpace('Team')).toThrow(InvalidIdentityError);
    expect(() => inSpace('team-a', { space: '*' })).toThrow(InvalidIdentityError);
  });
});
