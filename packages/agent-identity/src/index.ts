export {
  ANY_AGENT,
  ANY_PROJECT,
  checkVisible,
  InvalidIdentityError,
  invisibleFault,
  MAX_ID_CHARACTERS,
  parseAgentId,
  parseProject,
  parseSessionId,
} from './agent-id.ts';
export {
  type Caller,
  type IdentitySources,
  projectScope,
  readCaller,
  readSpace,
  requireOneAgent,
  requireOneProject,
  requireVisibleNames,
} from './caller.ts';
export { headerText } from './header-text.ts';
export { type IdentityOptions, identityMiddleware } from './identity-middleware.ts';
export { DEFAULT_SPACE, isSpaceName, parseSpace } from './space.ts';
export {
  ForeignAgentError,
  ForeignProjectError,
  ForeignSpaceError,
  MissingIdentityError,
  readTrustedCaller,
  readTrustedSpace,
  type TrustedOptions,
} from './trusted-caller.ts';
