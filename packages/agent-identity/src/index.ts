export { ANY_AGENT, InvalidIdentityError, MAX_ID_CHARACTERS, parseAgentId, parseSessionId } from './agent-id.ts';
export { type Caller, type IdentitySources, readCaller, requireOneAgent } from './caller.ts';
export { headerText } from './header-text.ts';
export { type IdentityOptions, identityMiddleware } from './identity-middleware.ts';
export { ForeignAgentError, MissingIdentityError, readTrustedCaller, type TrustedOptions } from './trusted-caller.ts';
