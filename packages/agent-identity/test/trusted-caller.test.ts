import { describe, expect, test } from '@jest/globals';
import {
  ForeignAgentError,
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
    expect(read({})).toEqual({ agentId: 'ann', sessionId: null });
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
