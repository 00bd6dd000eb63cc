import type { Handler } from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import type { ContractSchemas } from './contract-schemas.ts';
import type { Tool } from './tool.ts';

/**
 * How a model reaches a service: as the tools of an MCP host, as functions of a program (packages/adapters), or by requests over
 * HTTP that it makes itself.
 */
export type PromptMode = 'mcp' | 'tools' | 'rest';

export interface SystemPromptOptions<Operations> {
  /** Before the names of functions: `memory` makes `memory_recall`. */
  readonly service: string;
  /** How to work with the service; names of tools stand in braces, such as {recall}. */
  readonly rules: string;
  readonly tools: readonly Tool<Operations>[];
  /** For each tool the operation that does the same. */
  readonly operations: Readonly<Record<string, keyof Operations & string>>;
  readonly schemas: ContractSchemas;
  /** Whether a gateway stands in front, whose address the service does not know. */
  readonly behindGateway: boolean;
}

/** A handler of `GET /prompt`. All names come from the tools and the contract. @throws Error for a tool without an operation */
export function systemPromptHandler<Operations>(
  options: SystemPromptOptions<Operations>,
): Handler<{ parameters: { query?: { mode?: PromptMode } } }> {
  const texts = {
    mcp: toolPrompt(options, (name) => name),
    tools: toolPrompt(options, (name) => `${options.service}_${name}`),
    rest: restPrompt(options),
  };
  return ({ query, req, res }) => {
    const mode = query.mode ?? 'mcp';
    const text = mode === 'rest' ? `${texts.rest}\n\n${howToAsk(req, options)}` : texts[mode];
    res.status(200).type('text/plain; charset=utf-8').send(`${text}\n`);
    return undefined;
  };
}

/** The rules with the names that a model knows the tools by. @throws Error for a name that no tool has */
export function namedRules(
  rules: string,
  tools: readonly { readonly name: string }[],
  nameOf: (tool: string) => string,
): string {
  const known = new Set(tools.map(({ name }) => name));
  return rules.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    if (!known.has(name)) throw new Error(`The rules name ${name}, which is no tool.`);
    return nameOf(name);
  });
}

function toolPrompt<Operations>(
  { rules, tools }: SystemPromptOptions<Operations>,
  nameOf: (tool: string) => string,
): string {
  const lines = tools.map(({ name, description, input }) => {
    const needed = (input.required ?? []).map((argument) => `\`${argument}\``).join(', ');
    return `- \`${nameOf(name)}\`${needed && ` (${needed})`}: ${firstSentence(description)}`;
  });
  return [namedRules(rules, tools, (name) => `\`${nameOf(name)}\``), '', 'Tools, with what each needs:', ...lines].join(
    '\n',
  );
}

function restPrompt<Operations>({ rules, tools, operations, schemas }: SystemPromptOptions<Operations>): string {
  const located = (tool: string) => {
    const operationId = operations[tool];
    if (operationId === undefined) throw new Error(`The tool ${tool} has no operation in the prompt.`);
    return schemas.operation(operationId);
  };
  const requestOf = (tool: string) => {
    const { method, path } = located(tool);
    return `\`${method.toUpperCase()} ${path}\``;
  };
  // The contract says what a request does: a tool may ask several of them, and tell more than this one answers.
  const lines = tools.map(({ name }) => {
    const { operationId } = located(name);
    const given = argumentsInWords(schemas, operationId);
    return `- ${requestOf(name)}${given && ` (${given})`}: ${schemas.summary(operationId)}`;
  });
  return [namedRules(rules, tools, requestOf), '', 'Requests, with what each takes:', ...lines].join('\n');
}

/** "query `since`; body `query`, optional `tags`" */
function argumentsInWords(schemas: ContractSchemas, operationId: string): string {
  const all = [...schemas.argumentsOf(operationId)].filter(([name]) => name !== 'agent_id');
  const listed = (place: string, { required }: { required: boolean }) =>
    all
      .filter(([, one]) => one.place === place && one.required === required)
      .map(([name]) => `\`${name}\``)
      .join(', ');
  return (['query', 'header', 'body'] as const)
    .flatMap((place) => {
      const needed = listed(place, { required: true });
      const optional = listed(place, { required: false });
      if (!needed && !optional) return [];
      return [`${place} ${[needed, optional && `optional ${optional}`].filter((part) => part).join(', ')}`];
    })
    .join('; ');
}

function howToAsk(req: Request, { behindGateway }: SystemPromptOptions<never>): string {
  const where = behindGateway
    ? 'the address of the gateway, with your key as a Bearer token'
    : `http://${req.get('host')}`;
  return [
    `Send requests to ${where}. Bodies and answers are JSON. Say who you are in the header X-Agent-ID.`,
    'An error is JSON too: its detail says what to do. Fields of the path and of the query are percent-encoded.',
  ].join('\n');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
