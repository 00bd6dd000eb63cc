import { readConfig } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../src/config.ts';

const read = (env: Record<string, string>, ...argv: string[]) =>
  readConfig({ prefix: CONFIG_PREFIX, fields: CONFIG_FIELDS, env, argv });

describe('the configuration', () => {
  test('has the documented defaults', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      port: 7832,
      dataDir: null,
      autoSaveSeconds: null,
      agentId: 'default',
      logLevel: 'info',
      bodyLimitBytes: 1_048_576,
    });
  });

  test('accepts the flags of the start script', () => {
    expect(read({}, '--data-dir', 'data/memory', '--auto-save', '300')).toMatchObject({
      dataDir: 'data/memory',
      autoSaveSeconds: 300,
    });
  });

  test('refuses an unknown MEMORY_ variable', () => {
    expect(() => read({ MEMORY_PROT: '1' })).toThrow('MEMORY_PROT is not a known variable');
  });
});
