import {
  ContractSchemas,
  type McpEndpoint,
  mcpEndpoint,
  namedRules,
  systemPromptHandler,
} from '@agent-faculties/mcp-kit';
import type { Logger } from '@agent-faculties/service-kit';
import type { Contract, Handler, Metrics } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { coreTools } from './core-tools.ts';
import { opentimeTools } from './opentime-tools.ts';
import { timingPrompts } from './prompts.ts';
import { timingResources } from './resources.ts';
import { RULES } from './rules.ts';

/** For a model, before it has seen a tool. */
const INSTRUCTIONS = `A sense of time: how long things really take here, learnt from what you and other agents did before.
Start a task before anything that takes more than a few seconds (a build, a test run, a download, a search, a piece of work) and
end it with its outcome, failures too. Use the same task type for the same kind of work, such as "npm test" or "tool:search".
Expect before you set a timeout or promise a time; check while something runs; compare before you choose between ways.
Now tells the time and what is running, also after a pause. Figures come with how many runs stand behind them: say so.`;

export interface TimingMcpDeps {
  readonly contract: Contract;
  readonly version: string;
  readonly checkRoles: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The operations that do what the six tools do. */
const OPERATIONS = {
  start: 'startTask',
  end: 'endTask',
  expect: 'recommendTimeout',
  check: 'checkTimeout',
  compare: 'compareApproaches',
  now: 'getNow',
} as const;

/** What models are told and offered. */
export interface TimingMcp extends McpEndpoint {
  /** Answers getPrompt. */
  readonly systemPrompt: Handler<operations['getPrompt']>;
}

export function timingMcp({ contract, ...deps }: TimingMcpDeps): TimingMcp {
  const schemas = new ContractSchemas(contract.spec);
  const core = coreTools(schemas);
  const opentime = opentimeTools(schemas);
  const endpoint = mcpEndpoint<operations>({
    ...deps,
    name: 'agent-faculties-timing',
    title: 'Sense of time',
    instructions: INSTRUCTIONS,
    schemas,
    tools: ({ tools }) => (tools === 'opentime' ? opentime : core),
    resources: timingResources,
    prompts: timingPrompts(namedRules(RULES, core, (name) => name)),
  });
  const systemPrompt = systemPromptHandler<operations>({
    service: 'timing',
    rules: RULES,
    tools: core,
    operations: OPERATIONS,
    schemas,
    behindGateway: deps.checkRoles,
  });
  return { ...endpoint, systemPrompt };
}
