import { argumentFields, type ContractSchemas, objectOf, type Tool, whole } from '@agent-faculties/mcp-kit';
import type { components, operations } from '../api.gen.ts';
import {
  elsewhereOf,
  historyOf,
  nullWithoutHistory,
  recentOf,
  scopeOf,
  type Tried,
  triedOf,
  widerOf,
} from './history.ts';
import { duration, elsewhere, endedOtherwise, ofLate, range, triedInWords, usual } from './in-words.ts';
import { OF, orNull, PROJECT_ASKED, TASK_TYPE } from './tool-fields.ts';

type Schemas = components['schemas'];

/** Most task types. */
const TOLD_TYPES = 30;

export function expectTool(schemas: ContractSchemas): Tool<operations> {
  return {
    name: 'expect',
    title: 'Expect a duration',
    description:
      'Ask how long a kind of work takes here and which timeout to set, from what was measured: median, p95 with its interval, ' +
      'how many runs failed, a recommended and a conservative timeout. Use it before you set a timeout, wait, or tell the user ' +
      'how long something takes. Where you have fewer than five runs of your own, those of all agents are answered, else what is like it.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf(
      argumentFields(schemas, 'recommendTimeout', {
        task_type: TASK_TYPE,
        percentile: 'The share of runs that the timeout shall let end (0.95 unless given).',
        safety_margin: 'Factor between that and the timeout, at least 1 (1.2 unless given).',
        project: PROJECT_ASKED,
      }),
    ),
    output: whole({
      task_type: { type: 'string' },
      of: OF,
      summary: orNull(schemas.component('Summary')),
      recommendation: orNull(schemas.component('Recommendation')),
      estimate: orNull(schemas.component('DurationEstimate')),
    }),
    run: async ({ task_type: asked, project, ...advice }, call) => {
      const history = await historyOf(call, { task_type: asked, project });
      if (!history) {
        // It knows nothing of the type, and refuses what means nothing.
        await nullWithoutHistory(call('recommendTimeout', { task_type: asked, project, ...advice }));
        const { estimate } = (await call('estimateDuration', { task_type: asked, project })).body;
        const known = await call('listTaskTypes', { agent_id: '*', project });
        return withoutHistory(estimate, {
          tried: await triedOf(call, { task_type: asked, project }),
          known: known.body.task_types,
          inOthers: elsewhere(await elsewhereOf(call, asked), 'other projects'),
        });
      }
      // As it is kept: "npm  test" is "npm test".
      const { task_type } = history.summary;
      const answer = await call('recommendTimeout', { task_type, ...advice, ...scopeOf(history) });
      const { recommendation } = answer.body;
      const { recommended_seconds, conservative_seconds, confidence, warning } = recommendation;
      const isSafer = conservative_seconds > recommended_seconds;
      const safer = isSafer ? `, conservative: ${duration(conservative_seconds)}` : '';
      const recent = await recentOf(call, history);
      const sentences = [
        `${task_type} takes ${usual(history.summary)}, of ${history.of}.`,
        ...endedOtherwise(history.summary),
        ...ofLate(recent),
        `Recommended timeout: ${duration(recommended_seconds)}${safer} (confidence ${confidence}).`,
        ...(warning === null ? [] : [warning]),
        elsewhere(await widerOf(call, history), 'all projects'),
      ];
      return {
        data: { task_type, of: history.of, summary: history.summary, recommendation, estimate: recent },
        text: sentences.filter(Boolean).join(' '),
      };
    },
  };
}

interface Beside {
  readonly tried: readonly Tried[];
  /** All task types. */
  readonly known: readonly string[];
  /** What other projects know of the type. */
  readonly inOthers: string;
}

/** The answer for a task type without history: what became of it, and an estimate from similar types. */
function withoutHistory(estimate: Schemas['DurationEstimate'], { tried, known, inOthers }: Beside) {
  const { task_type, similar } = estimate;
  const like = similar.map((type) => `${type.task_type} (${duration(type.median_seconds)})`).join(', ');
  const others = known.filter((type) => type !== task_type).slice(0, TOLD_TYPES);
  const sentences = [
    `No task of the type ${task_type} has ended ok yet: start and end one, and set a generous timeout now.`,
    triedInWords(tried),
    inOthers,
    likely(estimate, tried),
    like && `Like it: ${like}.`,
    others.length > 0 ? `Other types: ${others.join(', ')}.` : '',
  ];
  return {
    data: { task_type, of: null, summary: null, recommendation: null, estimate },
    text: sentences.filter(Boolean).join(' '),
  };
}

function likely(estimate: Schemas['DurationEstimate'], tried: readonly Tried[]): string {
  const { seconds, source } = estimate;
  if (seconds === null) return '';
  const isCutOff = tried.some(({ outcome, summary }) => outcome !== 'error' && summary.max_seconds >= seconds);
  return source === 'other_types' && !isCutOff
    ? `Other work takes ${duration(seconds)} mostly, which says little of this${range(estimate)}.`
    : `It may take ${duration(seconds)}, as far as is known${range(estimate)}.`;
}
