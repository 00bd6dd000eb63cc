import { argumentFields, type ContractSchemas, type JsonSchema, objectOf, type Tool } from '@agent-faculties/mcp-kit';
import { InvalidInputError } from '@agent-faculties/service-kit';
import type { components, operations } from '../api.gen.ts';
import { FOREIGN_PROJECT, nullWithout } from './history.ts';
import { comparisonInWords } from './in-words.ts';
import { OF, PROJECT_ASKED } from './tool-fields.ts';

type Schemas = components['schemas'];

export function compareTool(schemas: ContractSchemas): Tool<operations> {
  const { properties, required } = schemas.answer('compareApproaches') as Comparable;
  return {
    name: 'compare',
    title: 'Compare ways to do something',
    description:
      'Ask which of several ways to reach a goal is fastest, from measured durations: each way is a list of steps with a task ' +
      'type, and an estimate where there is no history. The answer tells the expected total of each, how likely it is the ' +
      'fastest, and whether the difference means anything. Where your own history tells too little, that of all agents is compared.',
    role: 'agent-ro',
    effect: 'reads',
    input: objectOf(
      argumentFields(schemas, 'compareApproaches', {
        approaches:
          'Such as [{"name": "full build", "steps": [{"task_type": "build"}, {"task_type": "npm test", "estimated_seconds": 60}]}].',
        project: PROJECT_ASKED,
      }),
    ),
    output: { type: 'object', properties: { ...properties, of: OF }, required: [...required, 'of'] },
    run: async (given, call) => {
      if (Array.isArray(given.approaches) && given.approaches.length < 2)
        throw new InvalidInputError(
          'Give two ways or more in approaches; expect says how long one kind of work takes.',
        );
      const own = (await call('compareApproaches', given)).body;
      const pooled = isThin(own) ? (await call('compareApproaches', { ...given, agent_id: '*' })).body : own;
      const isPooled = isThin(own) && (!isThin(pooled) || stepsWithHistory(pooled) > stepsWithHistory(own));
      const of = isPooled ? 'all agents' : 'this agent';
      const told = isPooled ? pooled : own;
      const text = comparisonInWords(told, of);
      if (!isThin(told)) return { data: { ...told, of }, text };
      const asked = call('compareApproaches', { ...given, agent_id: '*', project: '*' });
      const inAll = (await nullWithout([FOREIGN_PROJECT], asked))?.body;
      const isKnownElsewhere = inAll !== undefined && stepsWithHistory(inAll) > stepsWithHistory(told);
      return { data: { ...told, of }, text: isKnownElsewhere ? `${text}\n${ELSEWHERE}` : text };
    },
  };
}

const ELSEWHERE = 'Other projects have history of more of these steps: ask with project "*".';

interface Comparable extends JsonSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required: readonly string[];
}

function isThin({ verdict, approaches }: Schemas['Comparison']): boolean {
  return verdict === 'insufficient_data' || approaches.some(({ ranked }) => !ranked);
}

function stepsWithHistory({ approaches }: Schemas['Comparison']): number {
  return approaches.flatMap(({ steps }) => steps).filter((step) => step.has_historical_data).length;
}
