import { ApiError, type TimingSchemas } from '@agent-faculties/client';
import type { Clients } from '../clients.ts';
import { CommandError, type Invocation, UsageError } from '../command.ts';
import { plainNumber } from '../input.ts';
import { counted, duration } from '../print.ts';
import {
  ALL_AGENTS,
  ALL_PROJECTS,
  EVERY_PROJECT,
  isNoHistory,
  NO_HISTORY,
  noHistoryInWords,
  type Of,
  usual,
} from './in-words.ts';

type Schemas = TimingSchemas['schemas'];
type Values = { readonly [Name in 'elapsed' | 'timeout' | 'think']?: string | undefined };
type Call = Pick<Invocation, 'edge' | 'json' | 'settings'> & { readonly values: Values };

/** Most projects that are named, of the newest runs. */
const NAMED_PROJECTS = 3;
/** Fewer runs in the project that is asked about tell less than those of all projects. */
const ENOUGH_RUNS = 5;

/** Prints how long a task type takes, and which timeout to set; of one without history, what is like it. */
export async function estimate(call: Call, clients: Clients, of: Of, task_type: string): Promise<number> {
  const { edge, json, values } = call;
  const { timing } = clients;
  const elapsed = plainNumber(values.elapsed, 'elapsed');
  const timeout = plainNumber(values.timeout, 'timeout');
  if ((elapsed === undefined) !== (timeout === undefined)) throw new UsageError('--elapsed and --timeout go together.');
  const known = await Promise.all([
    timing.getSummary({ task_type, ...of }),
    timing.recommendTimeout({ task_type, ...of }),
    timing.estimateDuration({ task_type, ...of }),
    elapsed === undefined || timeout === undefined
      ? null
      : timing
          .checkTimeout({ task_type, elapsed_seconds: elapsed, timeout_seconds: timeout, ...of })
          .then((answer) => answer.risk),
  ]).catch((error: unknown) => {
    if (isNoHistory(error)) return error;
    throw error;
  });
  if (known instanceof ApiError) return await estimateUnseen(call, clients, { of, task_type, noHistory: known });
  const [{ summary }, { recommendation }, { estimate: next }, risk] = known;
  const others = summary.count < ENOUGH_RUNS ? await otherProjects(call, timing, task_type) : null;
  const wider = others !== null && others.summary.count >= ENOUGH_RUNS ? others : null;
  if (json) {
    edge.out(`${JSON.stringify({ summary, recommendation, ...(risk && { risk }), ...inJson(wider) })}\n`);
    return 0;
  }
  const { recommended_seconds, conservative_seconds } = recommendation;
  // One run allows no bound: that run is no safer than what is recommended.
  const isSafer = conservative_seconds > recommended_seconds;
  const safer = isSafer ? `; ${duration(conservative_seconds)} to be on the safe side` : '';
  const lines = [
    `${task_type} takes ${usual(summary)}.`,
    ...sinceLine(next),
    `A timeout of ${duration(recommended_seconds)} is advised${safer}.`,
    ...(recommendation.warning === null ? [] : [warningInWords(recommendation.warning)]),
    ...(risk === null ? [] : [riskLine(risk)]),
    ...(wider === null ? [] : [otherProjectsLine(wider, 'With other projects')]),
  ];
  edge.out(`${lines.join('\n')}\n`);
  return 0;
}

/** How long it takes since it has changed; empty where the newest runs are like those before. */
function sinceLine({ since, seconds }: Schemas['DurationEstimate']): string[] {
  if (since === undefined || seconds === null) return [];
  return [`It has changed: since ${since.slice(0, 16).replace('T', ' ')} UTC it takes ${duration(seconds)}.`];
}

/** The warning names the fields of the answer, which the command line shows in words. */
function warningInWords(warning: string): string {
  return warning.replace('conservative_seconds', 'the longer one').replace('recommended_seconds', 'is advised');
}

/** For a type that this agent has never ended. @throws the answer `noHistory` where nothing like it is known, or a run of it is judged */
async function estimateUnseen(
  call: Call,
  { timing }: Clients,
  { of, task_type, noHistory }: { readonly of: Of; readonly task_type: string; readonly noHistory: ApiError },
): Promise<number> {
  const { edge, json, values } = call;
  const think = plainNumber(values.think, 'think');
  const { estimate: told } = await timing.estimateDuration({
    task_type,
    ...(think !== undefined && { estimated_seconds: think }),
    ...of,
  });
  const others = told.source === 'history' ? null : await otherProjects(call, timing, task_type);
  const othersLines = others === null ? [] : [otherProjectsLine(others, 'In other projects')];
  if (told.seconds === null || values.elapsed !== undefined) {
    throw new CommandError([noHistoryInWords(noHistory), ...othersLines].join('\n'));
  }
  if (json) edge.out(`${JSON.stringify({ estimate: told, ...inJson(others) })}\n`);
  else edge.out(`${[...unseenLines(told, of), ...othersLines].join('\n')}\n`);
  return 0;
}

/** Answers for which other projects tell nothing: they know the type no better, or the key of who asks is not for them. */
const NOTHING_ELSEWHERE = [NO_HISTORY, 'foreign_project'];

/** That of all projects, and the newest ones that are not asked about. */
interface OtherProjects {
  readonly projects: readonly string[];
  readonly summary: Schemas['Summary'];
}

/** What other projects than the one that is asked about know of a type; null where they know nothing. */
async function otherProjects(
  { settings }: Call,
  timing: Clients['timing'],
  task_type: string,
): Promise<OtherProjects | null> {
  if (settings.project === null || settings.project === EVERY_PROJECT) return null;
  const everywhere = { task_type, project: EVERY_PROJECT, agent_id: ALL_AGENTS };
  try {
    const { summary } = await timing.getSummary(everywhere);
    const { tasks } = await timing.listTasks({ ...everywhere, outcome: 'ok' });
    const named = new Set(tasks.flatMap(({ project }) => project ?? []));
    named.delete(settings.project);
    return named.size === 0 ? null : { projects: [...named].slice(0, NAMED_PROJECTS), summary };
  } catch (error) {
    if (error instanceof ApiError && NOTHING_ELSEWHERE.includes(error.code)) return null;
    throw error;
  }
}

function otherProjectsLine({ projects, summary }: OtherProjects, where: string): string {
  return `${where} (${projects.join(', ')}) it takes ${usual(summary)}; ${ALL_PROJECTS} says more.`;
}

function inJson(others: OtherProjects | null): { readonly other_projects?: OtherProjects } {
  return others === null ? {} : { other_projects: others };
}

function unseenLines(told: Schemas['DurationEstimate'], of: Of): string[] {
  const { task_type, source, seconds, interval, coverage, similar, ratio, sample_count } = told;
  const [low, high] = interval;
  const basis =
    source === 'history'
      ? `${counted(sample_count, 'run')} of all agents`
      : source === 'own_estimate'
        ? `what you think${ratio === null ? '' : `, times ${ratio}, as it was for ${counted(sample_count, 'task')}`}`
        : source === 'similar_names'
          ? `types with similar names: ${similar.map((type) => `${type.task_type} (${duration(type.median_seconds)})`).join(', ')}`
          : `all types that are known, none with a similar name`;
  const whose = of.agent_id === ALL_AGENTS ? '' : ' of this agent';
  return [
    `${task_type} may take ${duration(seconds as number)}. No task of this type${whose} has ended ok; this rests on ${basis}.`,
    ...(low == null || high == null || coverage === null
      ? []
      : [`${Math.round(coverage * 100)} % of runs take between ${duration(low)} and ${duration(high)}.`]),
  ];
}

const BEYOND =
  'No run has ever lasted as long as this one: see whether it still does something before you wait any longer.';

const FAILED = 'No run that ended ok has lasted as long as this one.';

function riskLine(risk: Schemas['Risk']): string {
  const { risk_probability, risk_level, beyond_history, longer_runs, expected_remaining_seconds, time_remaining } =
    risk;
  const { median } = expected_remaining_seconds;
  const left = median === null ? '' : `; half of those that ran so long ended within another ${duration(median)}`;
  const missed =
    time_remaining <= 0
      ? 'It has run past that timeout'
      : `It runs into that timeout with a probability of ${Math.round(risk_probability * 100)} %`;
  const beyond = beyond_history ? ` ${longer_runs.error > 0 ? FAILED : BEYOND}` : '';
  const warning = risk.warning === undefined ? '' : ` ${risk.warning}`;
  return `${missed} (risk ${risk_level})${left}.${beyond}${warning}`;
}
