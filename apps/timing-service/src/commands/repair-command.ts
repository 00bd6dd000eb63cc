import { type CommandEdge, configOrExit, EXIT_FAILED } from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { RepairError, type RepairReport, repairDatabase } from '../storage/repair/database-repair.ts';

export interface RepairEdge extends CommandEdge {
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

const COMMAND = 'timing-service repair';
const FIELDS = { dbPath: CONFIG_FIELDS.dbPath } as const;

/** Repairs the database, says what was lost, and returns the exit code. */
export function runRepairCommand(edge: RepairEdge): number {
  const { dbPath } = configOrExit({
    ...edge,
    name: COMMAND,
    description:
      'makes a new database of the readable part of a damaged one, while no service runs, and says what is lost',
    prefix: CONFIG_PREFIX,
    fields: FIELDS,
    // The other variables of the service may stand beside it.
    env: { [FIELDS.dbPath.env]: edge.env[FIELDS.dbPath.env] },
  });
  try {
    const stamp = new Date(edge.nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const report = repairDatabase(dbPath, stamp);
    edge.out(`${lines(dbPath, report).join('\n')}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RepairError)) throw error;
    edge.err(`${COMMAND}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}

function lines(path: string, report: ReturnType<typeof repairDatabase>): string[] {
  if (report === 'sound') return [`${path} is sound: nothing was changed.`];
  if (report === 'ended') return [`${path}: the repair that was cut short is done. Its copies lie beside it.`];
  const { events, tasks, stopwatches } = report.rescued;
  return [
    `${path} was damaged: ${report.damage}.`,
    `Rescued: ${counted(events, 'event')}, ${counted(tasks, 'task')}, ${counted(stopwatches, 'stopwatch', 'stopwatches')}.`,
    ...lossesOf(report),
    ...report.notes,
    `The damaged files: ${report.kept.join(', ')}. Delete them when you no longer need them.`,
  ];
}

function lossesOf({ lost, lostList, lostTransactions }: RepairReport): string[] {
  const losses: string[] = [];
  if (lostTransactions > 0) {
    losses.push(`Lost: the last ${counted(lostTransactions, 'write')}, with all that they changed.`);
  }
  if (lost.length > 0) losses.push(`Lost: what ${lostList} lists, ${counted(lost.length, 'entry', 'entries')}.`);
  return losses.length > 0 ? losses : ['Lost: nothing.'];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
