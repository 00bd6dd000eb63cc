import { ApiError, type TimingSchemas } from '@agent-faculties/client';
import type { Clients } from '../clients.ts';
import { CommandError, type Invocation, UsageError } from '../command.ts';
import { plainNumber } from '../input.ts';
import { counted, duration } from '../print.ts';
import { ALL_AGENTS, ALL_PROJECTS, isNoHistory, NO_HISTORY, noHistoryInWords, type Of, usual } from './in-words.ts';

type Schemas = TimingSchemas['schemas'];
type Values = { readonly [Name in 'elapsed' | 'timeout' | 'think']?: string | undefined };
type Call = Pick<Invocation, 'edge' | 'json' | 'settings'> & { readonly values: Values };

/** Most projects that are named, of the newest runs. */
const NAMED_PROJECTS = 3;

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
    if (elapsed === undefined && isNoHistory(error)) return error;
    throw error;
  });
  if (known instanceof ApiError) return await estimateUnseen(call, clients, { of, task_type, noHistory: known });
  const [{ summary }, { recommendation }, { estimate: next }, risk] = known;
  if (json) {
    edge.out(`${JSON.stringify({ summary, recommendation, ...(risk && { risk }) })}\n`);
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

/** For a type that this agent has never ended. @throws the answer `noHistory` where nothing like it is known */
async function estimateUnseen(
  { edge, json, values, settings }: Call,
  { timing }: Clients,
  { of, task_type, noHistory }: { readonly of: Of; readonly task_type: string; readonly noHistory: ApiError },
): Promise<number> {
  const think = plainNumber(values.think, 'think');
  const { estimate: told } = await timing.estimateDuration({
    task_type,
    ...(think !== undefined && { estimated_seconds: think }),
    ...of,
  });
  const others =
    settings.project === null || told.source === 'history' ? [] : await otherProjectsLine(timing, task_type);
  if (told.seconds === null)
    throw others.length === 0 ? noHistory : new CommandError([noHistoryInWords(noHistory), ...others].join('\n'));
  if (json) edge.out(`${JSON.stringify({ estimate: told })}\n`);
  else edge.out(`${[...unseenLines(told, of), ...others].join('\n')}\n`);
  return 0;
}

/** Answers for which other projects tell nothing: they know the type no better, or the key of who asks is not for them. */
const NOTHING_ELSEWHERE = [NO_HISTORY, 'foreign_project'];

/** What other projects know of a type without history in the one that is asked about; empty where they know nothing. */
async function otherProjectsLine(timing: Clients['timing'], task_type: string): Promise<string[]> {
  const everywhere = { task_type, project: '*', agent_id: ALL_AGENTS };
  try {
    const { summary } = await timing.getSummary(everywhere);
    const { tasks } = await timing.listTasks({ ...everywhere, outcome: 'ok' });
    const projects = [...new Set(tasks.flatMap(({ project }) => project ?? []))].slice(0, NAMED_PROJECTS);
    return [`In other projects (${projects.join(', ')}) it takes ${usual(summary)}; ${ALL_PROJECTS} says more.`];
  } catch (error) {
    if (error instanceof ApiError && NOTHING_ELSEWHERE.includes(error.code)) return [];
    throw error;
  }
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
