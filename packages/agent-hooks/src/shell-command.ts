/** Characters of a command that are read: the program stands near its start, or behind a file that the command writes first. */
const READ_CHARACTERS = 4_000;
/** Most programs in a name, such as two in `npm run build && npm test`. */
const MOST_NAMED = 3;
/** A task type has no more. Two programs with their subcommands always fit. */
const MOST_CHARACTERS = 128;
const AND = ' && ';
const MOST_UNWRAPPED = 3;
const PROGRAM = /^[a-z][a-z0-9._+-]{0,31}$/i;
/** A word that may be a subcommand. Anything else may be a path, an address or a secret, and stays out of the name. */
const SUBCOMMAND = /^[a-z][a-z0-9:_-]{0,23}$/;
/** A word with three digits, or of hexadecimal digits only, may be a token. */
const LIKE_A_TOKEN = /\d.*\d.*\d|^[0-9a-f]{8,}$/;
const SCRIPT = /^[a-z0-9_][\w.-]{0,39}\.(?:py|js|mjs|cjs|ts|sh|rb|pl|php)$/i;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Commands that only prepare the work or report on it, and take no time. What comes behind a `sleep` takes longer than by itself. */
const BESIDE = new Set(
  'cd pushd popd export source . set unset alias echo printf true : wait for done fi case esac function return exit'.split(
    ' ',
  ),
);
/** Commands that start the command after them. */
const WRAPPERS = new Set(
  'sudo time timeout nice nohup env command exec xvfb-run stdbuf setsid if then else elif while until do ! {'.split(
    ' ',
  ),
);
const SHELLS = new Set('sh bash zsh dash fish'.split(' '));
/** Programs whose first argument names the work. */
const WITH_SUBCOMMAND = new Set(
  `git npm pnpm yarn bun deno cargo go docker podman kubectl helm terraform make just rake task mvn gradle gradlew mvnw dotnet pip
  pip3 poetry uv pipenv conda gh aws gcloud az brew apt apt-get systemctl journalctl npx bunx nx turbo lerna composer artisan mix
  bundle rails flutter dart swift xcodebuild tox nox bazel alembic docker-compose claude codex gemini opencode
  agent-faculties`.split(/\s+/),
);
/** Programs whose second argument belongs to the name too: `npm run build`, `docker compose up`, `uv run pytest`. */
const WITH_SECOND = new Set('run exec compose run-script workspace x dlx tool'.split(' '));
const INTERPRETERS = new Set('node python python3 ruby perl php tsx ts-node bun deno'.split(' '));
/** Flags that take no value and do not change the work. */
const PLAIN_FLAG = /^(?:-[sqvyB]|--(?:silent|quiet|verbose|yes|batch-mode|no-pager|prefer-offline|frozen-lockfile))$/;
/** Flags whose value is a place, not the work. */
const PLACE_FLAG = /^(?:-C|--prefix|--filter|--cwd|--project-directory)$/;

/**
 * A name for what a command line does, under which durations are compared: the programs with their subcommands. Arguments, paths,
 * values and assignments are left out, so that the same work has the same name and no secret is in it.
 * `cd app && CI=1 npm test -- --watch=false 2>&1 | tail` is `npm test`.
 * @returns null where no program is named
 * @complexity O(characters * here-documents) of at most 4,000 characters
 */
export function commandName(command: string): string | null {
  const names = namesIn(withoutHereDocuments(command.slice(0, READ_CHARACTERS)), MOST_UNWRAPPED);
  if (names.length === 0) return null;
  const named = [...new Set(names)].slice(0, MOST_NAMED);
  while (named.join(AND).length > MOST_CHARACTERS) named.pop();
  return named.join(AND);
}

/** `<<EOF`, `<<-'EOF'`, and not the here-string `<<<`. */
const HERE_DOCUMENT = /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/g;

/** A command line without the texts of its here-documents, which may be messages and programs in other languages. */
function withoutHereDocuments(command: string): string {
  const lines = command.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    let end = at;
    for (const [, , delimiter] of line.matchAll(HERE_DOCUMENT)) {
      end = lines.findIndex((other, index) => index > end && other.trim() === delimiter);
      if (end === -1) break;
    }
    if (end <= at) kept.push(line);
    else kept.push(line.replace(HERE_DOCUMENT, ' '));
    at = Math.max(at, end);
  }
  return kept.join('\n');
}

function namesIn(command: string, unwrapping: number): string[] {
  return simpleCommands(command).flatMap((words) => {
    const [program = '', ...rest] = withoutWrappers(words);
    const base = (program.split(/[\\/]/).at(-1) as string).replace(/\.(?:exe|cmd)$/i, '');
    if (BESIDE.has(base) || !PROGRAM.test(base) || LIKE_A_TOKEN.test(base)) return [];
    const script = SHELLS.has(base) && /^-\w*c$/.test(rest[0] ?? '') ? rest[1] : undefined;
    if (script !== undefined) return unwrapping > 0 ? namesIn(script, unwrapping - 1) : [];
    return [[base, ...subcommands(base, rest)].join(' ')];
  });
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let isWrapped = false; at < words.length; at++) {
    const word = words[at] as string;
    if (WRAPPERS.has(word)) isWrapped = true;
    else if (!ASSIGNMENT.test(word) && !(isWrapped && /^(?:-|\d)/.test(word))) break;
  }
  return words.slice(at);
}

function subcommands(program: string, rest: readonly string[]): string[] {
  const words = withoutFlags(rest);
  const [first = '', second = ''] = words;
  if (INTERPRETERS.has(program) && rest[0] === '-m' && isName(rest[1])) return ['-m', rest[1] as string];
  const script = first.split(/[\\/]/).at(-1) as string;
  if ((INTERPRETERS.has(program) || SHELLS.has(program)) && SCRIPT.test(script)) return [script];
  if (!WITH_SUBCOMMAND.has(program) || !isName(first)) return [];
  return WITH_SECOND.has(first) && isName(second) ? [first, second] : [first];
}

function isName(word: string | undefined): boolean {
  return word !== undefined && SUBCOMMAND.test(word) && !LIKE_A_TOKEN.test(word);
}

/** The words before the first flag that may have a value, because that value would look like a subcommand. */
function withoutFlags(rest: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < rest.length && words.length < 2; at++) {
    const word = rest[at] as string;
    if (PLACE_FLAG.test(word)) at++;
    else if (word.startsWith('-')) {
      if (!PLAIN_FLAG.test(word)) break;
    } else words.push(word);
  }
  return words;
}

/**
 * The words of each command of a line that it waits for; of a pipeline only the first command. Quotes are removed. What an `&` leaves in
 * the background is not waited for, unless there is a `wait`.
 */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  const left = new Set<string[]>();
  let word: string | null = null;
  let isPassedOver = false;
  /** Where the commands begin that `&&` and `||` join to the present one. */
  let joinedFrom = 0;
  const endWord = () => {
    if (word !== null && !isPassedOver) (commands.at(-1) as string[]).push(word);
    word = null;
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string;
    if (sign === '#' && word === null) {
      // A comment, in which a quotation mark means nothing.
      const end = line.indexOf('\n', at);
      at = (end === -1 ? line.length : end) - 1;
    } else if (sign === "'" || sign === '"') {
      const end = line.indexOf(sign, at + 1);
      word = (word ?? '') + line.slice(at + 1, end === -1 ? line.length : end);
      at = end === -1 ? line.length : end;
    } else if (sign === '\\') {
      word = (word ?? '') + (line[++at] ?? '');
    } else if (line.startsWith('<<<', at)) {
      // A here-string follows, which is no argument.
      endWord();
      isPassedOver = true;
      at += 2;
    } else if (line.startsWith('<<', at)) {
      // The rest is the text of a here-document without an end.
      break;
    } else if (sign === ';' || sign === '\n' || sign === '|' || sign === '&') {
      // A part of `2>&1`, `&> log`, `<&3` and `|&`.
      if (sign === '&' && (/[<>|]/.test(line[at - 1] ?? '') || line[at + 1] === '>')) continue;
      const isDouble = (sign === '|' || sign === '&') && line[at + 1] === sign;
      endWord();
      isPassedOver = sign === '|' && !isDouble;
      if (isDouble) at++;
      if (isPassedOver) continue;
      if (sign === '&' && !isDouble) for (const command of commands.slice(joinedFrom)) left.add(command);
      if (!isDouble) joinedFrom = commands.length;
      commands.push([]);
    } else if (/\s/.test(sign)) {
      endWord();
    } else {
      word = (word ?? '') + sign;
    }
  }
  endWord();
  const waits = commands.some(([program]) => program === 'wait');
  return waits ? commands : commands.filter((command) => !left.has(command));
}
