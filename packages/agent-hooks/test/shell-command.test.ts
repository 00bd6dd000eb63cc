import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { taskTypeOf } from '../src/index.ts';
import { commandName } from '../src/shell-command.ts';

test.each([
  ['npm test', 'npm test'],
  ['cd app && CI=1 npm test -- --watch=false 2>&1 | tail -5', 'npm test'],
  ['npm run build && npm test', 'npm run build && npm test'],
  ['npm run -s check', 'npm run check'],
  ['git -C /srv/app status --short', 'git status'],
  ['git commit -m "a; rm -rf /" && git push', 'git commit && git push'],
  ['sudo -n apt-get install -y curl', 'apt-get install'],
  ['timeout 30 ./gradlew test', 'gradlew test'],
  ['python3 -m pytest tests -q', 'python3 -m pytest'],
  ['node scripts/seed.mjs --all', 'node seed.mjs'],
  ['node --version', 'node'],
  ['bash -lc "cd x; cargo test --workspace"', 'cargo test'],
  ['docker compose up -d', 'docker compose up'],
  ['for f in *; do wc -l $f; done', 'wc'],
  ['if ! npm test; then echo no; fi', 'npm test'],
  ['cat <<EOF > x\nnpm test\nEOF', 'cat'],
  ['cat <<EOF > x\nmake\nEOF\nnpm test', 'cat && npm test'],
  ["cat > a.py <<-'END' && python3 a.py\nmake\n\tEND\ngit status", 'cat && python3 a.py && git status'],
  ['git commit -m "$(cat <<\'EOF\'\nMake 5" wide\nrun it\nEOF\n)" && git push', 'git commit && git push'],
  [`cat > x.json <<EOF\n${'make\n'.repeat(500)}EOF\nnpm test`, 'cat && npm test'],
  ['python3 -c "\nx = 1 << n\nprint(x)\n" && npm test', 'python3 && npm test'],
  ['docker run <<< secret; npm test', 'docker run && npm test'],
  ['/usr/bin/make -j8 test', 'make'],
  ['rg -n foo src | head', 'rg'],
  ['pytest && pytest', 'pytest'],
  ['sleep 5 & npm start', 'npm start'],
  ['nohup npm run dev > log 2>&1 & sleep 5; curl -s localhost:3000', 'sleep && curl'],
  ['sleep 60 && gh run view 5', 'sleep && gh run view'],
  ['make all && npm run dev & npx cypress run; make clean', 'npx cypress && make clean'],
  ['npm test & npm run lint & wait', 'npm test && npm run lint'],
  ['bash -c "npm run dev &"; git status', 'git status'],
  ['npm test\n\nnpm run dev &', 'npm test'],
  ['npm test &> log', 'npm test'],
  ['npm test |& tee log', 'npm test'],
  ['exec 3<&-; npm test <&3', 'npm test'],
  ["# don't watch\nnpm test # it's slow", 'npm test'],
  ['git log --format=%h#x; make', 'git log && make'],
])('%s is %s', (command, name) => {
  expect(commandName(command)).toBe(name);
});

test.each([
  ['curl -H "Authorization: Bearer sk-live-abcdef" https://api.example.com', 'curl'],
  ['npm --token npm_abcdef publish', 'npm'],
  ['PGPASSWORD=hunter2 psql -h db', 'psql'],
  ['gh deadbeefcafe', 'gh'],
  ['docker login -u ann -p hunter2', 'docker login'],
  ['mysql -phunter2', 'mysql'],
  ['/home/ann/secret-project/run', 'run'],
  ['git tok1e2n3', 'git'],
])('%s gives nothing away: %s', (command, name) => {
  expect(commandName(command)).toBe(name);
});

test.each(['', '   ', '$(whoami)', '"', "'", '\\', '&&', '| |', 'cd /tmp', '<<', 'npm run dev &'])(
  '%j names no program',
  (command) => {
    expect(commandName(command)).toBeNull();
  },
);

test('a name has at most 128 characters, of whole programs', () => {
  const script = (letter: string) => `python3 ${letter.repeat(40)}.py`;
  expect(commandName([script('a'), script('b'), script('c')].join(' && '))).toBe(`${script('a')} && ${script('b')}`);
  expect(commandName([script('a'), 'make', script('c')].join('; '))).toBe(`${script('a')} && make && ${script('c')}`);
});

test('a name is a task type: short, and of plain characters, whatever the command', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string(), (command, tool) => {
      for (const type of [
        taskTypeOf({ id: null, tool: 'Bash', input: { command } }),
        taskTypeOf({ id: null, tool, input: {} }),
      ])
        expect(type).toMatch(/^[\w.:/+ &-]{1,128}$/);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test('a secret in an argument never shows in the name', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{20,40}$/).filter((text) => /[A-Z]/.test(text));
  fc.assert(
    fc.property(
      word,
      fc.constantFrom('--token', '-p', '--password', '-k'),
      secret,
      word,
      (program, flag, value, rest) => {
        expect(commandName(`${program} ${flag} ${value} ${rest}`) ?? '').not.toContain(value);
        expect(commandName(`${program} ${rest} ${value}`) ?? '').not.toContain(value);
        expect(commandName(`X=${value} ${program} ${rest}`) ?? '').not.toContain(value);
      },
    ),
    { seed: 2, numRuns: 1_000 },
  );
});

test.each([
  [{ tool: 'Read', input: { file_path: '/x' } }, 'tool:Read'],
  [{ tool: 'mcp__github__search', input: {} }, 'tool:mcp__github__search'],
  [{ tool: 'run_commands', input: { commands: ['npm test', 'npm run lint'] } }, 'npm test && npm run lint'],
  [{ tool: 'shell', input: { command: ['bash', '-lc', 'npm test'] } }, 'npm test'],
  [{ tool: 'exec_command', input: { cmd: 'npm test' } }, 'npm test'],
  [{ tool: 'Bash', input: null }, 'tool:Bash'],
  [{ tool: 'Bash', input: { command: { a: 1 } } }, 'tool:Bash'],
  [{ tool: '💥 x', input: {} }, 'tool:_x'],
])('%j is timed as %s', (call, type) => {
  expect(taskTypeOf({ id: null, ...call })).toBe(type);
});
