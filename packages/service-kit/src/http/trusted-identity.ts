import type { IdentityOptions } from '@agent-faculties/agent-identity';
import { type OpenApiDocument, operationsOf } from '../contract/openapi.ts';
import type { FoundOperation } from '../validator-workarounds/operation-memory.ts';

/** What a request names, and who asks it. */
export interface NamedAgent {
  readonly operationId: string;
  /** Another than the agent that the request comes from; may be `*`. */
  readonly agentId: string;
  /** X-Role; null without one. */
  readonly role: string | null;
}

/** Whether an operation may name an agent that is not the one it comes from. */
export type MayName = (named: NamedAgent) => boolean;

/** The roles of the gateway, in X-Role. Each may what those before it may. */
const ROLES = ['agent-ro', 'agent-rw', 'team-admin', 'system-admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether who has `role` (X-Role, null without one) may do what needs `needed`. */
export function mayAct(role: string | null, needed: Role): boolean {
  return ROLES.indexOf(role as Role) >= ROLES.indexOf(needed);
}

/** The roles of people who run the service, as the gateway names them in X-Role. */
export const ADMIN_ROLES: ReadonlySet<string> = new Set(['team-admin', 'system-admin']);

/**
 * For identityMiddleware: X-Agent-ID decides who asks. What the contract gives no `agent_id`, such as /health and the clock,
 * comes from nobody in particular and needs no header.
 */
export function trustedIdentity(spec: OpenApiDocument, mayName: MayName): NonNullable<IdentityOptions['trusted']> {
  const speaking = new Set(
    operationsOf(spec).flatMap(({ operationId, parameters }) =>
      parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'agent_id') ? [operationId] : [],
    ),
  );
  return (req) => {
    const operationId = (req as { openapi?: FoundOperation }).openapi?.schema.operationId ?? '';
    return speaking.has(operationId) ? { mayName: (named) => mayName({ ...named, operationId }) } : null;
  };
}
