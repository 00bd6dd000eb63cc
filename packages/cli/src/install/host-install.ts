/** What a host has to know of the services and the hook program. */
export interface Target {
  readonly memoryUrl: string;
  readonly timingUrl: string;
  /** The agent id of the host. */
  readonly agentId: string;
  /** The project of all that the host says and asks; null for none that is fixed. */
  readonly project: string | null;
  /** null for that of the key, else the default one. */
  readonly space: string | null;
  /** Whether each request carries the key from the environment. */
  readonly hasKey: boolean;
  /** IANA name of the user's time zone. */
  readonly timeZone: string;
  /** Path of agent-faculties-hook.mjs. */
  readonly program: string;
  /** Path of agent-faculties.mjs. */
  readonly commandLine: string;
  /** Options with the addresses of the services, for a program that gets no environment; '' for the defaults. */
  readonly programOptions: string;
}

/**
 * Agent id, project and space, the same as in the hooks. Without an agent PRIVATE memories of a model would belong to the default one;
 * without a project tools see those of all.
 */
export const callerHeaders = ({ agentId, project, space }: Pick<Target, 'agentId' | 'project' | 'space'>) => ({
  'X-Agent-ID': headerValue(agentId),
  ...(project !== null && { 'X-Project': headerValue(project) }),
  ...(space !== null && { 'X-Space': headerValue(space) }),
});

/** fetch, by which hosts send it, refuses characters beyond U+00FF; the services read such a text from its UTF-8 bytes. */
function headerValue(text: string): string {
  const isLatin1 = [...text].every((character) => character <= '\u00ff');
  return isLatin1 ? text : Buffer.from(text).toString('latin1');
}

export interface Places {
  readonly scope: 'user' | 'project';
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One file of a host, and the change of its text. '' stands for a file that does not exist, before or after the change. */
export interface FileChange {
  readonly path: string;
  readonly install: (text: string) => string;
  readonly uninstall: (text: string) => string;
  readonly isProgram?: boolean;
}

export interface HostInstall {
  /** The name of the host, for people. */
  readonly title: string;
  readonly files: (places: Places, target: Target) => readonly FileChange[];
  /** Steps that the user has to take by hand, one line each. */
  readonly byHand: readonly string[];
  /** The scopes for which the host has files. */
  readonly scopes: readonly Places['scope'][];
}

/** The names of the MCP servers in the files of a host. */
export const MCP_NAMES = { memory: 'team-memory', timing: 'sense-of-time' } as const;
