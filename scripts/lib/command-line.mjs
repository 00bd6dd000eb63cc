import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Reads the options of a script as `parseArgs` of Node does. `--help` prints the comment at the head of the script and ends the process;
 * an option that the script does not know prints what is wrong and the same comment, and ends it with exit code 2.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} script its `import.meta.url`
 * @param {T} config
 * @returns {Pick<ReturnType<typeof parseArgs<T>>, 'values' | 'positionals'>}
 */
export function commandLine(script, config) {
  try {
    const { values, positionals } = parseArgs({
      ...config,
      options: { ...config.options, help: { type: 'boolean', short: 'h' } },
    });
    const { help, ...rest } = /** @type {any} */ (values);
    if (!help) return { values: rest, positionals };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${headComment(script)}\n`);
    process.exit(2);
  }
  process.stdout.write(`${headComment(script)}\n`);
  process.exit(0);
}

/** The lines of the comment with which a script begins. */
function headComment(script) {
  const lines = readFileSync(new URL(script), 'utf8')
    .replace(/^#!.*\n/, '')
    .split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
