import { redactJson } from '@agent-faculties/redaction';
import type { Payload } from './hook-event.ts';
import { slimPayload } from './slim-payload.ts';

/** A payload that may wait in a file: small, without secrets and without `<private>` parts. In a file of its own, so that little is loaded for it. */
export function spoolablePayload(payload: Payload): Payload {
  const steps = redactJson(slimPayload(payload), { masks: true, counts: new Map() });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value as Payload;
}
