import { callerHeaders, type Target } from './host-install.ts';

/** A plugin of OpenCode that calls both services. OpenCode loads plain JavaScript from a folder. */
export function opencodePlugin({ memoryUrl, timingUrl, timeZone, ...caller }: Target): string {
  const urls = {
    memory: `${memoryUrl}/hooks/opencode`,
    timing: `${timingUrl}/hooks/opencode?time_zone=${encodeURIComponent(timeZone)}`,
  };
  // Functions, because in a plain text a dollar would be read as a pattern.
  return PLUGIN.replace('$URLS', () => JSON.stringify(urls)).replace('$CALLER', () =>
    JSON.stringify(callerHeaders(caller)),
  );
}

const PLUGIN = `// Written by: agent-faculties install opencode. It is replaced by the next call, and removed by uninstall.
const URLS = $URLS;
const CALLER = $CALLER;
/** At a prompt; nothing else waits for an answer. */
const LIMIT_MS = 300;

/** \`tell\` gets what was not taken, in a sentence. */
async function post(url, body, tell) {
  const headers = { 'Content-Type': 'application/json', ...CALLER };
  const key = process.env.AGENT_FACULTIES_KEY;
  if (key) headers.Authorization = 'Bearer ' + key;
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (answer.ok) return await answer.json();
    const { detail = answer.statusText } = await answer.json().catch(() => ({}));
    tell('The event ' + body.event + ' is left out: ' + answer.status + ' of ' + new URL(url).host + ': ' + detail);
  } catch {
    // The service is away, or takes too long.
  }
  return {};
}

const textOf = (parts) => parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text).join('\\n');

/** Of a command that ended by itself, by its exit code; of one that was ended, by what the tool says of it behind the output. */
const failureOf = ({ exit, output }) => {
  if (exit) return 'exit code ' + exit;
  const at = exit === null && typeof output === 'string' ? output.lastIndexOf('<shell_metadata>') : -1;
  return at === -1 ? '' : output.slice(at + '<shell_metadata>'.length);
};

export const AgentFaculties = async ({ client, directory }) => {
  /** To the log of OpenCode: the terminal is the user's. */
  const tell = (message) => {
    const body = { service: 'agent-faculties', level: 'warn', message };
    void client?.app.log({ body }).catch(() => {});
  };
  const sent = new Map();
  const replies = new Map();
  const roles = new Map();
  let made = 0;
  const kept = (map, key, value) => {
    map.set(key, value);
    if (map.size > 1000) map.delete(map.keys().next().value);
  };
  const onPart = (part) => {
    if (part.type === 'text' && roles.get(part.messageID) === 'assistant' && part.text) {
      kept(replies, part.sessionID, part.text);
    }
    const { status, time, error, metadata } = part.state ?? {};
    if (part.type !== 'tool' || (status !== 'completed' && status !== 'error') || sent.has(part.callID)) return;
    kept(sent, part.callID, true);
    const { sessionID, tool, callID } = part;
    const duration_ms = time?.end - time?.start;
    const failure = error || failureOf(metadata ?? {});
    void post(URLS.timing, {
      event: 'tool.execute.after', sessionID, directory, tool, callID, args: part.state.input,
      ...(Number.isFinite(duration_ms) && { duration_ms }), ...(failure && { error: String(failure).slice(0, 2000) }),
    }, tell);
  };
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const text = textOf(parts);
      if (!text.trim()) return;
      const body = { event: 'chat.message', sessionID, messageID: message.id, directory, text };
      kept(sent, sessionID, message.id);
      replies.delete(sessionID);
      const answers = await Promise.all(Object.values(URLS).map((url) => post(url, body, tell)));
      const context = answers.flatMap((answer) => (typeof answer.context === 'string' ? [answer.context] : []));
      if (context.length === 0) return;
      const id = 'prt_' + message.id.slice(4) + 'zz' + made++;
      parts.push({ id, sessionID, messageID: message.id, type: 'text', text: context.join('\\n\\n'), synthetic: true });
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      void post(URLS.timing, { event: 'tool.execute.before', sessionID, directory, tool, callID, args }, tell);
    },
    event: async ({ event }) => {
      const { type, properties } = event;
      if (type === 'message.updated') kept(roles, properties.info.id, properties.info.role);
      else if (type === 'message.part.updated') onPart(properties.part);
      else if (type === 'session.idle') {
        const { sessionID } = properties;
        const body = { event: type, sessionID, messageID: sent.get(sessionID), directory, text: replies.get(sessionID) ?? '' };
        replies.delete(sessionID);
        await Promise.all(Object.values(URLS).map((url) => post(url, body, tell)));
      }
    },
  };
};
// agent-faculties-hook
`;
