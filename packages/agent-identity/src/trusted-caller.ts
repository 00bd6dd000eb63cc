import { ANY_AGENT, InvalidIdentityError, parseAgentId, parseSessionId } from './agent-id.ts';
import { type Caller, type IdentitySources, saidInBody, saidInHeader, saidInQuery } from './caller.ts';

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

export interface TrustedOptions {
  /** Whether a caller with this role (X-Role, null without one) may name this other agent. */
  readonly mayName: (named: { readonly agentId: string; readonly role: string | null }) => boolean;
}

/**
 * Reads agent and session where a gateway has set X-Agent-ID to the caller. A request may repeat that agent in query and body. It
 * may name another agent there only if `mayName` allows it; the answer is then about that agent.
 * @throws MissingIdentityError without the header
 * @throws ForeignAgentError when another agent is named
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
  return { agentId: others[0] ?? own, sessionId: sessionOf(sources) };
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
