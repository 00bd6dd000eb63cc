export type { ServerEvent } from './answers.ts';
export type { Around, AroundOptions, ChatMessage, Recollection } from './around.ts';
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  FacultiesError,
  type Fault,
  ForbiddenError,
  InternalError,
  InvalidRequestError,
  MisdirectedRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  type Problem,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { Line } from './lines.ts';
export type { components as MemorySchemas } from './memory.gen.ts';
export { MEMORY_URL, type MemoryClient, memoryClient } from './memory-client.ts';
export type { Call, JsonObject, Paged } from './methods.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export type { Runtime } from './runtime.ts';
export type { components as TimingSchemas } from './timing.gen.ts';
export { TIMING_URL, type TimingClient, timingClient } from './timing-client.ts';
export type { TaskOptions, WithTask } from './with-task.ts';
