export {
  type AnthropicBlock,
  type FacultyTools,
  type FacultyToolsOptions,
  type FunctionTool,
  facultyTools,
  type GeminiPart,
  type JsonSchema,
  type OpenAiResponseItem,
  type OpenAiToolCall,
  type ToolResult,
} from './faculty-tools.ts';
export { McpError } from './mcp-call.ts';
