export { ContractSchemas } from './contract-schemas.ts';
export { type McpEndpoint, mcpEndpoint } from './endpoint.ts';
export { type JsonSchema, objectOf, whole } from './json-schema.ts';
export { type Answered, type Call, OperationProblem } from './operation-calls.ts';
export type { PromptText } from './prompts.ts';
export type { ReadableResource } from './resources.ts';
export { slashAtEnd } from './slash-at-end.ts';
export { namedRules, systemPromptHandler } from './system-prompt.ts';
export { argumentFields, operationTool, type Tool } from './tool.ts';
