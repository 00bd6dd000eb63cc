import { redactJson } from '@agent-faculties/redaction';
import type { Payload } from './hook-event.ts';
import { slimPayload } from './slim-payload.ts';

/** A payload for the spool: small, without secrets and `<private>` parts. A separate module, so that the hook program loads little. */
export function spoolablePayload(payload: Payload): Payload {
  const steps = redactJson(slimPayload(payload), { masks: true, counts: new Map() });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value as Payload;
}
