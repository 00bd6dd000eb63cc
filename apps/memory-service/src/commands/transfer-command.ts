import { basename, join } from 'node:path';
import {
  type Clock,
  type CommandEdge,
  configOrExit,
  createLog,
  EXIT_FAILED,
  EXIT_USAGE,
} from '@agent-faculties/service-kit';
import { type JsonFields, listed, loadSpec, redactLine } from '@agent-faculties/service-kit/http';
import { KeyedLock } from '../domain/concurrency/keyed-lock.ts';
import { rewritingAsMerge } from '../domain/editing/rewrite.ts';
import type { VectorModel } from '../domain/embedding/vector-model.ts';
import type { StoredMemory } from '../domain/memory/memory-store.ts';
import { withDryRunStore } from '../domain/transfer/dry-run-store.ts';
import type { MergeReport } from '../domain/transfer/merge.ts';
import { isDerived } from '../domain/transfer/merge-record.ts';
import { pull } from '../domain/transfer/pull.ts';
import { push, pushable } from '../domain/transfer/push.ts';
import { type Remote, RemoteError } from '../domain/transfer/remote.ts';
import { MOST_MEMORIES } from '../persistence/copy/store-contents.ts';
import type { ProcessName } from '../persistence/directory/lock-holder.ts';
import { foldersOfOthers } from '../persistence/directory/space-folders.ts';
import { storedModel } from '../persistence/directory/stored-model.ts';
import { DataDirectoryError } from '../persistence/files/data-directory-error.ts';
import { type OpenStore, openStore } from '../persistence/open-store.ts';
import { CONTRACT } from '../wire/contract-file.ts';
import { memoryRecordReader, transferLine } from '../wire/memory-record.ts';
import { redactedRecord } from '../wire/redacted-record.ts';
import { count, ProgressBar, type ProgressOutput } from './progress-bar.ts';
import { remoteClient } from './remote-client.ts';
import { commandVariables, PULL_FIELDS, PUSH_FIELDS, type TransferConfig } from './transfer-config.ts';

export interface TransferEdge extends CommandEdge {
  readonly clock: Clock;
  readonly process: ProcessName;
  /** Takes the progress bar. */
  readonly progress: ProgressOutput;
  readonly fetch: typeof fetch;
  /** Waits between two attempts. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** How many ids the summary names for one reason. */
const IDS_SHOWN = 3;

const COMMANDS = {
  push: { fields: PUSH_FIELDS, description: 'sends the memories of a local store to a server', run: pushAll },
  pull: {
    fields: PULL_FIELDS,
    description: 'brings what all agents may see from a server to a local store',
    run: pullAll,
  },
} as const;

/** Runs the command and resolves to the exit code. */
export async function runTransferCommand(name: keyof typeof COMMANDS, edge: TransferEdge): Promise<number> {
  const { fields, description, run } = COMMANDS[name];
  const command = `memory-service ${name}`;
  const config = configOrExit({
    ...edge,
    name: command,
    description,
    prefix: 'MEMORY_',
    fields,
    env: commandVariables(edge.env),
  });
  const { dataDir, url } = config;
  if (dataDir === null || url === null) {
    const missing = [...(dataDir === null ? ['--data-dir'] : []), ...(url === null ? [`--${fields.url.flag}`] : [])];
    edge.err(`${command}: ${missing.join(' and ')} must be given.\nSee ${command} --help.\n`);
    return EXIT_USAGE;
  }
  const remote = remoteClient({
    url,
    apiKey: config.apiKey,
    space: config.space,
    fetch: edge.fetch,
    pause: edge.pause,
  });
  try {
    await run({ config: { ...config, dataDir, url }, remote, edge });
    return 0;
  } catch (error) {
    if (!(error instanceof RemoteError || error instanceof DataDirectoryError)) throw error;
    edge.err(`${command}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}

interface Run {
  readonly config: TransferConfig & { readonly dataDir: string; readonly url: URL };
  readonly remote: Remote;
  readonly edge: TransferEdge;
}

async function pushAll({ config, remote, edge }: Run): Promise<void> {
  const stored = await storedModel(config.dataDir);
  const otherSpaces = await otherSpacesText(config.dataDir);
  if (!stored) {
    throw new DataDirectoryError(
      otherSpaces === ''
        ? `${config.dataDir} holds no memories: name the folder of a memory-service.`
        : `The default space of ${config.dataDir} holds no memories. ${otherSpaces}`,
    );
  }
  const { model } = stored;
  const isSameModel = model !== null && model.id === (await remote.state()).model?.id;
  const opened = await open(config.dataDir, model, edge);
  try {
    const nowMs = edge.clock.now();
    const said: StoredMemory[] = [];
    // The other server derives its own semantic memories. What has expired is in no batch: its words go nowhere.
    for await (const batch of opened.store.scanAll()) said.push(...batch.filter(({ memory }) => !isDerived(memory)));
    const memories = said.map(({ memory, strength }) => ({
      memory,
      line: async () => {
        const vectors = isSameModel ? await opened.store.vectorsOf(memory.id) : [];
        return transferLine({ memory, strength }, { nowMs, model, vectors });
      },
    }));
    const total = pushable(memories, config).length;
    edge.out(`${count(total)} memories of ${config.dataDir} go to ${config.url}${dryRunNote(config)}.\n`);
    if (otherSpaces !== '') edge.out(`${otherSpaces}\n`);
    const staying = memories.length - total;
    if (staying > 0) edge.out(`${count(staying)} PRIVATE ones stay: --include-private sends them too.\n`);
    const summary = await withBar(new ProgressBar(total, edge.progress), (onProgress) =>
      push(remote, memories, { ...config, onProgress }),
    );
    edge.out(summaryText({ ...summary, received: summary.sent, rejectedCount: summary.rejected.length }));
    edge.out(reasonsText(summary.rejected));
  } finally {
    await opened.close();
  }
}

async function pullAll({ config, remote, edge }: Run): Promise<void> {
  const { memories, model: remoteModel } = await remote.state();
  const stored = await storedModel(config.dataDir);
  // A new store takes the model of the server, so that the vectors of the server fit.
  const { model } = stored ?? { model: remoteModel };
  const isMade = stored !== null || !config.dryRun;
  const opened = await open(isMade ? config.dataDir : null, model, edge);
  const { store } = opened;
  try {
    edge.out(`About ${count(memories)} memories of ${config.url} come to ${config.dataDir}${dryRunNote(config)}.\n`);
    const options = {
      nowMs: Math.floor(edge.clock.now()),
      callerAgentId: config.agentId,
      callerProject: null,
      model,
      knownEntities: (keys: readonly string[], project: string | null) => store.knownEntities(keys, project),
    };
    const deps = {
      store,
      rewrite: rewritingAsMerge({ store, now: () => edge.clock.now() }),
      locks: new KeyedLock(),
      maxMemories: MOST_MEMORIES,
    };
    const readRecord = memoryRecordReader(loadSpec(CONTRACT));
    const counts = new Map<string, number>();
    const redact = async (fields: JsonFields) => await redactLine(fields, { mode: config.redact ?? 'mask', counts });
    const summary = await withBar(new ProgressBar(memories, edge.progress), (onProgress) =>
      pull(config.dryRun ? withDryRunStore(deps) : deps, remote.export(config.agentId), {
        ...config,
        parse: async (fields) => await readRecord(await redactedRecord(fields, redact), options),
        onProgress,
      }),
    );
    if (summary.leftOut > 0) {
      edge.out(`${count(summary.leftOut)} PRIVATE ones stay there: --include-private brings them too.\n`);
    }
    if (summary.derived > 0) {
      edge.out(
        `${count(summary.derived)} semantic ones stay there: the service that holds the others now derives its own.\n`,
      );
    }
    edge.out(summaryText(summary));
    edge.out(redactionsText(counts));
    edge.out(reasonsText(summary.rejected.map(({ reason }) => ({ id: null, reason }))));
  } finally {
    await opened.close();
  }
}

/** How the spaces beside the default one are pushed; '' where there is none. */
async function otherSpacesText(dataDir: string): Promise<string> {
  const [first, ...more] = await foldersOfOthers(dataDir);
  if (first === undefined) return '';
  const also = more.length === 0 ? '' : ` The same goes for ${more.map((folder) => basename(folder)).join(', ')}.`;
  const space = basename(first);
  return `Its space ${space} is pushed by itself: --data-dir ${join(dataDir, first)} --space ${space}.${also}`;
}

async function open(
  dataDir: string | null,
  model: VectorModel | null,
  { clock, process }: TransferEdge,
): Promise<OpenStore> {
  return await openStore({
    dataDir,
    model,
    maxMemories: MOST_MEMORIES,
    repair: false,
    clock,
    log: createLog({ name: 'memory-service', level: 'error' }),
    process,
  });
}

async function withBar<T>(bar: ProgressBar, work: (onProgress: (done: number) => void) => Promise<T>): Promise<T> {
  try {
    return await work((done) => bar.show(done));
  } finally {
    bar.end();
  }
}

function dryRunNote({ dryRun }: Pick<TransferConfig, 'dryRun'>): string {
  return dryRun ? ' (dry run: nothing is changed)' : '';
}

function summaryText(summary: Omit<MergeReport, 'rejected'>): string {
  const { received, added, updated, duplicates, rejectedCount, withoutVectors } = summary;
  const waiting =
    withoutVectors === 0
      ? ''
      : `${count(withoutVectors)} of them came without vectors; the service that holds them now makes these.\n`;
  return `${count(received)} memories: ${count(added)} added, ${count(updated)} updated, ${count(duplicates)} known already, ${count(rejectedCount)} rejected.\n${waiting}`;
}

function redactionsText(counts: ReadonlyMap<string, number>): string {
  const found = listed(new Map(counts)).map(({ type, count: times }) => `${type} ${count(times)}`);
  return found.length === 0 ? '' : `Secrets taken out: ${found.join(', ')}.\n`;
}

/** One line for each reason, the most frequent first. */
function reasonsText(rejected: readonly { readonly id: string | null; readonly reason: string }[]): string {
  const byReason = new Map<string, (string | null)[]>();
  for (const { id, reason } of rejected) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  const lines = [...byReason].map(([reason, ids]) => {
    const shown = ids.filter((id) => id !== null).slice(0, IDS_SHOWN);
    const more = shown.length > 0 && ids.length > shown.length ? ', ...' : '';
    return {
      times: ids.length,
      text: `  ${count(ids.length)} rejected: ${reason}${shown.length > 0 ? ` (${shown.join(', ')}${more})` : ''}\n`,
    };
  });
  return lines
    .sort((a, b) => b.times - a.times)
    .map(({ text }) => text)
    .join('');
}
