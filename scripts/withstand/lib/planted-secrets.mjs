// Made-up secrets: of each form that a provider describes, and of passwords as people and files write them.
import fc from 'fast-check';
import { PROVIDER_RULES } from '../../../packages/redaction/dist/index.js';
import { seededRandom } from '../../lib/seeded-random.mjs';

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '23456789';
const BASE64 = `${LETTERS}${DIGITS}+/`;
const LINE_CHARACTERS = 64;

const WRITTEN = [
  (secret) => `DB_PASSWORD=${secret}`,
  (secret) => `export STRIPE_SECRET_KEY="${secret}"`,
  (secret) => `password: ${secret}`,
  (secret) => `{"user": "dana", "password": "${secret}"}`,
  (secret) => `const apiKey = '${secret}';`,
  (secret) => `The password is ${secret}.`,
  (secret) => `the password for staging is ${secret}, please use it`,
  (secret) => `use ${secret} as the password`,
  (secret) => `postgres://app:${secret}@db.internal:5432/app`,
  (secret) => `redis://:${secret}@cache:6379/0`,
  (secret) => `curl -u admin:${secret} https://example.com/`,
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `X-Api-Key: ${secret}`,
  (secret) => `Set-Cookie: sid=${secret}; Path=/; HttpOnly`,
  (secret) => `Server=db;User Id=sa;Password=${secret};Encrypt=true`,
  (secret) => `psql --password ${secret} -h db`,
  (secret) => `<password>${secret}</password>`,
  (secret) => `https://example.com/cb?state=x&access_token=${secret}`,
  (secret) => `<private>${secret}</private> and the rest`,
];

/**
 * @returns each as it is written (`text`) and as it must not be found anywhere (`cores`, every one of them)
 */
export function plantedSecrets({ seed, count }) {
  const random = seededRandom(seed);
  const drawn = (letters, length) =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  const password = () => {
    // Letters and digits by turns, so that no part of it is a word by chance.
    const pairs = Array.from({ length: 10 }, () => drawn(LETTERS, 1) + drawn(DIGITS, 1));
    return pairs.join('');
  };
  const perRule = Math.ceil(count / 2 / PROVIDER_RULES.length);
  const ofProviders = PROVIDER_RULES.flatMap(({ pattern, keepsLiteral, literals }) => {
    const whole = new RegExp(`^${pattern.source.replace(/\(\?!.*\)$/, '')}$`);
    return (
      fc
        .sample(fc.stringMatching(whole), { seed, numRuns: perRule * 4 })
        // Drawn to be small as well: such as one letter many times.
        .filter((secret) => new Set(secret).size >= 8)
        .slice(0, perRule)
        .map((secret) => ({ text: `${keepsLiteral ? literals[0] : ''}${secret}`, cores: [secret] }))
    );
  });
  const ofPeople = Array.from({ length: Math.ceil(count / 2) }, (_, index) => {
    if (index % 20 === 19) return privateKey(drawn);
    const secret = password();
    return { text: WRITTEN[index % WRITTEN.length](secret), cores: [secret] };
  });
  return [...ofProviders, ...ofPeople];
}

/** PEM, half of them cut off before the end. */
function privateKey(drawn) {
  const lines = Array.from({ length: 6 }, () => drawn(BASE64, LINE_CHARACTERS));
  const isCut = drawn('01', 1) === '1';
  const text = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}${isCut ? '' : '\n-----END RSA PRIVATE KEY-----\n'}`;
  return { text, cores: lines };
}
