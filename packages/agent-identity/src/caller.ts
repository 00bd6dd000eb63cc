import type { IncomingHttpHeaders } from 'node:http';
import {
  ANY_AGENT,
  ANY_PROJECT,
  checkVisible,
  InvalidIdentityError,
  parseAgentId,
  parseProject,
  parseSessionId,
} from './agent-id.ts';
import { headerText } from './header-text.ts';
import { DEFAULT_SPACE, parseSpace } from './space.ts';

/** The caller of a request, not verified; see {@link readTrustedCaller} for a service behind a gateway. */
export interface Caller {
  /** `*` only where an operation may read for all agents. */
  readonly agentId: string;
  readonly sessionId: string | null;
  /** Null where none is named; `*` only where an operation asks, see {@link projectScope}. */
  readonly project: string | null;
  /** The tenant: a request sees and changes what is in its space, and nothing else. */
  readonly space: string;
}

/** Where an identity may stand, in the order of precedence. */
export interface IdentitySources {
  readonly query?: Record<string, unknown> | undefined;
  readonly body?: unknown;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Reads agent, session and project: query parameter, then body field, then header (`X-Agent-ID`, `X-Session-ID`, `X-Project`), then
 * the default agent, no session and no project. The space stands in the query or in `X-Space`, never in a body, because a service has to
 * know it before it reads one. An empty string counts as absent, so that a client may send an unset variable. Blanks
 * around the value of a header never come here: HTTP leaves them out (RFC 9110, section 5.5).
 * @throws InvalidIdentityError when the first source that is present holds no valid id
 */
export function readCaller(sources: IdentitySources, options: { readonly defaultAgentId: string }): Caller {
  const agent = firstPresent(sources, { parameter: 'agent_id', header: 'X-Agent-ID' });
  const session = firstPresent(sources, { parameter: 'session_id', header: 'X-Session-ID' });
  const project = firstPresent(sources, { parameter: 'project', header: 'X-Project' });
  return {
    agentId: agent ? parseAgentId(agent.value, agent.field) : options.defaultAgentId,
    sessionId: session ? parseSessionId(session.value, session.field) : null,
    project: project ? parseProject(project.value, project.field) : null,
    space: readSpace(sources),
  };
}

/** The space of a request; the default one where none is named. @throws InvalidIdentityError */
export function readSpace(sources: IdentitySources): string {
  const said = saidInQuery(sources, 'space') ?? saidInHeader(sources, 'X-Space');
  return said ? parseSpace(said.value, said.field) : DEFAULT_SPACE;
}

/** Returns a caller that is one agent. @throws InvalidIdentityError for `*`, which cannot own or write anything */
export function requireOneAgent(caller: Caller): Caller {
  if (caller.agentId !== ANY_AGENT) return caller;
  throw new InvalidIdentityError(
    'agent_id',
    "'*' means all agents and is only understood by operations that read for all of them: name one agent in agent_id or X-Agent-ID.",
  );
}

/** Returns a caller who names one project or none. @throws InvalidIdentityError for `*`, in which nothing can be written */
export function requireOneProject(caller: Caller): Caller {
  if (caller.project !== ANY_PROJECT) return caller;
  throw new InvalidIdentityError(
    'project',
    "'*' means all projects and is only understood by operations that read: name one project in project or X-Project, or none.",
  );
}

/**
 * Returns a caller whose agent and project have no invisible characters, which would make two names of what looks like one. What was
 * stored under such a name earlier can still be asked for and deleted. @throws InvalidIdentityError
 */
export function requireVisibleNames(caller: Caller): Caller {
  checkVisible(caller.agentId, 'agent_id');
  if (caller.project !== null) checkVisible(caller.project, 'project');
  return caller;
}

/** The project that a question is asked in; null where it is about all. */
export function projectScope({ project }: Caller): string | null {
  return project === ANY_PROJECT ? null : project;
}

interface Names {
  readonly parameter: string;
  readonly header: string;
}

/** A value of a request and its place: 'query agent_id'. */
export interface Said {
  readonly value: string;
  readonly field: string;
}

function firstPresent(sources: IdentitySources, { parameter, header }: Names): Said | null {
  return saidInQuery(sources, parameter) ?? saidInBody(sources, parameter) ?? saidInHeader(sources, header);
}

export function saidInQuery({ query }: IdentitySources, parameter: string): Said | null {
  return textOf(query?.[parameter], `query ${parameter}`);
}

export function saidInBody({ body }: IdentitySources, parameter: string): Said | null {
  return textOf(ownField(body, parameter), `body ${parameter}`);
}

export function saidInHeader({ headers }: IdentitySources, header: string): Said | null {
  const said = textOf(headers[header.toLowerCase()], `header ${header}`);
  return said && { ...said, value: headerText(said.value) };
}

/** Null for an absent value. @throws InvalidIdentityError for a value that is not text */
function textOf(value: unknown, field: string): Said | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value)) throw new InvalidIdentityError(field, `${field} is given more than once: send it once.`);
  if (typeof value !== 'string') throw new InvalidIdentityError(field, `${field} is not text: send a string.`);
  return { value, field };
}

function ownField(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}
