import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@agent-faculties/service-kit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readWebhooksFile } from '../../src/webhooks/webhooks-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, 'webhooks.json');
// The example of the specification, and a key of 32 times the letter k.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=';

function read(content: unknown, allowPrivate = false) {
  writeFileSync(FILE, typeof content === 'string' ? content : JSON.stringify(content));
  return readWebhooksFile(FILE, { allowPrivate });
}

function faults(content: unknown, allowPrivate = false): readonly string[] {
  try {
    read(content, allowPrivate);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).faults.map((fault) => fault.replace(FILE, 'FILE'));
  }
}

describe('the file of webhooks', () => {
  test('has an address and a secret for each', () => {
    const [webhook, ...others] = read([{ url: 'https://example.com/hooks?key=abc#part', secret: SECRET }]);
    expect(others).toEqual([]);
    expect(webhook).toEqual({
      url: new URL('https://example.com/hooks?key=abc'),
      name: 'example.com',
      keys: [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
      events: ['added', 'edited', 'superseded', 'invalidated', 'deleted', 'contradiction', 'consolidation'],
      project: null,
      space: 'default',
    });
  });

  test('may choose events, a project and a space, and name the secret before', () => {
    const about = { events: ['contradiction'], project: 'web-shop', space: 'team-a', previous_secret: OTHER };
    expect(read([{ url: 'https://example.com', secret: SECRET, ...about }])).toMatchObject([
      {
        events: ['contradiction'],
        project: 'web-shop',
        space: 'team-a',
        keys: [{ length: 24 }, Buffer.alloc(32, 'k')],
      },
    ]);
  });

  test('names webhooks by their hosts, without what else is in the address', () => {
    const urls = ['https://a.example/x', 'https://b.example:8443/x', 'https://a.example/y', 'https://a.example/x'];
    const names = read(urls.map((url) => ({ url, secret: SECRET }))).map(({ name }) => name);
    expect(names).toEqual(['a.example', 'b.example:8443', 'a.example#2', 'a.example#3']);
  });

  test('may be empty', () => expect(read([])).toEqual([]));

  test('lists every fault of every webhook', () => {
    expect(
      faults([
        { url: 'ftp://example.com', secret: 'hunter2', events: ['added', 'eaten'], project: '*', space: 'Team A' },
        { url: 'https://example.com', secret: SECRET },
        { uri: 'https://example.com', secret: SECRET, previous_secret: 'whsec_c2hvcnQ=' },
        'https://example.com',
      ]),
    ).toEqual([
      'FILE, webhook 1: url must be an address such as https://example.com/hooks.',
      'FILE, webhook 1: secret must be whsec_ and the base64 of 24 to 64 bytes: echo "whsec_$(openssl rand -base64 32)" makes one.',
      'FILE, webhook 1: events must be a list of some of added, edited, superseded, invalidated, deleted, contradiction, consolidation; without it all are sent.',
      'FILE, webhook 1: project must be the name of one, such as "web-shop"; without it events of all projects are sent.',
      'FILE, webhook 1: space must be the name of one, such as "team-a"; without it events of the default one are sent.',
      'FILE, webhook 3: has unknown fields (uri): it may have url, secret, previous_secret, events, project, space.',
      'FILE, webhook 3: url must be an address such as https://example.com/hooks.',
      'FILE, webhook 3: previous_secret must be whsec_ and the base64 of 24 to 64 bytes: echo "whsec_$(openssl rand -base64 32)" makes one.',
      'FILE, webhook 4: must be an object with url and secret.',
    ]);
  });

  test.each([
    ['https://127.0.0.1/x', 'url leads to a private address (127.0.0.1)'],
    ['https://[::1]/x', 'url leads to a private address ([::1])'],
    ['https://localhost:8443/x', 'url leads to a private address (localhost)'],
    ['http://example.com/x', 'url must begin with https://'],
    ['https://ann:moss@example.com/x', 'url must have no user name and no password'],
    [7, 'url must be an address'],
  ])('refuses %s', (url, fault) => {
    const [said, ...others] = faults([{ url, secret: SECRET }]);
    expect(others).toEqual([]);
    expect(said).toContain(`webhook 1: ${fault}`);
  });

  test('may name private addresses and plain HTTP where that is allowed', () => {
    const urls = ['http://127.0.0.1:9000/x', 'https://localhost/x', 'http://[fd00::7]/x'];
    expect(
      faults(
        urls.map((url) => ({ url, secret: SECRET })),
        true,
      ),
    ).toEqual([]);
  });

  test.each([
    ['whsec_moss', 'is not JSON'],
    [{ url: 'https://example.com' }, 'must hold a list of webhooks'],
    [Array.from({ length: 21 }, () => ({})), 'lists 21 webhooks: there may be 20'],
  ])('refuses a file that holds %j', (content, fault) => {
    const said = faults(content);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`FILE ${fault}`);
  });

  test('quotes no secret, and nothing of a path', () => {
    const said = [
      ...faults(`[{"url": "https://example.com/hooks/moss", "secret": "${OTHER}" oops`),
      ...faults([{ url: 'http://example.com/hooks/moss?key=fern', secret: `${OTHER}!` }]),
    ].join(' ');
    expect(said).toMatch(/is not JSON.*begin with https:.*secret must be/);
    expect(said).not.toMatch(/moss|fern|a2tra/);
  });

  test('has to be there', () => {
    expect(() => readWebhooksFile(join(folder, 'none.json'), { allowPrivate: false })).toThrow(
      /none\.json cannot be read \(ENOENT\): --webhooks names a file of JSON/,
    );
  });
});
