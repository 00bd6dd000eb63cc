import { type Answered, type ContractSchemas, operationTool, type Tool } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { contradictionLines } from './contradiction-lines.ts';
import { PROJECT, PROJECT_ASKED } from './tool-fields.ts';

const DEFAULT_CONTRADICTIONS = 20;

export function contradictionsTool(schemas: ContractSchemas): Tool<operations> {
  const tool = operationTool<operations, 'listContradictions'>(schemas, {
    name: 'contradictions',
    title: 'Contradictions',
    description:
      'List what memories disagree about, most certain first: both statements, who made them and when, and why they cannot ' +
      'both be true. Look before you rely on a figure, a date, a version or a decision. Tell the user about the ones that ' +
      'matter and settle them with judge. Those between speakers are listed, and include_same_agent adds the others.',
    role: 'agent-ro',
    effect: 'reads',
    operationId: 'listContradictions',
    arguments: {
      agent_ids: 'Only those that this agent takes part in, or several agents among themselves.',
      include_same_agent: 'true: also what one agent told of one speaker differently at different times.',
      states: 'open (the default), resolved, dismissed.',
      threshold: 'Least score, 0.3 to 1; 0.6 unless given.',
      limit: `How many at most (${DEFAULT_CONTRADICTIONS} unless given).`,
      project: PROJECT_ASKED,
    },
    defaults: { limit: DEFAULT_CONTRADICTIONS },
  });
  return {
    ...tool,
    run: async (given, call) => {
      const data = (await tool.run(given, call)).data as Answered<operations['listContradictions']>;
      // A model that reads "none" would not ask for those of one speaker, so it hears how many there are.
      const all = given.include_same_agent
        ? data
        : (await call('listContradictions', { ...given, include_same_agent: true, limit: 1 })).body;
      return { data, text: contradictionLines({ ...data, ofOneSpeaker: all.total - data.total }) };
    },
  };
}

export function judgeTool(schemas: ContractSchemas): Tool<operations> {
  return operationTool(schemas, {
    name: 'judge',
    title: 'Judge a contradiction',
    description:
      'Settle a contradiction: say which memory holds (winner), that both may stand (dismiss), or that it is open again ' +
      '(reopen). Ask the user unless it is plain which one is right, and say in note why. The other memory stays stored and ' +
      'ranks behind. Who decided is kept with the decision, and a later decision replaces it.',
    role: 'team-admin',
    effect: 'changes',
    operationId: 'resolveContradiction',
    arguments: {
      id: 'Of the contradiction, from contradictions.',
      winner: 'Id of the memory that holds. Exactly one of winner, dismiss and reopen.',
      dismiss: 'true: both may stand, and the pair is not reported again.',
      reopen: 'true: takes a decision back.',
      note: 'Why, in a sentence, and who said so.',
      project: PROJECT,
    },
    answer: ({ body }) => ({ data: body, text: contradictionLines({ contradictions: [body.contradiction] }) }),
  });
}
