import { dayOf } from '@agent-faculties/service-kit';

/** Such a character begins an escape sequence, overwrites a line or reverses the text behind it. */
const UNSAFE = /(?!\r?\n|\t)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text that a terminal shows as it stands: `\u202e` for such a character, which in JSON is the same one. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** 12,345 */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** 1 memory, 2 memories */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** 0.42 s, 38 s, 1 min 11 s, 2 h 5 min, 3 d 4 h */
export function duration(seconds: number): string {
  const parts = (large: number, unit: string, small: number, smallUnit: string) => {
    const whole = Math.floor(seconds / large);
    const rest = Math.floor((seconds % large) / small);
    return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${smallUnit}`;
  };
  if (seconds >= DAY) return parts(DAY, 'd', HOUR, 'h');
  if (seconds >= HOUR) return parts(HOUR, 'h', MINUTE, 'min');
  if (seconds >= MINUTE) return parts(MINUTE, 'min', 1, 's');
  return `${seconds >= 10 ? Math.round(seconds) : Number(seconds.toPrecision(2))} s`;
}

/** A table. Each column is as wide as its widest cell, except the last one. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** A sentence about the secrets and private parts that a service took out of a request. */
export function redactions(redacted: readonly { readonly type: string; readonly count: number }[] = []): string[] {
  return redacted.map(({ type, count: times }) =>
    type === 'private' ? `${counted(times, 'private part')} left out` : `${counted(times, 'secret')} masked (${type})`,
  );
}

/** The text on one line, cut to the length. */
export function oneLine(text: string, limit = 200): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1)}…`;
}

interface Said {
  readonly created_at: string;
  readonly name: string | null;
  readonly agent_id: string;
  readonly gist: string;
}

/** A memory as one line, with the day, the speaker and the agent: `2026-11-21 Dana (planner): ...`. */
export function said(memory: Said): string {
  return `${spokenBy(memory)}: ${oneLine(memory.gist)}`;
}

interface Held {
  readonly scope: string;
  readonly superseded_by: string | null;
  readonly valid_until: string | null;
}

/** As `said`, with what sets it apart: `2026-11-21 ann (PRIVATE, held until 2026-11-23): ...`. */
export function saidAndHeld(memory: Said & Held, nowMs: number): string {
  return `${spokenBy(memory)}${notesOn(memory, nowMs)}: ${oneLine(memory.gist)}`;
}

/** ` (PRIVATE, superseded)`; empty for what all agents see and what holds. */
export function notesOn({ scope, superseded_by, valid_until }: Held, nowMs: number): string {
  const hasEnded = valid_until !== null && Date.parse(valid_until) <= nowMs;
  const notes = [
    ...(scope === 'TEAM' ? [] : [scope]),
    ...(superseded_by === null ? [] : ['superseded']),
    ...(valid_until === null ? [] : [`${hasEnded ? 'held' : 'holds'} until ${valid_until.slice(0, 10)}`]),
  ];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

/** The day, the speaker and the agent. */
export function spokenBy({ created_at, name, agent_id }: Omit<Said, 'gist'>): string {
  return `${dayOf(Date.parse(created_at))} ${name === null ? agent_id : `${name} (${agent_id})`}`;
}

interface ForPeople {
  readonly isTerminal: { readonly stderr: boolean };
  readonly err: (text: string) => void;
}

/** What a person waits for who sees nothing yet. Only a terminal shows it. */
export function sayWaiting({ isTerminal, err }: ForPeople, what: string): void {
  if (isTerminal.stderr) err(`Waiting for ${what}; Ctrl-C ends.\n`);
}

/** A line that each call overwrites. Only a terminal shows it. */
export function progress(edge: ForPeople & { readonly overwrite: (text: string) => void }) {
  let shown = '';
  return {
    show: (text: string) => {
      if (!edge.isTerminal.stderr || text === shown) return;
      edge.overwrite(text.padEnd(shown.length));
      shown = text;
    },
    end: () => {
      if (shown !== '') edge.err('\n');
      shown = '';
    },
  };
}
