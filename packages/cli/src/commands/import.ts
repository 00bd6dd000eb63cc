import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { EXIT_FAILED } from '@agent-faculties/service-kit/exit-codes';
import { clientsOf } from '../clients.ts';
import { CommandError, defineCommand, type Edge, UsageError } from '../command.ts';
import { choice, openPipe, readBytes } from '../input.ts';
import { count, counted, progress, redactions } from '../print.ts';
import { decode } from '../transfer/decode.ts';
import { FORMATS, isDerived, READABLE, readSource } from '../transfer/read-source.ts';
import { type MemoryRecord, type SourceFile, tagsOf } from '../transfer/record.ts';

const FAULTS_SHOWN = 20;

export const command = defineCommand({
  name: 'import',
  summary:
    'Take in memories: of mem0, mcp-memory-service, the reference memory server of MCP, ChatGPT, Claude, CLAUDE.md, AGENTS.md, Markdown folders, JSON lines',
  usage: 'FILE | FOLDER | - ... [options]',
  options: {
    format: { type: 'string', value: 'FORMAT', help: `${FORMATS.join(', ')}; else as each file seems to be` },
    scope: {
      type: 'string',
      value: 'SCOPE',
      help: 'TEAM, SHARED or PRIVATE, of those that do not say (default: TEAM)',
    },
    tag: {
      type: 'string',
      multiple: true,
      value: 'TAG',
      help: 'of every memory that comes; may be given several times',
    },
    'dry-run': { type: 'boolean', help: 'say what would happen, and change nothing' },
  },
  run: async (invocation) => {
    const { edge, json, values, positionals } = invocation;
    if (positionals.length === 0) throw new UsageError('Name a file or a folder, or - for standard input.');
    const format = choice(values.format, 'format', FORMATS);
    const scope = choice(values.scope, 'scope', ['TEAM', 'SHARED', 'PRIVATE']);
    const dryRun = values['dry-run'] === true;
    const { agentId, project } = invocation.settings;
    const visibility = [project, scope === 'PRIVATE' ? agentId : null].filter((name) => name !== null);
    const bar = progress(edge);
    const faults: string[] = [];
    /** What each record is called, in the order in which they are sent; not by its words, which may hold a secret. */
    const names: string[] = [];
    let derived = 0;
    async function* records(): AsyncGenerator<MemoryRecord> {
      for await (const file of filesOf(positionals, edge, faults)) {
        const decoded = decode(file.bytes);
        if ('fault' in decoded) {
          faults.push(`${file.path}: ${decoded.fault}`);
          continue;
        }
        const found = readSource({ ...file, ...decoded, visibility }, format);
        faults.push(...found.faults);
        for (const [index, record] of found.records.entries()) {
          if (isDerived(record)) derived++;
          else {
            names.push(`${file.path}, memory ${index + 1}`);
            yield {
              ...(scope && { scope }),
              ...record,
              ...(values.tag && { tags: tagsOf([...(record.tags ?? []), ...values.tag]) }),
            };
          }
          bar.show(`${count(names.length + derived)} read`);
        }
      }
    }
    const merged = await clientsOf(invocation).memory.mergeLines(records(), { dryRun });
    const { report, redacted } = merged;
    bar.end();
    const isWhole = faults.length === 0 && report.rejected_count === 0;
    if (json) edge.out(`${JSON.stringify({ report, derived, faults, ...(redacted && { redacted }) })}\n`);
    else printReport(edge, { merged, names, derived, faults, dryRun });
    return isWhole ? 0 : EXIT_FAILED;
  },
});

interface Imported {
  readonly merged: Awaited<ReturnType<ReturnType<typeof clientsOf>['memory']['mergeLines']>>;
  readonly names: readonly string[];
  /** Summaries that consolidation had made, which were left out. */
  readonly derived: number;
  /** Why something could not be read. */
  readonly faults: readonly string[];
  readonly dryRun: boolean;
}

function printReport(edge: Edge, { merged, names, derived, faults, dryRun }: Imported): void {
  const { report, redacted } = merged;
  const { received, added, updated, duplicates, rejected_count, rejected } = report;
  edge.out(
    `${dryRun ? 'Nothing was changed. ' : ''}${counted(received, 'memory', 'memories')}: ${count(added)} added, ${count(updated)} updated, ${count(duplicates)} known already, ${count(rejected_count)} rejected${faults.length === 0 ? '' : `, ${count(faults.length)} not read`}.\n`,
  );
  if (derived > 0) edge.out(`${counted(derived, 'summary', 'summaries')} left out: consolidation makes them again.\n`);
  for (const words of redactions(redacted)) edge.out(`${words}.\n`);
  const reasons = [...faults, ...rejected.map(({ index, reason }) => `${names[index]}: ${reason}`)];
  for (const reason of reasons.slice(0, FAULTS_SHOWN)) edge.err(`${reason}\n`);
  if (reasons.length > FAULTS_SHOWN)
    edge.err(`... and ${count(reasons.length - FAULTS_SHOWN)} more; --json has all.\n`);
}

type FoundFile = Omit<SourceFile, 'text' | 'visibility'> & { readonly bytes: Uint8Array };

/** The files of all places; what cannot be read of them stands in `faults`. @throws CommandError where a place is none */
async function* filesOf(places: readonly string[], edge: Edge, faults: string[]): AsyncGenerator<FoundFile> {
  for (const place of places) {
    if (place === '-') {
      yield { path: 'standard input', bytes: await readBytes(edge), modifiedAt: new Date(edge.clock.now()) };
      continue;
    }
    const path = resolve(edge.cwd, place);
    const found = statOf(path, place);
    if (found.isFIFO()) {
      const stdin = orFault(path, () => openPipe(path, edge), faults);
      const modifiedAt = new Date(edge.clock.now());
      if (stdin !== null) yield { path: basename(path), bytes: await readBytes({ stdin }), modifiedAt };
      continue;
    }
    const faultsBefore = faults.length;
    const names = found.isDirectory() ? filesBelow(path, faults) : [path];
    if (names.length === 0 && faults.length === faultsBefore)
      throw new CommandError(`${place} holds no Markdown and no JSON.`);
    const home = found.isDirectory() ? path : join(path, '..');
    for (const name of names) {
      const read = () => ({
        path: relative(home, name).split(sep).join('/') || basename(name),
        bytes: readFileSync(name),
        modifiedAt: statSync(name).mtime,
      });
      const file = orFault(name, read, faults);
      if (file !== null) yield file;
    }
  }
}

function statOf(path: string, place: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(code === 'ENOENT' ? `${place} does not exist.` : `${place} cannot be read: ${message}`);
  }
}

/** Sorted, so that a folder is always read in the same order. Hidden folders, links and node_modules are left out. */
function filesBelow(folder: string, faults: string[]): string[] {
  const entries = orFault(folder, () => readdirSync(folder, { withFileTypes: true }), faults) ?? [];
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesBelow(path, faults);
      return entry.isFile() && READABLE.test(entry.name) ? [path] : [];
    });
}

function orFault<T>(path: string, read: () => T, faults: string[]): T | null {
  try {
    return read();
  } catch (error) {
    faults.push(`${path} cannot be read: ${(error as Error).message}`);
    return null;
  }
}
