import { describe, expect, test } from '@jest/globals';
import {
  InvalidIdentityError,
  isSpaceName,
  parseAgentId,
  parseProject,
  parseSessionId,
  parseSpace,
} from '../src/index.ts';

describe('parseAgentId', () => {
  test.each([
    ['the recommended form', 'claude-editor'],
    ['a blank inside', 'my agent'],
    ['letters beyond ASCII', 'агент-日本'],
    ['the sign for all agents', '*'],
    ['128 characters', 'x'.repeat(128)],
    ['128 characters beyond the basic plane, which are 256 UTF-16 units', '🙂'.repeat(128)],
  ])('accepts %s as it is', (_, value) => {
    expect(parseAgentId(value, 'query agent_id')).toBe(value);
  });

  test.each([
    ['an empty id', '', 'is empty'],
    ['129 characters', 'x'.repeat(129), 'is too long'],
    ['129 characters beyond the basic plane', '🙂'.repeat(129), 'is too long'],
    ['NUL', 'a\u0000b', 'contains control characters'],
    ['a line break', 'a\nb', 'contains control characters'],
    ['a C1 control character', 'a\u0085b', 'contains control characters'],
    ['half of a surrogate pair', 'a\ud83d', 'contains control characters'],
    ['a leading blank', ' a', 'begins or ends with a blank'],
    ['a trailing no-break space', 'a\u00a0', 'begins or ends with a blank'],
  ])('refuses %s', (_, value, fault) => {
    const parse = () => parseAgentId(value, 'header X-Agent-ID');
    expect(parse).toThrow(InvalidIdentityError);
    expect(parse).toThrow(
      `header X-Agent-ID ${fault}: send 1 to 128 characters, no control characters, no blank at either end, such as "claude-editor".`,
    );
  });

  test('says in the error where the id stood', () => {
    try {
      parseSessionId('', 'body session_id');
      throw new Error('not reached');
    } catch (error) {
      expect(error).toMatchObject({ name: 'InvalidIdentityError', field: 'body session_id' });
    }
  });
});

describe('parseProject', () => {
  test('has the rules of agent ids, and an example of its own', () => {
    expect(parseProject('web shop', 'query project')).toBe('web shop');
    expect(parseProject('*', 'query project')).toBe('*');
    expect(() => parseProject('a\nb', 'header X-Project')).toThrow(
      'header X-Project contains control characters: send 1 to 128 characters, no control characters, no blank at either end, such as "web-shop".',
    );
  });
});

describe('parseSpace', () => {
  test.each(['a', '7', 'team-a', 'a--b', 'x'.repeat(63), 'default'])('accepts %j as it is', (name) => {
    expect(isSpaceName(name)).toBe(true);
    expect(parseSpace(name, 'query space')).toBe(name);
  });

  test.each(['', '-a', 'a-', 'A', 'a b', 'a.b', '..', 'a/b', '*', 'é', 'a\n', 'x'.repeat(64)])('refuses %j', (name) => {
    const parse = () => parseSpace(name, 'header X-Space');
    expect(isSpaceName(name)).toBe(false);
    expect(parse).toThrow(InvalidIdentityError);
    expect(parse).toThrow(
      'header X-Space is no name of a space: send 1 to 63 of a-z, 0-9 and -, with no - at either end, such as "team-a".',
    );
  });
});
