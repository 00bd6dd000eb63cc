import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../src/config.ts';

const read = (env: Record<string, string>, ...argv: string[]) =>
  readConfig({ prefix: CONFIG_PREFIX, fields: CONFIG_FIELDS, env, argv });

function faultsOf(env: Record<string, string>, ...argv: string[]): readonly string[] {
  try {
    read(env, ...argv);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  test('has the documented defaults', () => {
    expect(read({})).toEqual({
      dbPath: 'timing.db',
      openSpaces: 32,
      maxSpaces: 100,
      store: null,
      agentId: 'default',
      otlpEndpoint: null,
      otlpHeaders: null,
      port: 8080,
      host: '127.0.0.1',
      allowedHosts: null,
      redact: 'mask',
      logLevel: 'info',
      retentionDays: null,
      abandonAfterSeconds: 86_400,
      bodyLimitBytes: 262_144,
      synchronous: 'normal',
      trustIdentityHeader: false,
      stopDelaySeconds: 0,
    });
  });

  test('is read from the environment', () => {
    const env = {
      TIMING_DB_PATH: '~/times.db',
      TIMING_AGENT_ID: 'ann-editor',
      TIMING_PORT: '0',
      TIMING_HOST: '0.0.0.0',
      TIMING_ALLOWED_HOSTS: 'box.local, 192.168.1.7',
      TIMING_LOG_LEVEL: 'debug',
      TIMING_RETENTION_DAYS: '0.5',
      TIMING_ABANDON_AFTER_SECONDS: '60',
      TIMING_BODY_LIMIT: '1MiB',
      TIMING_SYNCHRONOUS: 'full',
      TIMING_TRUST_IDENTITY_HEADER: 'true',
      TIMING_STOP_DELAY: '7.5',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc',
      UNRELATED: 'x',
    };
    expect(read(env)).toEqual({
      dbPath: join(homedir(), 'times.db'),
      openSpaces: 32,
      maxSpaces: 100,
      store: null,
      agentId: 'ann-editor',
      port: 0,
      host: '0.0.0.0',
      allowedHosts: ['box.local', '192.168.1.7'],
      redact: 'mask',
      logLevel: 'debug',
      retentionDays: 0.5,
      abandonAfterSeconds: 60,
      bodyLimitBytes: 1_048_576,
      synchronous: 'full',
      trustIdentityHeader: true,
      stopDelaySeconds: 7.5,
      otlpEndpoint: 'http://127.0.0.1:4318',
      otlpHeaders: { 'api-key': 'abc' },
    });
  });

  test('prefers a flag to the environment', () => {
    const flags = ['--db-path', ':memory:', '--agent-id=bob', '--port', '9000'];
    expect(read({ TIMING_PORT: '1', TIMING_AGENT_ID: 'ann' }, ...flags)).toMatchObject({
      dbPath: ':memory:',
      agentId: 'bob',
      port: 9000,
    });
  });

  test('takes an empty variable for an absent one', () => {
    expect(read({ TIMING_PORT: '' }).port).toBe(8080);
  });

  test('names every fault at once', () => {
    const faults = faultsOf(
      {
        TIMING_AGENT_ID: '*',
        TIMING_ALLOWED_HOSTS: 'http://box.local',
        TIMING_PORT: '65536',
        TIMING_LOG_LEVEL: 'loud',
        TIMING_RETENTION_DAYS: 'never',
        TIMING_ABANDON_AFTER_SECONDS: '0',
        TIMING_BODY_LIMIT: 'lots',
        TIMING_SYNCHRONOUS: 'off',
        TIMING_PROT: '1',
      },
      '--colour',
    );
    const named = [
      '--colour',
      'TIMING_ABANDON_AFTER_SECONDS',
      'TIMING_AGENT_ID',
      'TIMING_ALLOWED_HOSTS',
      'TIMING_BODY_LIMIT',
      'TIMING_LOG_LEVEL',
      'TIMING_PORT',
      'TIMING_PROT',
      'TIMING_RETENTION_DAYS',
      'TIMING_SYNCHRONOUS',
    ];
    const places = faults.map((fault) => /^(--colour|TIMING_[A-Z_]+)/.exec(fault)?.[0] ?? fault);
    expect(places.sort()).toEqual(named);
  });

  test.each(['NaN', 'Infinity', '1e999', '-1', '8080.5', '0x10', ' 80', '８０'])('refuses the port %j', (port) => {
    expect(faultsOf({ TIMING_PORT: port })).toEqual([
      `TIMING_PORT=${JSON.stringify(port)} must be a whole number from 0 to 65535.`,
    ]);
  });
});
