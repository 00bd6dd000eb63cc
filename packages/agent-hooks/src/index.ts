export { failureOf } from './failure.ts';
export type { HookEvent, ToolCall } from './hook-event.ts';
export { callKey, callLikeness, stampKey, turnKey, wordsKey } from './hook-key.ts';
export { HOST_NAMES, HOSTS, type HostName } from './hosts.ts';
export { readMarks } from './prompt-marks.ts';
export { slimPayload } from './slim-payload.ts';
export { nameInType, taskTypeOf } from './task-type.ts';
