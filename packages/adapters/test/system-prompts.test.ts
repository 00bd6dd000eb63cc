import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LiveServices, startLiveServices } from '../../client/test/live-services.ts';
import { type FunctionTool, facultyTools } from '../src/index.ts';

let services: LiveServices;
beforeAll(async () => {
  services = await startLiveServices();
});
afterAll(() => services.close());

const SERVICES = ['memory', 'timing'] as const;
type Service = (typeof SERVICES)[number];

const urlOf = (service: Service) =>
  String(service === 'memory' ? services.memoryUrl : services.timingUrl).replace(/\/$/, '');

async function promptOf(service: Service, query = ''): Promise<string> {
  const answer = await fetch(`${urlOf(service)}/prompt${query}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  return await answer.text();
}

/** What a prompt names: all that stands between backticks. */
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
/** A line of the list: a name, and the names in the brackets behind it. */
const listed = (text: string) =>
  [...text.matchAll(/^- `([^`]+)`(?: \(([^)]*)\))?: (.+)$/gm)].map(([, name, given, about]) => ({
    name: name as string,
    given: namesIn(given ?? ''),
    about: about as string,
  }));
const argumentsOf = ({ parameters }: FunctionTool) => Object.keys(parameters.properties as object);

describe.each(SERVICES)('the prompt of the %s service', (service) => {
  async function functionsOf(): Promise<readonly FunctionTool[]> {
    const other = { [service === 'memory' ? 'timingUrl' : 'memoryUrl']: null };
    const { memoryUrl, timingUrl } = services;
    return (await facultyTools({ memoryUrl, timingUrl, ...other })).tools;
  }

  test.each(['tools', 'mcp'])('names the tools that a model has, and no others (%s)', async (mode) => {
    const text = await promptOf(service, `?mode=${mode}`);
    const tools = await functionsOf();
    const named = (name: string) => (mode === 'mcp' ? name.replace(`${service}_`, '') : name);
    expect(listed(text).map(({ name }) => name)).toEqual(tools.map(({ name }) => named(name)));
    for (const { name, given, about } of listed(text)) {
      const tool = tools.find((one) => named(one.name) === name) as FunctionTool;
      expect(argumentsOf(tool)).toEqual(expect.arrayContaining(given));
      expect(tool.description.startsWith(about.slice(0, -1))).toBe(true);
    }
    const known = new Set([...tools.map(({ name }) => named(name)), ...tools.flatMap(argumentsOf)]);
    expect(namesIn(text).filter((name) => !known.has(name))).toEqual([]);
  });

  test('names requests of the contract, and where to send them (rest)', async () => {
    const text = await promptOf(service, '?mode=rest');
    const contract = (await (await fetch(`${urlOf(service)}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { summary: string }>>;
    };
    const requests = new Set(
      Object.entries(contract.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    expect(listed(text)).toHaveLength((await functionsOf()).length);
    const inContract = JSON.stringify(contract);
    for (const { name, given, about } of listed(text)) {
      const [method = '', path = ''] = name.split(' ');
      expect(about).toBe(contract.paths[path]?.[method.toLowerCase()]?.summary);
      for (const argument of given) expect(inContract).toContain(`"${argument}"`);
    }
    const named = namesIn(text).filter((name) => name.includes(' '));
    expect(named.filter((name) => !requests.has(name))).toEqual([]);
    expect(text).toContain(urlOf(service));
  });

  test('is that of MCP unless told otherwise, and refuses other modes', async () => {
    expect(await promptOf(service)).toBe(await promptOf(service, '?mode=mcp'));
    expect((await fetch(`${urlOf(service)}/prompt?mode=soap`)).status).toBe(422);
  });
});
