// biome-ignore-all lint/suspicious/noTemplateCurlyInString: some texts are shell commands and templates.
// Texts such as engineers and agents write, without any secret. The same seed gives the same texts.
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';

const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NAMES = ['billing', 'ledger', 'gateway', 'search', 'inbox', 'planner', 'auth-service', 'importer'];
const PEOPLE = ['Dana', 'Ann', 'Bob', 'Wei', 'Amara', 'Jonas'];
const PACKAGES = [
  'express',
  'js-tokens',
  '@inquirer/password',
  'jsonwebtoken',
  'left-pad',
  'csrf-tokens',
  'keytar',
  'secret-stack',
];

/** Kinds of texts; each is made with random values of `draw`. */
const KINDS = {
  commit: (d) =>
    `commit ${d.hex(40)}\nAuthor: ${d.of(PEOPLE)} <dev@example.com>\n\n    Fix the token refresh of ${d.of(NAMES)} (#${d.number(9_000)})`,
  'short commits': (d) => `Reverted ${d.hex(7)} and ${d.hex(12)}; ${d.hex(40)} has the password reset.`,
  uuid: (d) =>
    `Request ${d.uuid()} of session ${d.uuid()} ended after ${d.number(900)} ms with the token of ${d.of(PEOPLE)} refreshed.`,
  image: (d) => `![chart](data:image/png;base64,iVBORw0KGgo${d.base64(600)}==)`,
  'lock file': (d) =>
    `  /${d.of(PACKAGES)}@${d.version()}:\n    resolution: {integrity: sha512-${d.base64(86)}==}\n    engines: {node: '>=${d.number(20)}'}`,
  'package.json': (d) =>
    `{"dependencies": {"${d.of(PACKAGES)}": "^${d.version()}", "${d.of(PACKAGES)}": "~${d.version()}"}}`,
  'go.sum': (d) =>
    `github.com/golang-jwt/jwt/v5 v${d.version()} h1:${d.base64(43)}=\ngithub.com/zalando/go-keyring v${d.version()}/go.mod h1:${d.base64(43)}=`,
  digest: (d) =>
    `Pulled ${d.of(NAMES)}@sha256:${d.hex(64)} and checked the digest of the secret store image sha256:${d.hex(64)}.`,
  stack: (d) =>
    `TypeError: Cannot read properties of undefined (reading 'token')\n    at verifyToken (/srv/apps/${d.of(NAMES)}/src/auth/token.ts:${d.number(400)}:${d.number(60)})\n    at async login (/srv/apps/src/login.ts:${d.number(400)}:${d.number(60)})`,
  log: (d) =>
    `2026-11-${10 + d.number(18)}T0${d.number(9)}:12:45.123Z INFO ${d.of(NAMES)} request_id=${d.hex(32)} status=200 duration_ms=${d.number(900)} token_count=${d.number(90_000)} key_id=k-${d.hex(8)}`,
  trace: (d) => `traceparent: 00-${d.hex(32)}-${d.hex(16)}-01\nx-request-id: ${d.uuid()}\netag: "${d.hex(27)}"`,
  sql: (d) =>
    `SELECT id, password_hash, reset_token FROM users WHERE email = $1 AND token_expires_at > now() LIMIT ${d.number(50)};\nALTER TABLE sessions ADD COLUMN refresh_token TEXT NOT NULL;`,
  'python code': (d) =>
    `password = os.environ["DB_PASSWORD"]\nclient = connect(host="${d.of(NAMES)}", password=password, api_key=settings.api_key)\ndef check(token: str, secret: bytes = b"") -> bool:`,
  'typescript code': (d) =>
    `const token: string = await getToken(user${d.number(9)});\nif (!password || password !== confirmPassword) throw new Error('Password mismatch');\nexport interface Login { password: string; apiKey?: string; secret: Buffer }`,
  'java code': () =>
    `private String password;\npublic void setPassword(String password) { this.password = password; }\n@Value("\${db.password}") private String secret;`,
  'shell code': (d) =>
    `export API_TOKEN="$(vault read -field=token secret/${d.of(NAMES)})"\ncurl -H "Authorization: Bearer $API_TOKEN" https://api.example.com/v1/${d.of(NAMES)}\npsql "postgres://$USER:$PASSWORD@localhost/app"`,
  'compose file': (d) =>
    `services:\n  ${d.of(NAMES)}:\n    environment:\n      DB_PASSWORD: \${DB_PASSWORD:?set it}\n      API_KEY_FILE: /run/secrets/api_key\n    secrets: [db_password, api_key]`,
  kubernetes: (d) =>
    `env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: ${d.of(NAMES)}-credentials-v${d.number(9)}\n        key: password\nsecretName: ${d.of(NAMES)}-tls`,
  workflow: (d) =>
    `- run: deploy --env ${d.of(NAMES)}\n  env:\n    GITHUB_TOKEN: \${{ secrets.GITHUB_TOKEN }}\n    NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n  with: { token: "\${{ github.token }}" }`,
  'config docs': (d) =>
    `| \`password\` | string | required | At least ${d.number(20)} characters |\n| \`token_ttl\` | duration | ${d.number(60)}m | Time until a token expires |\n| \`api_key\` | string | none | Key of the ${d.of(NAMES)} API, see https://docs.example.com/keys |`,
  'env example': () =>
    'DB_PASSWORD=\nAPI_KEY=<your-api-key>\nSECRET_KEY=changeme\nJWT_SECRET=${JWT_SECRET}\nTOKEN_TTL=3600\nPASSWORD_MIN_LENGTH=12',
  prose: (d) =>
    d.of([
      `${d.of(PEOPLE)} says the password is too short; it must have ${d.number(20)} characters at least.`,
      `The token is expired, so ${d.of(NAMES)} answers 401 until it is refreshed.`,
      `We rotate the API key of ${d.of(NAMES)} every ${d.number(90)} days; the secret is stored in Vault.`,
      `Passwords are hashed with argon2id, tokens are signed with HS256, and keys are 256 bits long.`,
      `The password is SHA-256 hashed and base64-encoded before it is sent to ${d.of(NAMES)}.`,
      `Basic authentication is off; use bearer tokens, and set the cookie with SameSite=Lax.`,
      `Das Passwort ist falsch, und der Token ist seit ${d.number(90)} Minuten abgelaufen.`,
      `The access key is in the key store of ${d.of(NAMES)}; ask ${d.of(PEOPLE)} for the secret.`,
      `Model used ${d.number(9_000)} prompt tokens and ${d.number(900)} completion tokens, max_tokens=${d.number(9_000)}.`,
      `Whether the secret is rotated or the token is revoked, the session key is derived again from PBKDF2 with ${d.number(600_000)} rounds.`,
    ]),
  'tool call': (d) =>
    `{"id":"toolu_01${d.alnum(22)}","name":"read_file","input":{"path":"/srv/${d.of(NAMES)}/token.ts"},"usage":{"input_tokens":${d.number(9_000)},"output_tokens":${d.number(900)}}}`,
  'api answer': (d) =>
    `{"object":"list","id":"chatcmpl-${d.alnum(29)}","request_id":"req_${d.alnum(24)}","next_page_token":"${d.alnum(40)}","has_more":true}`,
  html: (d) =>
    `<form action="/login"><input type="password" name="password" id="pw${d.number(9)}" autocomplete="current-password"><input type="hidden" name="csrf_token" value="{{ csrf_token }}"></form>`,
  diff: (d) =>
    `diff --git a/src/token.ts b/src/token.ts\nindex ${d.hex(7)}..${d.hex(7)} 100644\n--- a/src/token.ts\n+++ b/src/token.ts\n@@ -${d.number(90)},7 +${d.number(90)},9 @@\n-  const secret = config.secret;\n+  const secret = await secrets.get('${d.of(NAMES)}');`,
  certificate: (d) =>
    `-----BEGIN CERTIFICATE-----\n${d.base64(64)}\n${d.base64(64)}\n-----END CERTIFICATE-----\nSHA256 Fingerprint=${d.hex(40).toUpperCase()}`,
  'public key': (d) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.base64(43)} ${d.of(PEOPLE).toLowerCase()}@laptop`,
  translation: () =>
    '{"password": "Password", "passwordRequired": "The password is required", "token.expired": "Your token has expired", "secret": "Secret question"}',
  url: (d) =>
    `See https://github.com/acme/${d.of(NAMES)}/commit/${d.hex(40)} and https://docs.example.com/auth/token?version=${d.version()}#secret-rotation.`,
  test: (d) =>
    `it('rejects a token of ${d.number(99)} bytes', () => {\n  expect(() => verify(token, { secret })).toThrow(/invalid token/);\n  expect(user.password).toBeUndefined();\n});`,
};

/** @returns `count` texts, the same number of each kind */
export function ordinaryTexts({ seed, count }) {
  const random = seededRandom(seed);
  const kinds = Object.entries(KINDS);
  const number = (below) => 1 + Math.floor(random() * below);
  const drawn = (letters, length) =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  const draw = {
    number,
    of: (list) => list[Math.floor(random() * list.length)],
    hex: (length) => drawn(HEX, length),
    base64: (length) => drawn(BASE64, length),
    alnum: (length) => drawn(BASE64.slice(0, 62), length),
    uuid: () => [8, 4, 4, 4, 12].map((length) => drawn(HEX, length)).join('-'),
    version: () => `${number(9)}.${number(20)}.${number(40)}`,
  };
  return Array.from({ length: count }, (_, index) => {
    const [kind, text] = kinds[index % kinds.length];
    return { kind, text: text(draw) };
  });
}
