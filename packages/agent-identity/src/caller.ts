import type { IncomingHttpHeaders } from 'node:http';
import { ANY_AGENT, InvalidIdentityError, parseAgentId, parseSessionId } from './agent-id.ts';
import { headerText } from './header-text.ts';

/** Who is asking. Nothing here is verified: a gateway in front decides which agent id a key may use. */
export interface Caller {
  /** `*` only where an operation may read for all agents. */
  readonly agentId: string;
  readonly sessionId: string | null;
}

/** Where an identity may stand, in the order of precedence. */
export interface IdentitySources {
  readonly query?: Record<string, unknown> | undefined;
  readonly body?: unknown;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Reads agent and session: query parameter, then body field, then header (`X-Agent-ID`, `X-Session-ID`), then the
 * default agent and no session. An empty string counts as absent, so that a client may send an unset variable.
 * @throws InvalidIdentityError when the first source that is present holds no valid id
 */
export function readCaller(sources: IdentitySources, options: { readonly defaultAgentId: string }): Caller {
  const agent = firstPresent(sources, { parameter: 'agent_id', header: 'X-Agent-ID' });
  const session = firstPresent(sources, { parameter: 'session_id', header: 'X-Session-ID' });
  return {
    agentId: agent ? parseAgentId(agent.value, agent.field) : options.defaultAgentId,
    sessionId: session ? parseSessionId(session.value, session.field) : null,
  };
}

/** The caller, when it is one agent. @throws InvalidIdentityError for `*`, which owns nothing and can write nothing */
export function requireOneAgent(caller: Caller): Caller {
  if (caller.agentId !== ANY_AGENT) return caller;
  throw new InvalidIdentityError(
    'agent_id',
    "'*' means all agents and is only understood by operations that read for all of them: name one agent in agent_id or X-Agent-ID.",
  );
}

interface Names {
  readonly parameter: string;
  readonly header: string;
}

function firstPresent(sources: IdentitySources, { parameter, header }: Names): { value: string; field: string } | null {
  const places = [
    { field: `query ${parameter}`, value: sources.query?.[parameter] },
    { field: `body ${parameter}`, value: ownField(sources.body, parameter) },
    { field: `header ${header}`, value: sources.headers[header.toLowerCase()] },
  ];
  for (const { field, value } of places) {
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value)) throw new InvalidIdentityError(field, `${field} is given more than once: send it once.`);
    if (typeof value !== 'string') throw new InvalidIdentityError(field, `${field} is not text: send a string.`);
    return { field, value: field.startsWith('header ') ? headerText(value) : value };
  }
  return null;
}

function ownField(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}
