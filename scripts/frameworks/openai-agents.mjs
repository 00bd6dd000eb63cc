// An agent of the OpenAI Agents SDK with a scripted model and the tools of both services.
import { match } from 'node:assert/strict';
import { facultyTools } from '@agent-faculties/adapters';
import { agentsTools } from '@agent-faculties/adapters/openai-agents';
import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents';

setTracingDisabled(true);
const { MEMORY_URL: memoryUrl, TIMING_URL: timingUrl } = process.env;
const calls = [
  ['memory_remember', { content: 'The release train leaves on Thursday.', source: 'user', name: 'Dana' }],
  ['memory_recall', { query: 'When does the release train leave?' }],
  ['memory_get', { id: 'none' }],
  ['timing_now', {}],
];
const asked = [];
const model = {
  getResponse: async (request) => {
    asked.push(request);
    const [name, given] = calls.shift() ?? [];
    if (name) {
      const call = { type: 'function_call', callId: name, name, arguments: JSON.stringify(given), status: 'completed' };
      return { usage: new Usage(), output: [call] };
    }
    const text = request.input
      .filter(({ type }) => type === 'function_call_result')
      .map(({ output }) => JSON.stringify(output))
      .join('\n');
    const message = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    };
    return { usage: new Usage(), output: [message] };
  },
};
const faculties = await facultyTools({ memoryUrl, timingUrl, agentId: 'agents' });
const agent = new Agent({ name: 'Planner', model, tools: agentsTools(faculties, tool) });
const { finalOutput } = await run(agent, 'When does the release train leave?');
match(finalOutput, /Dana \(told by agents\).*Thursday/);
match(finalOutput, /unknown_memory/);
match(finalOutput, /It is 20\d\d-/);
match(JSON.stringify(asked[0].tools), /"memory_recall"/);
console.log('an agent remembers, recalls and learns what it did wrong');
