import { readConfig } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../src/config.ts';

const read = (env: Record<string, string>, ...argv: string[]) =>
  readConfig({ prefix: CONFIG_PREFIX, fields: CONFIG_FIELDS, env, argv });

describe('the configuration', () => {
  test('has the documented defaults', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      allowedHosts: null,
      port: 7832,
      dataDir: null,
      autoSaveSeconds: null,
      agentId: 'default',
      otlpEndpoint: null,
      otlpHeaders: null,
      embeddingModel: 'accurate',
      modelDir: null,
      offline: false,
      trustIdentityHeader: false,
      maxMemories: 1_000_000,
      vectorsInDatabaseAbove: 2_000_000,
      maxSpaces: 100,
      openSpaces: 32,
      memoryLimitBytes: null,
      consolidateCron: '0 3 * * *',
      consolidateTimezone: null,
      hookScope: 'TEAM',
      historyDays: 30,
      contradictionModel: 'bundled',
      nliModel: null,
      store: null,
      webhooks: null,
      webhooksAllowPrivate: false,
      repair: false,
      redact: 'mask',
      logLevel: 'info',
      stopDelaySeconds: 0,
      bodyLimitBytes: 1_048_576,
    });
  });

  test('accepts the flags of the start script', () => {
    expect(read({}, '--data-dir', 'data/memory', '--auto-save', '300')).toMatchObject({
      dataDir: 'data/memory',
      autoSaveSeconds: 300,
    });
  });

  test('takes switches for true, and words for what they say', () => {
    expect(read({}, '--offline', '--repair', '--trust-identity-header', '--embedding-model', 'fast')).toMatchObject({
      offline: true,
      trustIdentityHeader: true,
      repair: true,
      embeddingModel: 'fast',
    });
    expect(read({ MEMORY_OFFLINE: 'true', MEMORY_REPAIR: 'false', MEMORY_MODEL_DIR: 'models' })).toMatchObject({
      offline: true,
      repair: false,
      modelDir: 'models',
    });
  });

  test.each([
    ['--port', '65536'],
    ['--port', 'http'],
    ['--auto-save', '0'],
    ['--auto-save', 'NaN'],
    ['--max-memories', '0'],
    ['--vectors-in-database-above', '-1'],
    ['--max-memories', '1e9'],
    ['--agent-id', '*'],
    ['--agent-id', ' ann'],
    ['--log-level', 'loud'],
    ['--body-limit', '-1'],
    ['--memory-limit', 'much'],
    ['--embedding-model', ''],
  ])('refuses %s %j', (flag, value) => {
    expect(() => read({}, flag, value)).toThrow(flag);
  });

  test('refuses an unknown MEMORY_ variable', () => {
    expect(() => read({ MEMORY_PROT: '1' })).toThrow('MEMORY_PROT is not a known variable');
  });

  test.each(['off', '30 2 * * 1-5'])('takes %s as the time of the nightly run', (value) => {
    expect(read({}, '--consolidate-cron', value)).toMatchObject({ consolidateCron: value });
  });

  test('refuses a time of the nightly run that is none, and a time zone that nobody knows', () => {
    expect(() => read({}, '--consolidate-cron', 'at night')).toThrow(/five fields of cron/);
    expect(() => read({}, '--consolidate-cron', '* * * * * *')).toThrow(/five fields of cron/);
    expect(() => read({}, '--consolidate-cron', '0 3 8-14 * 1#1')).toThrow(/never comes/);
    expect(() => read({}, '--consolidate-timezone', 'Mars/Olympus')).toThrow(/IANA time zone/);
    expect(read({ MEMORY_CONSOLIDATE_TIMEZONE: 'Europe/Berlin' })).toMatchObject({
      consolidateTimezone: 'Europe/Berlin',
      hookScope: 'TEAM',
    });
  });
});
