import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

/** What an option takes whose default, or `like` in place of one, looks so. Zero is taken where the default is 0, and in pairs. */
const NUMBERS = [
  { like: /^0$/, takes: /^\d+$/, words: 'a whole number' },
  { like: /^\d+$/, takes: /^0*[1-9]\d*$/, words: 'a whole number of at least 1' },
  {
    like: /^\d+(,\d+)+$/,
    takes: /^0*[1-9]\d*(,0*[1-9]\d*)*$/,
    words: 'whole numbers of at least 1 with commas between them',
  },
  { like: /^\d+x\d+$/, takes: /^\d+x\d+$/, words: 'two whole numbers with an x between them' },
];

/**
 * Reads the options of a script as `parseArgs` of Node does. `--help` prints the comment at the head of the script and ends the process;
 * an option that the script does not know, or one that takes numbers and was given something else, prints what is wrong and the same
 * comment, and ends it with exit code 2. Where whoever reads the output stops, as `head` does, the process ends. An option takes numbers where its default is one; without a default, its `like` says so.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} script its `import.meta.url`
 * @param {T} config
 * @returns {Pick<ReturnType<typeof parseArgs<T>>, 'values' | 'positionals'>}
 */
export function commandLine(script, config) {
  process.stdout.on('error', endWithReader);
  try {
    const { values, positionals } = parseArgs({
      ...config,
      options: { ...config.options, help: { type: 'boolean', short: 'h' } },
    });
    const { help, ...rest } = /** @type {any} */ (values);
    for (const [name, option] of Object.entries(config.options ?? {})) refuseNoNumber(name, option, rest[name]);
    if (!help) return { values: rest, positionals };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${headComment(script)}\n`);
    process.exit(2);
  }
  process.stdout.write(`${headComment(script)}\n`);
  process.exit(0);
}

/** @param {NodeJS.ErrnoException} error */
function endWithReader(error) {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

/**
 * @param {string} name
 * @param {{ default?: any, like?: string }} option
 * @param {any} value
 * @throws Error in words for whoever called the script
 */
function refuseNoNumber(name, { default: usual, like = usual }, value) {
  const numbers = NUMBERS.find((one) => typeof like === 'string' && one.like.test(like));
  if (!numbers || value === undefined || numbers.takes.test(value)) return;
  throw new Error(`--${name} takes ${numbers.words}, such as ${like}, and not '${value}'.`);
}

/** The lines of the first comment of a script. */
function headComment(script) {
  const lines = readFileSync(new URL(script), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('//'));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('//'));
  return lines
    .slice(start, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
