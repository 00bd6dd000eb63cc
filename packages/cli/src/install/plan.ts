/** Where the services and the hook program are, as a host is told. */
export interface Target {
  readonly memoryUrl: string;
  readonly timingUrl: string;
  /** Who the host's agent is. */
  readonly agentId: string;
  /** Whether a key from the environment goes with each request. */
  readonly hasKey: boolean;
  /** IANA name of the user's time zone. */
  readonly timeZone: string;
  /** Path of agent-faculties-hook.mjs. */
  readonly program: string;
  /** Where the services are, for a program that is not told by its environment; '' for the defaults. */
  readonly programOptions: string;
}

export interface Places {
  readonly scope: 'user' | 'project';
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One file of a host, and what becomes of its text. '' is a file that does not exist, or is to be deleted. */
export interface FileChange {
  readonly path: string;
  readonly install: (text: string) => string;
  readonly uninstall: (text: string) => string;
  readonly isProgram?: boolean;
}

export interface HostInstall {
  /** What a person calls the host. */
  readonly title: string;
  readonly files: (places: Places, target: Target) => readonly FileChange[];
  /** What is left to do by hand, one line each. */
  readonly byHand: readonly string[];
  /** Scopes that the host has files for. */
  readonly scopes: readonly Places['scope'][];
}

/** Names under which a host knows the MCP servers. */
export const MCP_NAMES = { memory: 'team-memory', timing: 'sense-of-time' } as const;
