import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { HOST_NAMES, type HostName } from '@agent-faculties/agent-hooks';
import { timeZoneName } from '@agent-faculties/service-kit';
import { type Command, defineCommand, UsageError } from '../command.ts';
import type { Settings } from '../settings.ts';
import type { Places, Target } from './host-install.ts';
import { INSTALLS } from './hosts.ts';
import { changesOf, shown, write } from './write-change.ts';

const DEFAULT_URLS = ['http://127.0.0.1:7832', 'http://127.0.0.1:8080'];
const PROGRAM = new URL('../../bin/agent-faculties-hook.mjs', import.meta.url);
const COMMAND_LINE = new URL('../../bin/agent-faculties.mjs', import.meta.url);

/** `install` and `uninstall`: makes the same changes, or undoes them. */
export function installCommand(direction: 'install' | 'uninstall', summary: string): Command {
  return defineCommand({
    name: direction,
    summary,
    usage: `HOST [--project] [--dry-run]   (HOST: ${HOST_NAMES.join(', ')})`,
    options: {
      project: { type: 'boolean', help: 'in the files of this folder, not in those of the user' },
      'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' },
    },
    run: async ({ edge, settings, json, values, positionals }) => {
      const host = hostOf(positionals);
      const { title, scopes, files, byHand } = INSTALLS[host];
      const scope = values.project ? 'project' : 'user';
      if (!scopes.includes(scope)) {
        throw new UsageError(`${title} has hooks for a ${scopes.join(' or a ')} only: write --${scopes[0]}.`);
      }
      const places: Places = { scope, home: edge.env.HOME || homedir(), cwd: edge.cwd, env: edge.env };
      const changes = changesOf(files(places, targetOf(host, settings)), direction);
      const isDone = values['dry-run'] !== true;
      for (const change of changes) {
        if (isDone) write(change, direction);
        if (!json) edge.out(shown(change));
      }
      if (json) {
        edge.out(`${JSON.stringify({ host, scope, written: isDone, files: changes.map(({ path }) => path) })}\n`);
        return 0;
      }
      const verb = isDone ? 'changed' : 'would change';
      edge.out(
        changes.length === 0 ? `${title}: nothing to change.\n` : `${title}: ${verb} ${count(changes.length)}.\n`,
      );
      if (direction === 'install' && isDone && changes.length > 0) for (const line of byHand) edge.out(`${line}\n`);
      return 0;
    },
  });
}

function hostOf([name, ...others]: readonly string[]): HostName {
  const host = HOST_NAMES.find((one) => one === name);
  if (host !== undefined && others.length === 0) return host;
  throw new UsageError(`Write one host: ${HOST_NAMES.join(', ')}.`);
}

function targetOf(host: HostName, settings: Settings): Target {
  const { memoryUrl, timingUrl, agentId, project, space, key } = settings;
  const [memory, timing] = [memoryUrl, timingUrl].map(({ href }) => href.replace(/\/$/, '')) as [string, string];
  const isDefault = memory === DEFAULT_URLS[0] && timing === DEFAULT_URLS[1];
  const where = isDefault ? '' : ` --memory "${memory}" --timing "${timing}"`;
  return {
    memoryUrl: memory,
    timingUrl: timing,
    agentId: agentId ?? host,
    project,
    space,
    hasKey: key !== null,
    timeZone: timeZoneName(),
    program: fileURLToPath(PROGRAM),
    commandLine: fileURLToPath(COMMAND_LINE),
    programOptions: `${where}${optionOf('agent', agentId)}${optionOf('project', project)}${optionOf('space', space)}`,
  };
}

/** An option of the hook program in a command line, which a shell of the host reads. */
function optionOf(name: string, value: string | null): string {
  if (value === null) return '';
  if (/["$`\\]/.test(value)) {
    throw new UsageError(
      `The ${name} ${JSON.stringify(value)} cannot stand in a command line: take one without " $ \` and \\.`,
    );
  }
  return ` --${name} "${value}"`;
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
