import { HOSTS, type HookEvent, type HostName, readMarks, wordsKey } from '@agent-faculties/agent-hooks';
import { type Caller, parseSessionId } from '@agent-faculties/agent-identity';
import { parseInstant } from '@agent-faculties/service-kit';
import type { Handlers, HookCalls } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import { SessionMap } from '../domain/cognition/session-map.ts';
import { type IngestDeps, type Ingested, ingest } from '../domain/ingest/ingest.ts';
import { FOR_GOOD, type Memory, type Role, type Scope, sourceOf } from '../domain/memory/memory.ts';
import { type RecallDeps, recall } from '../domain/recall/recall.ts';
import { seeksNothing } from '../domain/recall/relevance/says-nothing.ts';
import { formatInstant, milliseconds } from '../wire/instant.ts';

/** Most memories for one prompt; the relevance of each decides whether it is given. */
const TOP_K = 8;
/** Hosts put at most 10,000 characters before a prompt, and more than that into a file. */
const CONTEXT_CHARACTERS = 4_000;
/** What the user asks to remember matters more than what only looks important. */
const REMEMBERED_IMPORTANCE = 0.9;
const REMEMBER_TAG = 'remember';
/** Most sessions for which a `#skip` of the last prompt is remembered. */
const MOST_SESSIONS = 10_000;

/** What a session told in this time stands in the window of the host's model: recalling it would tell it twice. */
const OWN_WINDOW_MS = 3_600_000;

export type HookDeps = IngestDeps &
  RecallDeps & {
    readonly calls: HookCalls;
    readonly skipping: SkippingSessions;
    /** Of what hooks store. */
    readonly scope: Scope;
  };

/** A prompt, and whether it said `#skip`. */
interface Turn {
  readonly atMs: number;
  readonly skips: boolean;
}

/** The last turns of each session, the earliest first: of all spaces, because one may be closed before the reply comes. */
export type SkippingSessions = SessionMap<Turn[]>;

/** How far the clock of a host, which dates what is delivered late, may be from that of the service, which dates the rest. */
const CLOCKS_APART_MS = 5_000;
/** Of each session: a reply that is delivered late may belong to an earlier turn than the last one. */
const TURNS_KEPT = 50;

export function skippingSessions(): SkippingSessions {
  return new SessionMap({ most: MOST_SESSIONS });
}

interface Sent {
  readonly host: HostName;
  readonly event: HookEvent;
  readonly caller: Caller;
  /** When an event that is delivered late happened; null: it happens now, and the host waits for the answer. */
  readonly atMs: number | null;
}

interface Taken {
  readonly context: string;
  readonly ingested: Ingested | null;
}

const NOTHING: Taken = { context: '', ingested: null };

export function hookHandlers(deps: HookDeps): Pick<Handlers<operations>, 'receiveHook' | 'listHooks'> {
  const { calls, clock } = deps;
  return {
    receiveHook: async ({ path: { host }, query, body, caller, recordWrite }) => {
      const startedMs = clock.now();
      const event = HOSTS[host].read(body, query.event ?? null);
      if (event === null) {
        calls.note({ caller, host, event: 'other', result: 'ignored', startedMs });
        return { status: 200, body: {} };
      }
      const atMs = query.at === undefined ? null : Math.min(parseInstant(query.at, 'query/at'), startedMs);
      const speaker = { ...caller, sessionId: caller.sessionId ?? sessionOf(event) };
      const { context, ingested } = await take(deps, { host, event, caller: speaker, atMs });
      const id = ingested?.stored?.memory.id;
      if (id !== undefined) recordWrite(ingested?.duplicate ? 'duplicates' : 'memories', [id]);
      const result = context !== '' ? 'context' : id !== undefined ? 'recorded' : 'ignored';
      calls.note({ caller, host, event: event.kind, result, startedMs });
      return { status: 200, body: context === '' ? {} : { ...HOSTS[host].withContext(event, context) } };
    },
    listHooks: ({ caller }) => ({
      status: 200,
      body: {
        hooks: calls.lastOf(caller).map(({ caller, host, event, result, atMs, tookMs }) => ({
          agent_id: caller?.agentId ?? null,
          host,
          event: event as HookEvent['kind'] | 'other',
          result,
          at: formatInstant(atMs),
          took_ms: milliseconds(tookMs),
        })),
      },
    }),
  };
}

/** Null for a text that is not a valid session id. */
function sessionOf({ sessionId }: HookEvent): string | null {
  try {
    return sessionId === null ? null : parseSessionId(sessionId, 'body session_id');
  } catch {
    return null;
  }
}

async function take(deps: HookDeps, sent: Sent): Promise<Taken> {
  const { event, caller } = sent;
  const atMs = sent.atMs ?? deps.clock.now();
  const turns = () => deps.skipping.getOrCreate(caller, () => []);
  if (event.kind === 'prompt') {
    const { skips, remembers, text } = readMarks(event.text);
    noteTurn(turns(), { atMs, skips });
    return skips || text === '' ? NOTHING : await takePrompt(deps, sent, { text, remembers });
  }
  if (event.kind !== 'reply' || event.text.trim() === '' || isOfSkippedTurn(turns(), atMs)) return NOTHING;
  return { context: '', ingested: await store(deps, sent, { text: event.text, role: 'assistant', remembers: false }) };
}

function noteTurn(turns: Turn[], turn: Turn): void {
  const place = turns.findLastIndex(({ atMs }) => atMs <= turn.atMs) + 1;
  turns.splice(place, 0, turn);
  if (turns.length > TURNS_KEPT) turns.shift();
}

/**
 * A reply belongs to the last prompt before it, however late either is delivered. Where the clocks leave it open which one that is, it is
 * rather left out.
 */
function isOfSkippedTurn(turns: readonly Turn[], repliedMs: number): boolean {
  const last = turns.findLastIndex(({ atMs }) => atMs <= repliedMs);
  const may = turns.slice(Math.max(0, last)).filter(({ atMs }) => atMs <= repliedMs + CLOCKS_APART_MS);
  return may.some(({ skips }) => skips);
}

async function takePrompt(
  deps: HookDeps,
  sent: Sent,
  { text, remembers }: { readonly text: string; readonly remembers: boolean },
): Promise<Taken> {
  const ingested = await store(deps, sent, { text, role: 'user', remembers });
  if (sent.atMs !== null || seeksNothing(text)) return { context: '', ingested };
  const { context } = await recall(deps, sent.caller, {
    query: ingested.stored?.memory.content ?? text,
    topK: TOP_K,
    minScore: 0,
    filter: {},
    nowMs: null,
    explain: false,
    strengthen: true,
    context: { maxCharacters: CONTEXT_CHARACTERS, maxTokens: null, style: 'lines' },
    exceptId: ingested.stored?.memory.id ?? null,
    isTold: ownWindow(deps, sent.caller),
    alreadyRead: ingested.alreadyRead,
  });
  return { context, ingested };
}

/** Whether a memory is of this very conversation, and recent. */
function ownWindow({ clock }: HookDeps, { agentId, sessionId }: Caller): (memory: Memory) => boolean {
  const since = clock.now() - OWN_WINDOW_MS;
  return (memory) =>
    sessionId !== null && memory.sessionId === sessionId && memory.agentId === agentId && memory.createdAt >= since;
}

interface Said {
  readonly text: string;
  readonly role: Role;
  readonly remembers: boolean;
}

/** Stores what was said, with the directory in which it was said. */
async function store(deps: HookDeps, sent: Sent, { text, role, remembers }: Said): Promise<Ingested> {
  const { host, event, caller, atMs } = sent;
  return await ingest(deps, caller, {
    content: text,
    role,
    name: null,
    source: sourceOf(role),
    scope: deps.scope,
    tags: remembers ? [REMEMBER_TAG] : [],
    importance: remembers ? REMEMBERED_IMPORTANCE : null,
    timestampMs: atMs,
    validity: FOR_GOOD,
    supersedes: [],
    maySupersedeOthers: false,
    metadata: { host, ...(event.cwd !== null && { cwd: event.cwd }) },
    idempotencyKey: wordsKey({ host, event }, { role, text }),
    isKeyOfWords: true,
    isUrgent: true,
  });
}
