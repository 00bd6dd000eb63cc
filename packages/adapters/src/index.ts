export { type FacultyTools, type FacultyToolsOptions, facultyTools } from './faculty-tools.ts';
export type { FunctionTool, JsonSchema, ToolResult } from './function-tool.ts';
export { McpError } from './mcp-call.ts';
export type { AnthropicBlock, GeminiPart, OpenAiResponseItem, OpenAiToolCall } from './provider-forms.ts';
