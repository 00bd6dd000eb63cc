import { ANY_AGENT, InvalidIdentityError, parseAgentId, parseProject, parseSessionId } from './agent-id.ts';
import { type Caller, type IdentitySources, saidInBody, saidInHeader, saidInQuery } from './caller.ts';
import { DEFAULT_SPACE, parseSpace } from './space.ts';

/** The request bypassed the gateway: no header names its agent. */
export class MissingIdentityError extends Error {
  constructor() {
    super(
      'The header X-Agent-ID is missing, which the gateway sets from the key: send the request to the gateway, with your key.',
    );
    this.name = 'MissingIdentityError';
  }
}

/** The request names an agent other than its caller; `field` says where: 'query agent_id', 'body agent_id'. */
export class ForeignAgentError extends Error {
  readonly field: string;

  constructor(field: string, { agentId }: { readonly agentId: string }) {
    super(
      `${field} names another agent than the one of your key, which is '${agentId}': leave it out, or use the key of that agent.`,
    );
    this.name = 'ForeignAgentError';
    this.field = field;
  }
}

/** The request is not in a project of its key; `field` says where one is named or missing: 'query project', 'header X-Project'. */
export class ForeignProjectError extends Error {
  readonly field: string;

  constructor(field: string, { fault, projects }: { readonly fault: string; readonly projects: readonly string[] }) {
    super(
      `${field} ${fault}: your key is for ${projects.map((project) => `'${project}'`).join(', ')}, name one of these.`,
    );
    this.name = 'ForeignProjectError';
    this.field = field;
  }
}

/** The request names a space other than the one of its key; `field` says where: 'query space'. */
export class ForeignSpaceError extends Error {
  readonly field: string;

  constructor(field: string, { space }: { readonly space: string }) {
    super(
      `${field} names another space than the one of your key, which is '${space}': leave it out, or use a key of that space.`,
    );
    this.name = 'ForeignSpaceError';
    this.field = field;
  }
}

export interface TrustedOptions {
  /** Whether a caller with this role (X-Role, null without one) may name this other agent. */
  readonly mayName: (named: { readonly agentId: string; readonly role: string | null }) => boolean;
}

/**
 * Reads agent, session and project where a gateway has set X-Agent-ID to the caller. A request may repeat that agent in query and
 * body. It may name another agent there only if `mayName` allows it; the answer is then about that agent. Where the gateway has set
 * X-Allowed-Projects (names with commas between them), every project that the request names must be one of them. Its space is
 * {@link readTrustedSpace}.
 * @throws MissingIdentityError without the header
 * @throws ForeignAgentError when another agent is named
 * @throws ForeignProjectError when another project is named, or none where there are several
 * @throws ForeignSpaceError when another space is named
 * @throws InvalidIdentityError for an invalid id
 */
export function readTrustedCaller(sources: IdentitySources, { mayName }: TrustedOptions): Caller {
  const header = saidInHeader(sources, 'X-Agent-ID');
  if (!header) throw new MissingIdentityError();
  const own = oneAgent(header.value, header.field);
  const role = saidInHeader(sources, 'X-Role')?.value ?? null;
  const others = [saidInQuery(sources, 'agent_id'), saidInBody(sources, 'agent_id')].flatMap((said) => {
    if (!said || said.value === own) return [];
    const agentId = parseAgentId(said.value, said.field);
    if (!mayName({ agentId, role })) throw new ForeignAgentError(said.field, { agentId: own });
    return [agentId];
  });
  return {
    agentId: others[0] ?? own,
    sessionId: sessionOf(sources),
    project: projectOf(sources),
    space: readTrustedSpace(sources),
  };
}

/**
 * The space where a gateway has set X-Space to the one of the key; the default space without that header. A request may repeat it in
 * the query.
 * @throws ForeignSpaceError when another one is named
 * @throws InvalidIdentityError for what is no name of a space
 */
export function readTrustedSpace(sources: IdentitySources): string {
  const header = saidInHeader(sources, 'X-Space');
  const own = header ? parseSpace(header.value, header.field) : DEFAULT_SPACE;
  const named = saidInQuery(sources, 'space');
  if (named && parseSpace(named.value, named.field) !== own) throw new ForeignSpaceError(named.field, { space: own });
  return own;
}

function oneAgent(value: string, field: string): string {
  if (value !== ANY_AGENT) return parseAgentId(value, field);
  throw new InvalidIdentityError(field, `${field} is '*', but a caller is one agent: use the key of one agent.`);
}

function sessionOf(sources: IdentitySources): string | null {
  const said =
    saidInQuery(sources, 'session_id') ?? saidInBody(sources, 'session_id') ?? saidInHeader(sources, 'X-Session-ID');
  return said && parseSessionId(said.value, said.field);
}

function projectOf(sources: IdentitySources): string | null {
  const named = [
    saidInQuery(sources, 'project'),
    saidInBody(sources, 'project'),
    saidInHeader(sources, 'X-Project'),
  ].flatMap((said) => (said ? [{ project: parseProject(said.value, said.field), field: said.field }] : []));
  const allowed = saidInHeader(sources, 'X-Allowed-Projects');
  if (!allowed) return named[0]?.project ?? null;
  const projects = allowed.value.split(',');
  for (const { project, field } of named) {
    if (!projects.includes(project)) throw new ForeignProjectError(field, { fault: 'names another project', projects });
  }
  const [first] = named.length > 0 ? named.map(({ project }) => project) : projects;
  if (named.length === 0 && projects.length > 1) {
    throw new ForeignProjectError('header X-Project', { fault: 'is missing', projects });
  }
  return first as string;
}
