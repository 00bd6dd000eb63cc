import { clientsOf } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { readBytes } from '../input.ts';
import { duration, oneLine } from '../print.ts';

/** Milliseconds. The host waits for the status line. */
const LIMITS = { timeoutMs: 300, maxRetries: 0 };

export const command = defineCommand({
  name: 'statusline',
  summary: 'One line for the status line of a host: what runs, against how long it mostly takes',
  usage: '[options] <SESSION.json',
  takesWords: false,
  options: {},
  run: async (invocation) => {
    const { edge, json, settings } = invocation;
    // Claude Code writes its session to standard input: not reading it would be an error for Claude Code.
    if (!edge.isTerminal.stdin) await readBytes(edge);
    const { timing } = clientsOf(invocation, LIMITS);
    // The host shows whatever is printed, so an unreachable service prints nothing.
    const of = { agent_id: settings.agentId ?? '*' };
    const running = await timing.listActiveTasks(of).then(
      ({ active_tasks }) => active_tasks,
      () => [],
    );
    const [latest] = running;
    if (!latest?.task_type) {
      if (json) edge.out(`${JSON.stringify({ running: 0 })}\n`);
      return 0;
    }
    const { task_type, elapsed_seconds } = latest;
    const p95 = await timing.getSummary({ task_type, ...of }).then(
      ({ summary }) => summary.p95_seconds,
      () => null,
    );
    if (json) {
      edge.out(`${JSON.stringify({ running: running.length, task_type, elapsed_seconds, p95_seconds: p95 })}\n`);
      return 0;
    }
    const usual =
      p95 === null
        ? ''
        : elapsed_seconds > p95
          ? `, longer than its p95 of ${duration(p95)}`
          : ` of ${duration(p95)} (p95)`;
    const others = running.length > 1 ? ` +${running.length - 1}` : '';
    edge.out(`⏱ ${oneLine(task_type, 40)} ${duration(elapsed_seconds)}${usual}${others}\n`);
    return 0;
  },
});
