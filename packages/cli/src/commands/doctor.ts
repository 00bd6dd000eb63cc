import { ApiError, ConnectionError, UnexpectedAnswerError } from '@agent-faculties/client';
import { EXIT_FAILED } from '@agent-faculties/service-kit/exit-codes';
import { type Clients, clientsOf } from '../clients.ts';
import { defineCommand, type Edge } from '../command.ts';
import { isNewSpace } from '../new-space.ts';
import { counted, duration } from '../print.ts';
import type { Settings } from '../settings.ts';

/** fault: something does not work; warn: it works, but could work better. */
type Level = 'ok' | 'warn' | 'fault';

interface Finding {
  readonly about: 'memory' | 'timing' | 'settings';
  readonly level: Level;
  readonly finding: string;
  /** What the user should do; null for nothing. */
  readonly advice: string | null;
}

const LIMITS = { timeoutMs: 5_000, maxRetries: 0 };
const MARKS: Readonly<Record<Level, string>> = { ok: 'ok   ', warn: 'warn ', fault: 'FAULT' };
/** Seconds. Clocks that are synchronised differ by less. */
const CLOCK_TOLERANCE_SECONDS = 5;

export const command = defineCommand({
  name: 'doctor',
  summary: 'What is wrong with addresses, versions, models and settings, and what to do about it',
  usage: '[options]',
  takesWords: false,
  options: {},
  run: async (invocation) => {
    const { edge, settings, json } = invocation;
    const clients = clientsOf(invocation, LIMITS);
    const findings = [
      ...settingsFindings(settings),
      ...(await findingsOf('memory', settings, () => memoryFindings(clients, edge, settings))),
      ...(await findingsOf('timing', settings, () => timingFindings(clients, edge, settings))),
    ];
    edge.signal.throwIfAborted();
    const isWell = !findings.some(({ level }) => level === 'fault');
    edge.out(json ? `${JSON.stringify({ well: isWell, findings })}\n` : findings.map(line).join(''));
    return isWell ? 0 : EXIT_FAILED;
  },
});

function line({ about, level, finding, advice }: Finding): string {
  return `${MARKS[level]}  ${about.padEnd(8)}  ${finding}\n${advice === null ? '' : `                 ${advice}\n`}`;
}

function settingsFindings({ agentId, key, project, memoryUrl, timingUrl }: Settings): Finding[] {
  const found: Finding[] = [];
  const say = (level: Level, finding: string, advice: string | null = null) =>
    found.push({ about: 'settings', level, finding, advice });
  if (agentId !== null) say('ok', `asks as ${agentId}`);
  else if (key !== null) say('ok', 'asks as the agent of the key');
  else
    say(
      'warn',
      'no agent is named, so that everything belongs to the default of the services',
      'Set AGENT_ID, best to NAME-TOOL, such as planner-claude.',
    );
  if (project === '*')
    say(
      'warn',
      "the project is '*', which means all of them: questions are answered, and what is written is refused",
      'Name one project in AGENT_FACULTIES_PROJECT, or none.',
    );
  if (memoryUrl.href === timingUrl.href)
    say(
      'fault',
      `both services have the address ${memoryUrl.href}`,
      'Set MEMORY_URL and TIMING_URL; behind the gateway the second ends with /timing.',
    );
  const bare = [memoryUrl, timingUrl].filter(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname));
  if (key !== null && bare.length > 0)
    say('warn', 'the key goes over the network in clear text', 'Use https:// addresses, as the gateway has them.');
  return found;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

async function findingsOf(
  about: 'memory' | 'timing',
  settings: Settings,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const url = about === 'memory' ? settings.memoryUrl : settings.timingUrl;
  try {
    return await look();
  } catch (error) {
    const advice = adviceFor(error, about, settings);
    return [
      {
        about,
        level: 'fault',
        finding: error instanceof ApiError ? `${url.href} answers: ${error.message}` : (error as Error).message,
        advice,
      },
    ];
  }
}

function adviceFor(error: unknown, about: 'memory' | 'timing', { key }: Settings): string | null {
  const variable = about === 'memory' ? 'MEMORY_URL' : 'TIMING_URL';
  if (error instanceof ConnectionError) {
    return /certificate|self.signed/i.test(error.message)
      ? 'Name the file of its certificate in NODE_EXTRA_CA_CERTS.'
      : `Start it with agent-faculties start, in a clone npm start, or set ${variable}.`;
  }
  if (error instanceof UnexpectedAnswerError) return `Something else listens there: set ${variable}.`;
  if (!(error instanceof ApiError)) return null;
  if (error.status === 401)
    return key === null
      ? 'Set AGENT_FACULTIES_KEY to a key of the gateway.'
      : 'The key is not valid: ask for another one.';
  if (error.status === 421) return `Call it by localhost, or start it with --allowed-hosts.`;
  if (error.status === 404) return `Something else listens there, or the path is missing: set ${variable}.`;
  return null;
}

type Say = (level: Level, finding: string, advice?: string | null) => void;

function sayer(about: 'memory' | 'timing'): { found: Finding[]; say: Say } {
  const found: Finding[] = [];
  return { found, say: (level, finding, advice = null) => found.push({ about, level, finding, advice }) };
}

function sayVersion(
  say: Say,
  { version, uptime_seconds }: { version: string; uptime_seconds: number },
  edge: Edge,
): void {
  const isOurs = version.split('.').slice(0, 2).join('.') === edge.version.split('.').slice(0, 2).join('.');
  const words = `version ${version}, up ${duration(uptime_seconds)}`;
  if (isOurs) say('ok', words);
  else say('warn', `${words}; this program has version ${edge.version}`, 'Use the same version of both.');
}

async function memoryFindings({ memory }: Clients, edge: Edge, settings: Settings): Promise<Finding[]> {
  const { found, say } = sayer('memory');
  const health = await memory.getHealth();
  if (typeof health.memories !== 'number') {
    say('fault', 'another service answers there', 'MEMORY_URL and TIMING_URL may be exchanged.');
    return found;
  }
  const { embedding, contradictions, persistence, consolidation, memories } = health;
  sayVersion(say, health, edge);
  say('ok', counted(memories, 'memory', 'memories'));
  if (embedding.model === null)
    say(
      'warn',
      'recalls by words and names alone',
      'Start it without --embedding-model none, to recall by meaning too.',
    );
  else if (embedding.pending > 0)
    say(
      'warn',
      `${counted(embedding.pending, 'memory', 'memories')} wait for a vector`,
      'They get theirs in the background.',
    );
  else say('ok', `embedding by ${embedding.model}`);
  if (contradictions.model === null)
    say(
      'warn',
      'finds contradictions by rules alone',
      'Its log says why the model is not there; --contradiction-model chooses it.',
    );
  const isNew = isNewSpace(settings, health);
  if (isNew) say('ok', 'nothing is stored in this space yet');
  else if (persistence.data_dir === null)
    say(
      'warn',
      'keeps nothing on disk: a restart forgets everything',
      'Start it with --data-dir FOLDER, or with agent-faculties start.',
    );
  else say('ok', `keeps its data in ${persistence.data_dir}`);
  if (persistence.refusal !== null) say('fault', 'the disk takes no writes', persistence.refusal);
  if (consolidation.next_run_at === null && !isNew)
    say('warn', 'no nightly run is scheduled', 'Start it with --consolidate-cron, or call POST /end_of_day.');
  sayReadiness(say, await memory.getReadiness());
  sayHooks(say, (await memory.listHooks(ofHooks(settings))).hooks);
  return found;
}

async function timingFindings({ timing }: Clients, edge: Edge, settings: Settings): Promise<Finding[]> {
  const { found, say } = sayer('timing');
  const health = await timing.getHealth();
  if (typeof health.database !== 'object') {
    say('fault', 'another service answers there', 'MEMORY_URL and TIMING_URL may be exchanged.');
    return found;
  }
  sayVersion(say, health, edge);
  const { path } = health.database;
  if (path === ':memory:')
    say(
      'warn',
      'keeps nothing on disk: a restart forgets everything',
      'Start it with --db-path FILE, or with agent-faculties start.',
    );
  else say('ok', `keeps its data in ${path}`);
  const { unix } = await timing.getNow();
  const ahead = Math.round(unix - edge.clock.now() / 1_000);
  if (Math.abs(ahead) > CLOCK_TOLERANCE_SECONDS) {
    say(
      'warn',
      `its clock is ${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this one`,
      'Let both machines keep the time (NTP).',
    );
  }
  const { active_tasks } = await timing.listActiveTasks();
  const longest = Math.max(0, ...active_tasks.map(({ elapsed_seconds }) => elapsed_seconds));
  if (active_tasks.length > 0)
    say('ok', `${counted(active_tasks.length, 'task')} running, the longest for ${duration(longest)}`);
  sayReadiness(say, await timing.getReadiness());
  sayHooks(say, (await timing.listHooks(ofHooks(settings))).hooks);
  return found;
}

function sayReadiness(say: Say, { reasons }: { reasons: readonly { detail: string }[] }): void {
  for (const { detail } of reasons) say('fault', 'goes on without something that it needs', detail);
}

/** Hooks call as the agent of their host, so of all agents, which behind a gateway only administrators may ask for. */
function ofHooks({ key }: Settings): { agent_id?: string } {
  return key === null ? { agent_id: '*' } : {};
}

interface HookCall {
  readonly host: string;
  readonly event: string;
  readonly result: string;
  readonly at: string;
  readonly took_ms: number;
}

/** Newest first. */
function sayHooks(say: Say, calls: readonly HookCall[]): void {
  const [latest] = calls;
  if (!latest) {
    say('ok', 'no hook of a host has called since it started');
    return;
  }
  const slowest = Math.max(...calls.map(({ took_ms }) => took_ms));
  const { host, event, result, at } = latest;
  say(
    'ok',
    `the last hook: ${host} ${event} (${result}) at ${at.slice(0, 19)}Z; the slowest of ${calls.length} took ${Math.round(slowest)} ms`,
  );
  const refused = calls.filter((call) => call.result === 'refused');
  if (refused.length > 0)
    say(
      'warn',
      `${counted(refused.length, 'hook call')} refused, of ${[...new Set(refused.map((call) => call.host))].join(', ')}`,
      'Its log says why.',
    );
}
