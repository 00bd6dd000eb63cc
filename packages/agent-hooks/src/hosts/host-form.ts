import { isInBackground } from '../background.ts';
import type { Happening, HookEvent, Host, Outcome, Payload, ToolCall } from '../hook-event.ts';
import { own, textField } from '../payload-fields.ts';

/** What the hosts have in common: a name of the event, a reader for each name, and fields that say where it happened. */
export interface HostForm {
  /** By the name of the event; a reader gives null for a payload that this host does not send. */
  readonly readers: Readonly<Record<string, (payload: Payload) => Happening | null>>;
  /** @param given the name beside the payload; null where there is none */
  readonly nameOf: (payload: Payload, given: string | null) => string | null;
  readonly originOf: (payload: Payload) => Pick<HookEvent, 'sessionId' | 'turnId' | 'stamp' | 'cwd'>;
  readonly withContext: Host['withContext'];
}

export function hostOf({ readers, nameOf, originOf, withContext }: HostForm): Host {
  return {
    read: (payload, given) => {
      const name = nameOf(payload, given);
      const happening = name !== null && Object.hasOwn(readers, name) ? readers[name]?.(payload) : null;
      return happening && name !== null ? { ...happening, name, ...originOf(payload) } : null;
    },
    withContext,
  };
}

/** With these a host itself speaks to the model, as if the user did, when something in the background has ended: Claude Code, Copilot CLI. */
const NOTIFICATIONS = ['task-notification', 'system_notification'] as const;

/** Null for a prompt without words of the user. */
export function promptOf(text: string | null): Happening | null {
  if (text === null) return null;
  const said = NOTIFICATIONS.reduce(without, text);
  if (said.trim() === '') return null;
  return { kind: 'prompt', text: said === text ? text : said.trim() };
}

/** A text without the elements of a name. */
function without(text: string, name: string): string {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  let kept = '';
  let at = 0;
  for (;;) {
    const from = text.indexOf(begin, at);
    const to = from === -1 ? -1 : text.indexOf(end, from);
    if (to === -1) return kept + text.slice(at);
    kept += text.slice(at, from);
    at = to + end.length;
  }
}

/** @param fields the names of the fields in this host; `id` is null where the host gives calls no ids */
export function callOf(
  payload: Payload,
  fields: { readonly tool: string; readonly id: string | null; readonly input: string },
): ToolCall | null {
  const tool = textField(payload, fields.tool);
  const id = fields.id === null ? null : textField(payload, fields.id);
  return tool === null ? null : { id, tool, input: own(payload, fields.input) };
}

/** Null for a call in the background. */
export function startedOf(call: ToolCall | null): Happening | null {
  return call && !isInBackground(call) ? { kind: 'tool_started', call } : null;
}

/** Null for a call in the background. @param outcome null: what the call started runs on behind it */
export function endedOf(call: ToolCall | null, outcome: Outcome | null, durationMs: number | null): Happening | null {
  return call && !isInBackground(call) ? { kind: 'tool_ended', call, outcome, durationMs } : null;
}
