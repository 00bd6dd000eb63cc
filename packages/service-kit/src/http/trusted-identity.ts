import type { IdentityOptions } from '@agent-faculties/agent-identity';
import { operationIdOf } from '../contract/found-operation.ts';
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts';

/** The agent that a request names, and the role of the caller. */
export interface NamedAgent {
  readonly operationId: string;
  /** Not the agent of the caller; may be `*`. */
  readonly agentId: string;
  /** X-Role; null without one. */
  readonly role: string | null;
}

/** Whether an operation may name an agent other than the caller. */
export type MayName = (named: NamedAgent) => boolean;

/** The roles of the gateway, in X-Role. Each may what those before it may. */
const ROLES = ['agent-ro', 'agent-rw', 'team-admin', 'system-admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a caller with `role` (X-Role, null without one) may do what requires `needed`. */
export function mayAct(role: string | null, needed: Role): boolean {
  return ROLES.indexOf(role as Role) >= ROLES.indexOf(needed);
}

/** The roles of people who run the service, as the gateway names them in X-Role. */
export const ADMIN_ROLES: ReadonlySet<string> = new Set(['team-admin', 'system-admin']);

/**
 * The option `trusted` of identityMiddleware: X-Agent-ID names the caller. Operations without `agent_id` in the contract, such as
 * /health and the clock, need no header.
 */
export function trustedIdentity(spec: OpenApiDocument, mayName: MayName): NonNullable<IdentityOptions['trusted']> {
  const speaking = new Set(
    operationsOf(spec).flatMap(({ operationId, parameters }) =>
      parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'agent_id') ? [operationId] : [],
    ),
  );
  return (req) => {
    const operationId = operationIdOf(req);
    return speaking.has(operationId) ? { mayName: (named) => mayName({ ...named, operationId }) } : null;
  };
}
