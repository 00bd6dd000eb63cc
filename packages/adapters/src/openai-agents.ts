import type { FacultyTools } from './faculty-tools.ts';

/**
 * The tools of both services for an agent of `@openai/agents`; `tool` is that of the SDK:
 * `new Agent({ tools: agentsTools(await facultyTools(), tool) })`. A call that fails tells the model what to do.
 */
export function agentsTools<Tool>(faculties: FacultyTools, tool: (options: never) => Tool): Tool[] {
  return faculties.tools.map(({ name, description, parameters }) => {
    const options = {
      name,
      description,
      parameters,
      // Strict would ask for every field, and allow no default.
      strict: false,
      execute: async (input: unknown, _context?: unknown, details?: { signal?: AbortSignal }) =>
        (await faculties.run(name, input, details?.signal)).text,
    };
    return tool(options as never);
  });
}
