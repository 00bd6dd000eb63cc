// A scripted stand-in for the models of coding agents: it asks for one command, once, then says a fixed sentence. It speaks the
// four protocols that hosts speak to models, and keeps what it was asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../lib/port-of.mjs';

export const ANSWER = 'The command has run, and the window is on Tuesday.';
const SHELL_TOOL =
  /^(?:bash|shell|exec_command|shell_command|run_shell_command|execute_command|run_commands|local_shell)$/i;

/**
 * @returns {Promise<{ url: string, requests: object[], script: { command: string, isInBackground: boolean }, close: () => void }>} `script`:
 * what it asks for, which may be changed
 */
export async function startModel({ command }) {
  const requests = [];
  const script = { command, isInBackground: false };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      requests.push({ url: request.url, body });
      answer(request.url, body, { response, script });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, requests, script, close };
}

function answer(url, body, to) {
  if (url.includes('count_tokens')) return json(to, { input_tokens: 10 });
  if (url.includes('/messages')) return anthropic(body, to);
  if (url.includes('/responses')) return responses(body, to);
  if (url.includes('/chat/completions')) return completions(body, to);
  if (/countTokens/i.test(url)) return json(to, { totalTokens: 10 });
  if (/generateContent/i.test(url)) return gemini(url, body, to);
  if (url.endsWith('/models')) return json(to, { object: 'list', data: [{ id: 'stand-in', object: 'model' }] });
  to.response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":{"message":"not scripted"}}');
}

/** The call of the shell among the tools that the host offers, with arguments as its schema wants them. */
function shellCall(tools, { command, isInBackground }) {
  const tool = tools.find(({ name }) => SHELL_TOOL.test(name));
  if (!tool) return null;
  const fields = tool.schema?.properties ?? {};
  const args = {};
  if (fields.cmd) args.cmd = command;
  else if (fields.commands) args.commands = [command];
  else args.command = fields.command?.type === 'array' ? ['bash', '-lc', command] : command;
  if (fields.description) args.description = 'As asked';
  if (isInBackground) {
    for (const flag of ['run_in_background', 'is_background']) if (fields[flag]) args[flag] = true;
    if (fields.mode) args.mode = 'async';
  }
  return { name: tool.name, args };
}

let made = 0;
const id = (kind) => `${kind}_${++made}`;

function json({ response }, body) {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function stream({ response }, events) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/** https://docs.anthropic.com/en/api/messages-streaming */
function anthropic(body, to) {
  const messages = body.messages ?? [];
  const wasAsked = messages.some(
    ({ content }) => Array.isArray(content) && content.some((part) => part.type === 'tool_result'),
  );
  const tools = (body.tools ?? []).map(({ name, input_schema: schema }) => ({ name, schema }));
  const call = wasAsked ? null : shellCall(tools, to.script);
  const block = call
    ? { type: 'tool_use', id: id('toolu'), name: call.name, input: call.args }
    : { type: 'text', text: ANSWER };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const stop_reason = call ? 'tool_use' : 'end_turn';
  const message = { id: id('msg'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
  if (!body.stream) return json(to, { ...message, content: [block], stop_reason });
  stream(to, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: call ? { ...block, input: {} } : { type: 'text', text: '' },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: call
        ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
        : { type: 'text_delta', text: ANSWER },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function responses(body, to) {
  const items = Array.isArray(body.input) ? body.input : [];
  const wasAsked = items.some(({ type }) => /tool_call_output|function_call_output/.test(type ?? ''));
  const tools = (body.tools ?? []).map(({ name, type, parameters: schema }) => ({ name: name ?? type, schema }));
  const call = wasAsked ? null : shellCall(tools, to.script);
  const item = call
    ? {
        type: 'function_call',
        id: id('fc'),
        call_id: id('call'),
        name: call.name,
        arguments: JSON.stringify(call.args),
        status: 'completed',
      }
    : {
        type: 'message',
        id: id('item'),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
      };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const response = {
    id: id('resp'),
    object: 'response',
    status: 'completed',
    model: body.model,
    output: [item],
    usage,
  };
  stream(to, [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]);
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function completions(body, to) {
  const wasAsked = (body.messages ?? []).some(({ role }) => role === 'tool');
  const tools = (body.tools ?? []).map((tool) => ({ name: tool.function?.name, schema: tool.function?.parameters }));
  const call = wasAsked ? null : shellCall(tools, to.script);
  const calling = call && { name: call.name, arguments: JSON.stringify(call.args) };
  const message = call
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: id('call'), type: 'function', function: calling }],
      }
    : { role: 'assistant', content: ANSWER };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: id('chat'), created: 1, model: body.model };
  if (!body.stream) {
    return json(to, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
  }
  const chunk = { ...base, object: 'chat.completion.chunk' };
  stream(to, [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...chunk, choices: [], usage },
    '[DONE]',
  ]);
}

/** https://ai.google.dev/api/generate-content */
function gemini(url, body, to) {
  const wasAsked = (body.contents ?? []).some(({ parts = [] }) => parts.some((part) => part.functionResponse));
  const tools = (body.tools ?? [])
    .flatMap((tool) => tool.functionDeclarations ?? [])
    .map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters }));
  const call = wasAsked ? null : shellCall(tools, to.script);
  const part = call ? { functionCall: call } : { text: ANSWER };
  const answered = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  if (url.includes('stream')) stream(to, [answered]);
  else json(to, answered);
}
