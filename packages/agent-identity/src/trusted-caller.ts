import { ANY_AGENT, InvalidIdentityError, parseAgentId, parseSessionId } from './agent-id.ts';
import { type Caller, type IdentitySources, saidInBody, saidInHeader, saidInQuery } from './caller.ts';

/** The request came past the gateway: it must come from an agent, and no header says from which. */
export class MissingIdentityError extends Error {
  constructor() {
    super(
      'The header X-Agent-ID is missing, which the gateway sets from the key: send the request to the gateway, with your key.',
    );
    this.name = 'MissingIdentityError';
  }
}

/** The request names another agent than the one it comes from; `field` says where: 'query agent_id', 'body agent_id'. */
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
  /** Whether a request of this role (X-Role, null without one) may name that agent although it comes from another. */
  readonly mayName: (named: { readonly agentId: string; readonly role: string | null }) => boolean;
}

/**
 * Reads agent and session where X-Agent-ID was set by a gateway that knows who asks. A request may repeat that agent in query
 * and body; where it names another one that it may name, that is the agent of the answer.
 * @throws MissingIdentityError without the header
 * @throws ForeignAgentError when another agent is named
 * @throws InvalidIdentityError for what is no id
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
  throw new InvalidIdentityError(
    field,
    `${field} is '*', and all agents cannot ask: let the key be that of one agent.`,
  );
}

function sessionOf(sources: IdentitySources): string | null {
  const said =
    saidInQuery(sources, 'session_id') ?? saidInBody(sources, 'session_id') ?? saidInHeader(sources, 'X-Session-ID');
  return said && parseSessionId(said.value, said.field);
}
