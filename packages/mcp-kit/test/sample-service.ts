import { createLog, InvalidInputError, ManualClock, NotFoundError, timeOrderedIds } from '@agent-faculties/service-kit';
import {
  createMetrics,
  createServiceApp,
  listen,
  openContract,
  type ServiceAppOptions,
} from '@agent-faculties/service-kit/http';
import { ContractSchemas, jsonRpcProblem, mcpEndpoint, operationTool, type Tool, whole } from '../src/index.ts';

interface Note {
  readonly name: string;
  readonly text: string;
  readonly weight?: number;
}
interface WrittenNote extends Note {
  readonly by: string;
  readonly heard: object;
}
interface Answers<Body> {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': Body } } };
}

/** What openapi-typescript makes of sample-service.openapi.yaml, cut to what the handlers need. */
export interface SampleOperations {
  writeNote: { requestBody: { content: { 'application/json': Note } } } & Answers<WrittenNote>;
  readNote: { parameters: { path: { name: string }; query?: { line?: number } } } & Answers<WrittenNote>;
  postMcp: Answers<object>;
}

const contract = openContract(new URL('./sample-service.openapi.yaml', import.meta.url), { validateResponses: true });

export type SampleOptions = Pick<Partial<ServiceAppOptions<SampleOperations>>, 'redact' | 'bodyLimitBytes'> & {
  readonly trusted?: boolean;
};

/** A service with two operations, each of them a tool, and with what the conformance suite asks a test server for. */
export async function startSampleService({ trusted = false, ...options }: SampleOptions = {}) {
  const clock = new ManualClock(0);
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ name: 'sample', level: 'info', destination });
  const metrics = createMetrics({ processMetrics: false });
  const schemas = new ContractSchemas(contract.spec);
  const tools = sampleTools(schemas);
  const mcp = mcpEndpoint<SampleOperations>({
    name: 'sample',
    title: 'Sample',
    version: '1.0.0',
    instructions: 'Write notes.',
    schemas,
    tools: () => tools,
    resources: [
      {
        name: 'static',
        title: 'Static',
        description: 'Says the same always',
        uri: 'test://static-text',
        mimeType: 'text/plain',
        read: async () => 'This is the content of the static text resource.',
      },
      {
        name: 'template',
        title: 'Template',
        description: 'Says its id',
        uri: 'test://template/{id}/data',
        mimeType: 'application/json',
        read: async ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
      {
        name: 'note',
        title: 'Note',
        description: 'A note',
        uri: 'note://{name}',
        mimeType: 'text/plain',
        list: async () => [{ uri: 'note://a', name: 'a' }],
        read: async ({ name }, call) => (await call('readNote', { name })).body.text,
      },
    ],
    prompts: [
      {
        name: 'test_simple_prompt',
        title: 'Simple',
        description: 'Says the same always',
        arguments: {},
        text: async () => 'This is a simple prompt for testing.',
      },
      {
        name: 'test_prompt_with_arguments',
        title: 'With arguments',
        description: 'Says its arguments',
        arguments: {
          arg1: { description: 'First test argument', required: true },
          arg2: { description: 'Second test argument', required: true },
        },
        text: async ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      },
    ],
    checkRoles: trusted,
    metrics,
    log,
  });
  const notes = new Map<string, WrittenNote>();
  const app = createServiceApp<SampleOperations>({
    contract,
    handlers: {
      writeNote: ({ body, caller, req, recordWrite }) => {
        const { traceparent, 'x-request-id': request_id } = req.headers;
        const note = { ...body, by: caller.agentId, heard: { traceparent, request_id, session: caller.sessionId } };
        notes.set(body.name, note);
        recordWrite('notes', [body.name]);
        return { status: 200, body: note };
      },
      readNote: ({ path, query, req }) => {
        if (path.name === 'bug') throw new Error('a fault of the service');
        const note = notes.get(path.name);
        if (!note) throw new NotFoundError(`There is no note ${path.name}: write it.`, { code: 'unknown_note' });
        const heard = { line: query.line ?? null, if_match: req.get('If-Match') ?? null };
        return { status: 200, headers: { ETag: '"7"' }, body: { ...note, heard } };
      },
      postMcp: mcp.handler as never,
    },
    log,
    metrics,
    clock,
    ids: timeOrderedIds(clock),
    defaultAgentId: 'default',
    bodyLimitBytes: 64 * 1024,
    allowAnyAgent: new Set(),
    errorForm: jsonRpcProblem,
    trustedHeader: trusted ? { mayName: () => false } : undefined,
    ...options,
  });
  const { server, address } = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: `${address.url}/mcp`,
    app,
    lines,
    metrics,
    notes,
    endStreams: mcp.endStreams,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sampleTools(schemas: ContractSchemas): Tool<SampleOperations>[] {
  return [
    operationTool(schemas, {
      name: 'write_note',
      title: 'Write',
      description: 'Write a note.',
      role: 'agent-rw',
      effect: 'adds',
      operationId: 'writeNote',
      arguments: { name: 'Of the note.', text: true, weight: true },
    }),
    operationTool(schemas, {
      name: 'read_note',
      title: 'Read',
      description: 'Read a note.',
      role: 'agent-ro',
      effect: 'reads',
      operationId: 'readNote',
      arguments: { name: 'Of the note.', line: true, 'If-Match': 'The version.' },
      renamed: { 'If-Match': 'version' },
      answer: ({ body, header }) => ({ data: { ...body, version: header('ETag') }, text: body.text }),
    }),
    {
      name: 'test_simple_text',
      title: 'Simple text',
      description: 'Says the same always.',
      role: 'agent-ro',
      effect: 'reads',
      input: whole({}),
      output: whole({}),
      run: async () => ({ data: {}, text: 'This is a simple text response for testing.' }),
    },
    {
      name: 'test_error_handling',
      title: 'Error',
      description: 'Fails always.',
      role: 'agent-ro',
      effect: 'reads',
      input: whole({}),
      output: whole({}),
      run: () => {
        throw new InvalidInputError('This tool intentionally returns an error for testing.');
      },
    },
  ];
}
