import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ADVICE = 'BUILD_CA_FILE=FILE in docker/.env, or docker build --secret id=ca,src=FILE';
const WRONG_FILE = 'the file that BUILD_CA_FILE names, or the build secret "ca", does not hold it';
/** install.sh adds the certificate of the build to the first; the tests make certificates with the second. */
const canRun = ['/etc/ssl/certs/ca-certificates.crt', '/usr/bin/openssl'].every(existsSync);

let folder: string;
const servers: Server[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-test-'));
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name: string) => join(folder, name);

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}

/** A certificate that signs for others, as a company's proxy has one. */
function makeAuthority(name: string): void {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
  );
}

function makeCertificate(name: string, authority: string): void {
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=registry',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  writeFileSync(path('names'), 'subjectAltName=IP:127.0.0.1\n');
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    `${authority}.crt`,
    '-CAkey',
    `${authority}.key`,
    '-CAcreateserial',
    '-extfile',
    'names',
    '-out',
    `${name}.crt`,
  );
}

/** A registry that has nothing, and shows these certificates; resolves to its address. */
async function startRegistry(key: string, ...chain: string[]): Promise<string> {
  const cert = chain.map((name) => readFileSync(path(`${name}.crt`), 'utf8')).join('');
  const server = createServer({ key: readFileSync(path(`${key}.key`)), cert }, (_, response) => {
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not found"}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** install.sh as a build runs it, but for the folders of npm, which are its own. */
function install(registry: string, ca = '/nonexistent'): Promise<{ code: number | null; said: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    NPM_REGISTRY: registry,
    CA_SECRET: ca,
    npm_config_prefix: path('prefix'),
    npm_config_cache: path('cache'),
    npm_config_fetch_retries: '0',
    npm_config_noproxy: '127.0.0.1',
  };
  return new Promise((resolve) => {
    const child = spawn('sh', ['docker/build/install.sh', 'timing-service'], { cwd: ROOT, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    child.on('close', (code) => resolve({ code, said }));
  });
}

(canRun ? describe : describe.skip)('the installation in an image', () => {
  beforeAll(() => {
    for (const name of ['company', 'other']) makeAuthority(name);
    makeCertificate('registry', 'company');
  });

  test.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', ['registry', 'company']],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['registry']],
  ])('names the setting where npm ends with %s', async (words, chain) => {
    const { code, said } = await install(await startRegistry('registry', ...chain));
    expect(code).toBe(1);
    expect(said).toContain(words);
    expect(said).toContain(ADVICE);
  });

  test('says that the certificate which was given is another one', async () => {
    const { code, said } = await install(await startRegistry('registry', 'registry', 'company'), path('other.crt'));
    expect(code).toBe(1);
    expect(said).toContain('SELF_SIGNED_CERT_IN_CHAIN');
    expect(said).toContain(WRONG_FILE);
    expect(said).not.toContain(ADVICE);
  });

  test('trusts the certificate that was given, and speaks of none where something else fails', async () => {
    const { code, said } = await install(await startRegistry('registry', 'registry', 'company'), path('company.crt'));
    expect(code).toBe(1);
    expect(said).toContain('E404');
    expect(said).not.toContain('BUILD_CA_FILE');
  });
});
